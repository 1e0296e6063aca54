"""Boards whose cells have flat middles and straight sides.

Flat areas of one size (`boxes`) are seeds, which grow along the lines that show (`flat`, `growing`,
`strips`).
"""
