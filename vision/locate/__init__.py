"""A picture -> where boards are, and how sure that is.

`finding` puts it together: boards that show lines (`lines`), and any others (`judged`), both as a `grid`;
rows that lie far apart (`closing`); and which of several boards on one place is believed (`rivals`).
`relining` finds the lines again of a board whose cells have grown. `evidence` is how well pixels support a
line.
"""
