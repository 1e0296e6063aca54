"""The requests and events of wlroots' protocols that Sapper uses, as pywayland wants them described.

pywayland brings the protocols of Wayland itself, and not these: one file each, as
https://wayland.app/protocols lists them. The number in each request is its place in its interface, and every
request and event up to the last that is used must be there, in order. What a Resource or a Global would be is
a server's affair, and is left out.
"""
