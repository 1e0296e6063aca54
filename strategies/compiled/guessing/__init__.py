"""Choosing by compiled code: looking ahead, 50/50s, the endgame solved exactly."""
