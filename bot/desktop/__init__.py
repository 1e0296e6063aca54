"""The desktop: its windows, its mouse and keyboard (`hands`), virtual screens, processes that are kept.

`backends` chooses what stands behind the ports (`ports`, `windows`, `vision.frame`): X11 in `x11/`,
Wayland in `wayland/`. `trial` tries it out.
"""
