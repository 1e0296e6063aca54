"""How long the proofs of real positions are, and whether a checker from outside accepts them.

    python benchmarks/reasoning/proofs.py --positions 200

Takes mid-game Expert positions (30 to 80 % of the safe cells open, with the total) from simulated games,
reasons them out, exports each to an OPB file and a VeriPB proof, and has `tools/check_proof.py`, which shares
nothing with the exporter, read both from disk. Prints which kinds of step the certain cells fall to, and how
large proofs become. With `--stuck` the positions are those at which the two cheapest strategies have opened
all that they can: there the long proofs are.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any

from games.logic import Knowledge, Split, bits
from games.logic.derivation import DerivationGraph, ResolvedStep
from games.logic.veripb import export_veripb
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge
from strategies import Reasoner, load_strategies

HOUSE = Path(__file__).resolve().parents[2]
SAFE_CELLS = 16 * 30 - 99


def main() -> None:
    """Reason, export, check, and print the figures."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--positions", type=int, default=200)
    words.add_argument("--seed", default="proofs")
    words.add_argument("--least", type=float, default=0.3, help="share of the safe cells open, at least")
    words.add_argument("--most", type=float, default=0.8, help="at most; 1 takes the ends of games in")
    words.add_argument(
        "--stuck", action="store_true", help="only where the two cheapest strategies are stuck"
    )
    words.add_argument("--strategy", action="append", help="reason with these instead of the default ones")
    asked = words.parse_args()
    checker = load_checker()
    strategies = load_strategies(asked.strategy)
    positions = stuck if asked.stuck else mid_game
    kinds: Counter[str] = Counter()
    sizes: dict[str, list[int]] = {}
    export_s, check_s = [], []
    with tempfile.TemporaryDirectory() as folder:
        problem, proof = Path(folder, "board.opb"), Path(folder, "board.pbp")
        for board in islice(positions(asked.seed, asked.least, asked.most), asked.positions):
            knowledge = Reasoner(strategies).deduce(board_knowledge(board)).knowledge
            begun = time.perf_counter()
            written = export_veripb(knowledge, name=board.name)
            export_s.append(time.perf_counter() - begun)
            problem.write_text(written.problem, encoding="utf-8")
            proof.write_text(written.proof, encoding="utf-8")
            begun = time.perf_counter()
            report = checker.check_files(problem, proof)
            check_s.append(time.perf_counter() - begun)
            known = (knowledge.true | knowledge.false).bit_count()
            assert len(report.confirmed) == known, f"a cell is without its e line:\n{board}"
            sizes.setdefault("lines in the proof of a position", []).append(written.lines)
            measure(knowledge, checker.Loaded(written.problem), kinds, sizes)
    everything = sum(kinds.values())
    print(f"{asked.positions} positions, {everything} certain cells, every proof accepted")
    print(
        f"export {1000 * statistics.mean(export_s):.1f} ms, check {1000 * statistics.mean(check_s):.1f} ms, "
        f"at most {1000 * max(export_s):.0f} and {1000 * max(check_s):.0f} ms"
    )
    print("\n| a certain cell falls to | cells | share |\n|---|---|---|")
    for kind, number in kinds.most_common():
        print(f"| {kind} | {number:,} | {100 * number / everything:.2f} % |")
    print("\n| size | median | 99th percentile | largest |\n|---|---|---|---|")
    for name, values in sizes.items():
        ranked = sorted(values)
        print(f"| {name} | {ranked[len(ranked) // 2]} | {ranked[len(ranked) * 99 // 100]} | {ranked[-1]} |")


def mid_game(seed: str, least: float, most: float) -> Iterator[Board]:
    """Expert positions with such a share of the safe cells open, two at most from one game."""
    rng = random.Random(seed)
    for game in count(1):
        field = Minefield(Deal.random(16, 30, 99, f"{seed}/{game}"), "zero")
        goals = sorted(rng.uniform(least, most) for _ in range(2))
        for goal in goals:
            while field.board.open.bit_count() < goal * SAFE_CELLS and not field.is_won:
                open_one(field, rng)
            if not field.is_won and field.board.open.bit_count() <= most * SAFE_CELLS:
                yield field.board


def stuck(seed: str, least: float, most: float) -> Iterator[Board]:
    """Expert positions with such a share of the safe cells open and nothing left for the cheapest rules."""
    rng = random.Random(seed)
    cheap = load_strategies(["single-cell", "set-rules"])
    for game in count(1):
        field = Minefield(Deal.random(16, 30, 99, f"{seed}/{game}"), "zero")
        open_one(field, rng)
        while not field.is_won and field.board.open.bit_count() <= most * SAFE_CELLS:
            board = field.board
            safe = Reasoner(cheap).deduce(board_knowledge(board)).knowledge.false & board.closed
            if safe:
                field.play([Move("open", k) for k in bits(safe)])
                continue
            if board.open.bit_count() >= least * SAFE_CELLS:
                yield board
            open_one(field, rng)


def open_one(field: Minefield, rng: random.Random) -> None:
    """Open a safe cell, beside an open one if there is any: what a person might open next."""
    board = field.board
    rim = 0
    for k in bits(board.open):
        rim |= board.around[k]
    safe = board.not_open & ~(field.truth or 0)
    field.play([Move("open", rng.choice(list(bits(safe & rim or safe))))])


def measure(knowledge: Knowledge, loaded: Any, kinds: Counter[str], sizes: dict[str, list[int]]) -> None:
    """Count one position's certain cells by what their proofs take, and the sizes of these.

    `loaded` is the text checker with the problem and no proof.
    """
    lineage = DerivationGraph(knowledge)
    numbers = {k: place for place, k in enumerate(bits(knowledge.universe), 1)}
    for k in bits(knowledge.true | knowledge.false):
        literal = loaded.literal(f"x{numbers[k]}") * (1 if knowledge.true >> k & 1 else -1)
        places = lineage.ancestors(1 << k)
        links = [lineage.links[place] for place in places]
        kinds[kind_of(loaded, literal, links)] += 1
        for name, value in (
            ("steps behind a certain cell", len(links)),
            ("clues behind a certain cell", len(lineage.given_behind(places))),
        ):
            sizes.setdefault(name, []).append(value)
    for link in lineage.links:
        sizes.setdefault("premises of a step", []).append(len(link.grounds))
        if isinstance(link.deduction.step.method, Split):
            sizes.setdefault("cases of a split", []).append(cases(link.deduction.step.method))


def kind_of(loaded: Any, literal: int, links: Sequence[ResolvedStep]) -> str:
    """The least that shows a cell; below `u`, what the proof that was found takes."""
    if loaded.follows(literal):
        return "unit propagation in the clues"
    if loaded.refutes(literal):
        return "one `u` line"
    methods = [link.deduction.step.method for link in links]
    split = ", a split" if any(isinstance(method, Split) for method in methods) else ""
    grounds = [ground for link in links for ground in link.grounds if ground.premise.is_global]
    if any(ground.place is not None for ground in grounds):
        return f"several lines, bounds on components as lemmas{split}"
    return f"several lines{', the total' if grounds else ''}{split}"


def cases(split: Split | None) -> int:
    """The leaves of a split."""
    return 1 if split is None else cases(split.if_true) + cases(split.if_false)


def load_checker() -> Any:
    """tools/check_proof.py, which is no package, as a module."""
    spec = importlib.util.spec_from_file_location("check_proof", HOUSE / "tools" / "check_proof.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
