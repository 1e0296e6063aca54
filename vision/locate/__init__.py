"""Locate boards in a picture.

`lines` proposes boards from visible lines (`boxes`, `extension`), `letters` from characters without lines,
`overview` from the whole picture; `gaps` narrows wide gaps. `fit` finds pitch and phase, `judge` scores
candidates, `locate` resolves overlaps. `relocate` finds the lines of a known board whose cells have grown.
"""
