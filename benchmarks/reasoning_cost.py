"""Reasoning on Expert games: processor time of a decision, use of each rule, size of proofs, isolation.

Tables: docs/results, "Decision time", "Rules", "Proofs" and "Isolated strategies".

    python -m benchmarks.reasoning_cost time --count 100
    python -m benchmarks.reasoning_cost rules --count 10000
    python -m benchmarks.reasoning_cost proofs --count 200 [--stuck]
    python -m benchmarks.reasoning_cost isolation --count 40 [--strategy mine.py]

- `time`: whole games; then mid-game boards (30 to 80 % of the safe cells open) decided from scratch; then
  large boards. Time for guesses is excluded.
- `rules`: for each rule, on mid-game boards of all levels: cells that it finds first, cells that it finds
  with `single-cell` only, and cells that are lost without it (and without the complete strategy).
- `proofs`: OPB files and VeriPB proofs of mid-game boards, checked by `tools/check_proof.py`. `--stuck`
  takes boards in which the two cheapest rules have opened everything they can, which need the longest proofs.
- `isolation`: wall time of the same decisions with a strategy in this process and in a process of its own.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from unittest import mock

from benchmarks.shared import format_times, new_parser
from bot.game.plan import Planner
from bot.game.types import GameRules
from bot.simulation.simulated_game import simulated_rules
from games.logic import Knowledge, Split, bits
from games.logic.derivation import DerivationGraph, ResolvedStep
from games.logic.veripb import export_veripb
from games.minesweeper import LEVELS, Board, Deal, Guess, Minefield, Move, Position, board_knowledge
from strategies import Reasoner, Strategy, load_strategies
from strategies.testing import mid_game
from tools import check_proof

EXPERT = (16, 30, 99)
LARGE = ((100, 100, 1600), (32, 32, 200))
BASE, COMPLETE = "single-cell", "backtracking"
CHEAP = (BASE, "set-rules")
SIMPLE_STRATEGY = """
from strategies import Deduction, Linear, hookimpl


@hookimpl
def deduce(knowledge, changed):
    for clue in knowledge.about(changed):
        if clue.all_true:
            yield Deduction.true(clue.cells, because=(clue,), rule="all mines")
        elif clue.all_false:
            yield Deduction.false(clue.cells, because=(clue,), rule="none left")
"""


# --- time ----------------------------------------------------------------------------------------------


def print_decision_times(games: int, seed: str) -> None:
    """Print the processor time of decisions in games, from scratch and on large boards."""
    deals = [Deal.random(*EXPERT, f"{seed}/{game}") for game in range(games)]
    list(timed_decisions(deals[0], thorough=True))  # warm up
    for thorough, name in ((True, "all certain cells"), (False, "enough cells to continue")):
        ms = [ms for deal in deals for ms, _ in timed_decisions(deal, thorough)]
        print(f"whole games, {name}: {format_times(ms)}")
        print(f"  {sum(ms) / games:.1f} ms a game, {len(ms) / games:.1f} decisions")
    boards = [board for deal in deals for _, board in timed_decisions(deal, True) if is_mid_game(board)]
    print(f"{len(boards)} mid-game boards from scratch: {format_times([ms_from_scratch(b) for b in boards])}")
    for rows, columns, mines in LARGE:
        ms = [ms for ms, _ in timed_decisions(Deal.random(rows, columns, mines, seed), True)]
        print(f"{columns}x{rows}, {mines} mines: {format_times(ms)}")


def timed_decisions(deal: Deal, thorough: bool) -> Iterator[tuple[float, Board]]:
    """Play one game; yield the milliseconds of reasoning at each board, without guessing."""
    field = Minefield(deal, "zero")
    planner = Planner(Reasoner(load_strategies()), GameRules(deal.mines, "zero", "open"), thorough)
    guessing = 0.0

    def timed_guess(reasoner: Reasoner, position: Position, most: int | None = None) -> tuple[Guess, ...]:
        nonlocal guessing
        begin = time.process_time()
        try:
            return guess(reasoner, position, most)
        finally:
            guessing += time.process_time() - begin

    guess = Reasoner.guess
    while not (field.is_lost or field.is_won):
        board, guessing = field.board, 0.0
        with mock.patch.object(Reasoner, "guess", timed_guess):
            begin = time.process_time()
            plan = planner.plan(board)
            yield 1000 * (time.process_time() - begin - guessing), board
        field.play(plan.moves)


def is_mid_game(board: Board) -> bool:
    """Whether 30 to 80 % of the safe cells are open."""
    assert board.mines is not None
    return 0.3 <= board.open.bit_count() / (len(board) - board.mines) <= 0.8


def ms_from_scratch(board: Board) -> float:
    """Milliseconds to decide a board without earlier knowledge."""
    reasoner = Reasoner(load_strategies())
    begin = time.process_time()
    reasoner.deduce(board_knowledge(board))
    return 1000 * (time.process_time() - begin)


# --- rules ---------------------------------------------------------------------------------------------


def print_rules(positions: int, seed: str) -> None:
    """Print how many certain cells each rule finds first, finds alone, and how many are lost without it."""
    rules = [strategy for strategy in load_strategies() if strategy.has_deduce]
    first, where, alone, lost = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for turn, level in enumerate(LEVELS):
        boards = mid_game(seed, (positions + turn) // len(LEVELS), level)
        for number, board in enumerate(boards):
            start = knowledge = board_knowledge(board.with_mines(board.mines if number % 2 else None))
            for place, rule in enumerate(rules, 1):
                grown = Reasoner(rules[:place]).deduce(knowledge).knowledge
                first[rule.name] += decided_cells(grown) - decided_cells(knowledge)
                where[rule.name] += decided_cells(grown) > decided_cells(knowledge)
                knowledge = grown
            found = {name: found_without(start, rules, {COMPLETE, name}) for name in (*where, COMPLETE)}
            for rule in rules:
                others = {each.name for each in rules} - {BASE, rule.name}
                alone[rule.name] += found_without(start, rules, others)
                lost[rule.name] += found[COMPLETE] - found[rule.name]
            lost[COMPLETE] += decided_cells(knowledge) - found[COMPLETE]
    certain = first.total()
    print(f"{positions:,} positions, {certain:,} certain cells\n")
    print("| rule | found first | share | in positions | alone | lost without it |")
    print("|---|---|---|---|---|---|")
    for name in first:
        share, by_itself = 100 * first[name] / certain, 100 * alone[name] / certain
        counts = f"{first[name]:,} | {share:.3f} % | {where[name]:,} | {by_itself:.2f} % | {lost[name]:,}"
        print(f"| `{name}` | {counts} |")


def found_without(start: Knowledge, rules: Sequence[Strategy], names: set[str]) -> int:
    """Cells that the rules decide without the named rules."""
    return decided_cells(Reasoner([r for r in rules if r.name not in names]).deduce(start).knowledge)


def decided_cells(knowledge: Knowledge) -> int:
    """The number of decided cells."""
    return (knowledge.true | knowledge.false).bit_count()


# --- proofs --------------------------------------------------------------------------------------------


def print_proofs(positions: int, seed: str, is_stuck: bool) -> None:
    """Export and check proofs; print the kinds and the sizes of their steps."""
    boards = islice(stuck_boards(seed), positions) if is_stuck else mid_game(seed, positions, "expert")
    kinds: Counter[str] = Counter()
    sizes: dict[str, list[int]] = {}
    export_ms, check_ms = [], []
    with tempfile.TemporaryDirectory() as folder:
        problem, proof = Path(folder, "board.opb"), Path(folder, "board.pbp")
        for board in boards:
            knowledge = Reasoner(load_strategies()).deduce(board_knowledge(board)).knowledge
            begin = time.perf_counter()
            written = export_veripb(knowledge, name=board.name)
            export_ms.append(1000 * (time.perf_counter() - begin))
            problem.write_text(written.problem, encoding="utf-8")
            proof.write_text(written.proof, encoding="utf-8")
            begin = time.perf_counter()
            report = check_proof.check_files(problem, proof)
            check_ms.append(1000 * (time.perf_counter() - begin))
            assert len(report.confirmed) == decided_cells(knowledge), f"unconfirmed cell:\n{board}"
            sizes.setdefault("lines of a proof", []).append(written.lines)
            measure_proof(knowledge, check_proof.LoadedProblem(written.problem), kinds, sizes)
    print(f"{positions} positions, {kinds.total()} certain cells, all proofs accepted")
    print(f"export: {format_times(export_ms)}\ncheck:  {format_times(check_ms)}")
    print("\n| a certain cell needs | cells | share |\n|---|---|---|")
    for kind, number in kinds.most_common():
        print(f"| {kind} | {number:,} | {100 * number / kinds.total():.2f} % |")
    print("\n| size | median | 99th percentile | largest |\n|---|---|---|---|")
    for name, values in sizes.items():
        ranked = sorted(values)
        print(f"| {name} | {ranked[len(ranked) // 2]} | {ranked[len(ranked) * 99 // 100]} | {ranked[-1]} |")


def stuck_boards(seed: str, least: float = 0.3, most: float = 0.8) -> Iterator[Board]:
    """Expert boards with this share of the safe cells open, in which the cheapest rules find nothing."""
    rng, cheap = random.Random(seed), load_strategies(CHEAP)
    rows, columns, mines = EXPERT
    safe_cells = rows * columns - mines
    for game in count(1):
        field = Minefield(Deal.random(rows, columns, mines, f"{seed}/{game}"), "zero")
        open_next(field, rng)
        while not field.is_won and field.board.open.bit_count() <= most * safe_cells:
            board = field.board
            safe = Reasoner(cheap).deduce(board_knowledge(board)).knowledge.false & board.closed
            if safe:
                field.play([Move("open", k) for k in bits(safe)])
                continue
            if board.open.bit_count() >= least * safe_cells:
                yield board
            open_next(field, rng)


def open_next(field: Minefield, rng: random.Random) -> None:
    """Open a random safe cell, next to an open cell if there is one."""
    board, rim = field.board, 0
    for k in bits(board.open):
        rim |= board.around[k]
    safe = board.not_open & ~(field.truth or 0)
    field.play([Move("open", rng.choice(list(bits(safe & rim or safe))))])


def measure_proof(
    knowledge: Knowledge, problem: check_proof.LoadedProblem, kinds: Counter[str], sizes: dict[str, list[int]]
) -> None:
    """Count the certain cells of one position by the kind and the size of their proofs."""
    lineage = DerivationGraph(knowledge)
    numbers = {k: place for place, k in enumerate(bits(knowledge.universe), 1)}
    for k in bits(knowledge.true | knowledge.false):
        literal = problem.literal(f"x{numbers[k]}") * (1 if knowledge.true >> k & 1 else -1)
        places = lineage.ancestors(1 << k)
        links = [lineage.links[place] for place in places]
        kinds[proof_kind(problem, literal, links)] += 1
        sizes.setdefault("steps of a certain cell", []).append(len(links))
        sizes.setdefault("clues of a certain cell", []).append(len(lineage.given_behind(places)))
    for link in lineage.links:
        sizes.setdefault("premises of a step", []).append(len(link.grounds))
        if isinstance(link.deduction.step.method, Split):
            sizes.setdefault("cases of a split", []).append(count_cases(link.deduction.step.method))


def proof_kind(problem: check_proof.LoadedProblem, literal: int, links: Sequence[ResolvedStep]) -> str:
    """The cheapest proof that shows a cell, or the kind of the proof that was found."""
    if problem.follows(literal):
        return "unit propagation in the clues"
    if problem.refutes(literal):
        return "one `u` line"
    methods = [link.deduction.step.method for link in links]
    split = ", a split" if any(isinstance(method, Split) for method in methods) else ""
    grounds = [ground for link in links for ground in link.grounds if ground.premise.is_global]
    if any(ground.place is not None for ground in grounds):
        return f"several lines, bounds on components as lemmas{split}"
    return f"several lines{', the mine total' if grounds else ''}{split}"


def count_cases(split: Split | None) -> int:
    """The leaves of a case split."""
    return 1 if split is None else count_cases(split.if_true) + count_cases(split.if_false)


# --- isolation -----------------------------------------------------------------------------------------


def print_isolation(games: int, seed: str, strategy: str | None) -> None:
    """Print the wall time of decisions with a strategy in this process and in its own process."""
    with tempfile.TemporaryDirectory(prefix="sapper-benchmark-") as folder:
        file = Path(strategy or Path(folder, "simple.py"))
        if not strategy:
            file.write_text(SIMPLE_STRATEGY)
        names = [str(file), *CHEAP[1:], "lowest-risk"]
        begin = time.perf_counter()
        isolated = load_strategies(names)
        load_ms = 1000 * (time.perf_counter() - begin)
        trusted = load_strategies(names, trust=True)
        pairs: list[tuple[float, float]] = []
        for game in range(games + 1):
            measured = paired_times(Deal.random(*EXPERT, f"{seed} {game}"), (trusted, isolated))
            pairs += measured if game else []  # the first game warms up
    print(f"{len(pairs)} decisions in {games} Expert games; loading takes {load_ms:.0f} ms")
    print(f"in this process      {format_times([a for a, _ in pairs])}")
    print(f"in its own process   {format_times([b for _, b in pairs])}")
    print(f"difference           {format_times([b - a for a, b in pairs])}")


def paired_times(deal: Deal, lineups: Sequence[Sequence[Strategy]]) -> list[tuple[float, float]]:
    """Milliseconds of each decision of one game, for both line-ups."""
    field = Minefield(deal, "zero")
    rules = simulated_rules(deal.mines, "zero", "plain")
    planners = [Planner(Reasoner(lineup), rules, thorough=False) for lineup in lineups]
    measured = []
    while not (field.is_won or field.is_lost):
        spent, plans = [], []
        for planner in planners:
            begin = time.perf_counter()
            plans.append(planner.plan(field.board))
            spent.append(1000 * (time.perf_counter() - begin))
        if plans[0].moves != plans[1].moves:
            raise AssertionError("isolation changed a decision")
        measured.append((spent[0], spent[1]))
        field.play(plans[0].moves)
    return measured


def parse_options() -> argparse.Namespace:
    """The options of the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("table", choices=("time", "rules", "proofs", "isolation"), nargs="?", default="time")
    parser.add_argument("--count", type=int, default=60, help="games, or positions for rules and proofs")
    parser.add_argument("--seed", default="reasoning")
    parser.add_argument("--stuck", action="store_true", help="proofs: positions that need long proofs")
    parser.add_argument("--strategy", help="isolation: a strategy file instead of a rule of ten lines")
    return parser.parse_args()


def main() -> None:
    """Print one table."""
    options = parse_options()
    if options.table == "time":
        print_decision_times(options.count, options.seed)
    elif options.table == "rules":
        print_rules(options.count, options.seed)
    elif options.table == "proofs":
        print_proofs(options.count, options.seed, options.stuck)
    else:
        print_isolation(options.count, options.seed, options.strategy)


if __name__ == "__main__":
    main()
