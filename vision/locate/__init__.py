"""Locate boards in a picture.

`lines` proposes boards from visible lines (`boxes`, `extension`), `letters` from characters without lines,
`overview` from the whole picture. `fit` makes pitch, phase and extent exact, `judge` scores candidates,
`locate` resolves overlaps. `relocate` finds the lines of a known board whose cells have grown.
"""
