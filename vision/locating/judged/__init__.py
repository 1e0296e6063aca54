"""Boards as a trained network judges them, whatever their cells look like.

`judging` asks it about places where a cell may be (`cutouts`). Areas that repeat (`repeats`) get pitch and
phase (`fitting`) and extent (`extent`), rectangles that stand out are parted evenly (`panels`), boards that
were seen by their lines are looked at again (`mending`), and lines are moved to the middle of wide gaps
(`gaps`). How likely each is a board is weighed (`weighing`, `weights`).
"""
