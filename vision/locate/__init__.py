"""Locate boards in a picture.

`lines` proposes boards from visible lines (`boxes`, `extension`), `repeats` from periodic areas, rectangles
and wide gaps, `letters` from characters without lines. `fit` finds pitch and phase, `judge` scores
candidates, `locate` resolves overlaps. `relocate` finds the lines of a known board whose cells have grown.
"""
