"""Searches over constraints: what cannot be, what can be, and the smallest conflicts.

`splitting` is the kernel: it propagates (`games.logic.propagation`), chooses a cell where nothing more
follows, and splits, within a number of steps. `refutation` shows with it what cannot be, `models` and
`layouts` what can; conflicts are made small by asking both (`minimal_conflicts`: none to spare,
`smallest_conflicts`: as few as can be). `legality` has the functions of Deduction functions. `elimination`
and `disjoint_sets` are the exact methods behind the strategies `linear` and `packing`.
"""
