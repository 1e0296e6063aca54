"""Install, uninstall and validate packages of strategies.

Packages go into the environment of `sys.executable`: a virtual environment, a pipx environment (which shares
pip) or a uv tool (without pip, so uv installs). A plugin is valid if it loads, keeps the contract, is sound
and fast enough, and plays.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata, util
from itertools import islice
from pathlib import Path
from typing import Any

from bot.simulation.simulated_game import GameStart, play_game
from games.errors import InvalidFile, MissingRequirement, SapperError, UsageError
from games.external import DAMAGE, entry_points, parse_toml, read_external_text
from games.logic import union_cells
from games.minesweeper import Deal, board_knowledge, variants
from games.names import did_you_mean
from strategies import CONTRACT, Reasoner, Strategy, available_strategies, load_strategies
from strategies.hookspecs import ENTRY_POINTS, PROJECT
from strategies.isolation.protocol import ResourceLimits
from strategies.observers import ObserverGroup
from strategies.options import parse_spec
from strategies.registry import BUILT_IN, OBSERVERS, load_plugin
from strategies.testing import CHECKS, check_strategy, mid_game, position_of, samples

GROUPS = (ENTRY_POINTS, variants.ENTRY_POINTS)


def install(what: str, editable: bool = False, extra: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Install a package of strategies or variants: by name, a project's folder, a wheel.

    Returns its name and those of its plugins. `extra` goes to the installer as it is. Raises UsageError for a
    single file, InvalidFile if it cannot be installed or loaded, MissingRequirement without an installer.
    """
    if what.endswith(".py"):
        raise UsageError(
            f"{what} is a single file: use it with --strategy, or make a package with new-strategy"
        )
    if what.startswith("-"):
        raise UsageError(f"'{what}' is not a package: put options of the installer after --")
    name = _name_of(what)
    is_here = Path(what).exists()
    source = str(Path(what).absolute()) if is_here else what
    _run("install", [*(["--editable"] if editable else []), source, *extra], what)
    importlib.invalidate_caches()
    points = _points_of(name)
    if points:
        _check_points(name, points)
    else:
        raise InvalidFile(
            f"{name} is installed but has no plugin (no entry point in {' or '.join(GROUPS)}): "
            f"remove it with '{sys.executable} -m pip uninstall {name}'"
        )
    return _plain(name), tuple(point.name for point in points)


def _check_points(package: str, points: Sequence[metadata.EntryPoint]) -> None:
    """Raise InvalidFile if a plugin has the name of another one, or cannot be imported in a new process."""
    others = {point.name: point.dist.name for point in _points() if point.dist and point not in points}
    taken = others | dict.fromkeys((*BUILT_IN, *OBSERVERS), "Sapper")
    for point in points:
        if point.group == ENTRY_POINTS and point.name in taken:
            raise InvalidFile(
                f"{package} is installed, but {taken[point.name]} already has a strategy {point.name}: "
                f"rename one, or '{sys.executable} -m pip uninstall {package}'"
            )
        load = (
            f"from importlib.metadata import EntryPoint as E; E({point.name!r}, {point.value!r}, '').load()"
        )
        done = subprocess.run([sys.executable, "-P", "-c", load], capture_output=True, text=True, check=False)
        if done.returncode:
            reason = done.stderr.strip().rpartition("\n")[2]
            raise InvalidFile(
                f"{package} is installed, but its entry point {point.name} cannot be loaded ({reason}): "
                "correct the package and install it again"
            )


def uninstall(what: str) -> tuple[str, tuple[str, ...]]:
    """Uninstall a package, named by itself or by one of its strategies; return the same as `install`.

    Raises UsageError for a package without strategies, and the errors of `install`.
    """
    by_strategy = {point.name: point.dist.name for point in _points() if point.dist}
    package = by_strategy.get(what, what)
    found = tuple(point.name for point in _points_of(package))
    if not found or _plain(package) == PROJECT:
        known = sorted({*by_strategy, *by_strategy.values()})
        there = f"installed: {', '.join(known)}" if known else "none is installed"
        raise UsageError(f"'{what}' is not a package with strategies{did_you_mean(what, known)}: {there}")
    _run("uninstall", [package], what)
    importlib.invalidate_caches()
    return package, found


def _points() -> list[metadata.EntryPoint]:
    return [point for group in GROUPS for point in entry_points(group)]


def _points_of(package: str) -> list[metadata.EntryPoint]:
    return [p for p in _points() if p.dist and _plain(p.dist.name or "") == _plain(package)]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _name_of(what: str) -> str:
    path = Path(what)
    if path.is_dir():
        try:
            return str(parse_toml(read_external_text(path / "pyproject.toml"))["project"]["name"])
        except (OSError, *DAMAGE) as error:
            raise InvalidFile(f"{what}: no pyproject.toml with a project name: see new-strategy") from error
    match = re.match(
        r"[A-Za-z0-9][A-Za-z0-9._]*" if path.suffix == ".whl" else r"[A-Za-z0-9][\w.-]*", path.name
    )
    if not match:
        raise UsageError(f"'{what}' is not a package: give a package name, a project folder or a wheel")
    return re.sub(r"-\d.*", "", match[0]) if path.suffix == ".gz" else match[0]


def _run(verb: str, words: Sequence[str], what: str) -> None:
    """Run pip or uv. Raises InvalidFile with its error message, MissingRequirement without both."""
    if sys.prefix == sys.base_prefix and (Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").exists():
        raise MissingRequirement(
            "this Python belongs to the system package manager: "
            "install Sapper in its own environment (python3 -m venv, pipx or uv)"
        )
    if util.find_spec("pip"):
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", verb]
        command += ["--yes"] if verb == "uninstall" else []
    elif uv := shutil.which("uv"):
        command = [uv, "pip", verb, "--python", sys.executable]
    else:
        raise MissingRequirement("neither pip nor uv is available: install pip with 'python -m ensurepip'")
    done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        errors = [line for line in said if re.match(r"error|\u00d7", line, re.IGNORECASE)] or said[-1:]
        raise InvalidFile(f"{what}: cannot {verb} it: {errors[0] if errors else 'no reason was given'}")


OTHER_BOARDS = 60  # boards for each of the other checks
COSTLY = 24  # boards from the middle of Expert games, for the timing
GAMES = 6  # Beginner games to play
MOST_ANSWERS = 20_000  # answers checked per small board; "within budget" limits them
SLOWEST = ResourceLimits().call / 2  # seconds; a strategy is quarantined after twice this time


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check; further lines of `detail` show a board."""

    check: str
    is_ok: bool
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        """The fields by name."""
        return {"check": self.check, "ok": self.is_ok, "detail": self.detail}


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """The results of validating one plugin; `strategy` is None if it does not load."""

    source: str
    strategy: Strategy | None
    checks: tuple[CheckResult, ...]

    @property
    def is_ok(self) -> bool:
        """Whether all checks pass."""
        return all(each.is_ok for each in self.checks)

    def as_json(self) -> dict[str, Any]:
        """The fields by name."""
        named = self.strategy
        return {
            "source": self.source,
            "strategy": named.name if named else "",
            "version": named.version if named else "",
            "contract": CONTRACT,
            "ok": self.is_ok,
            "checks": [each.as_json() for each in self.checks],
        }


def find_plugins(what: str) -> tuple[str, ...]:
    """The sources of the plugins in a file, package or project folder, or with this name.

    Raises InvalidFile for a folder without a project, or an entry point without a file.
    """
    path = Path(what)
    if path.is_dir():
        return _in_project(path)
    name, _ = parse_spec(what)
    return tuple(point.name for point in _points_of(name) if point.group == ENTRY_POINTS) or (what,)


def _in_project(folder: Path) -> tuple[str, ...]:
    settings = folder / "pyproject.toml"
    try:
        project = parse_toml(read_external_text(settings)).get("project", {})
        points = dict(project.get("entry-points", {}).get(ENTRY_POINTS, {}))
    except OSError as error:
        raise InvalidFile(f"{settings}: {error.strerror}: name a file or a project folder") from error
    except DAMAGE as error:
        raise InvalidFile(f"{settings}: {error}: correct the file") from error
    if not points:
        raise InvalidFile(f'{settings}: no [project.entry-points."{ENTRY_POINTS}"]: name the module there')
    found = []
    for name, module in points.items():
        place = str(module).partition(":")[0].replace(".", "/")
        files = [
            base / f"{place}{end}" for base in (folder, folder / "src") for end in (".py", "/__init__.py")
        ]
        file = next((each for each in files if os.path.isfile(each)), None)  # noqa: PTH113 - any name
        if file is None:
            raise InvalidFile(
                f"{settings}: entry point {name} names '{module}', but {files[0]} does not exist"
            )
        found.append(str(file))
    return tuple(found)


def validate(source: str, boards: int, say: Callable[[str], None]) -> ValidationReport:
    """Check one plugin, named as for `load_strategy`; `say` receives the name of each check.

    Loading, timing and games run in a separate process, the checks on small boards in this process, where
    steps are counted.
    """
    say("loading")
    try:
        strategy = load_plugin(source, trust=False)
    except SapperError as error:
        return ValidationReport(source, None, (CheckResult("loads", False, str(error)),))
    if strategy.fault:
        return ValidationReport(source, strategy, (CheckResult("loads", False, strategy.fault),))
    checks = [CheckResult("loads", True, "; ".join((f"contract {CONTRACT}", *strategy.notes)))]
    is_asked = strategy.has_deduce or strategy.has_guess
    for check in _tried(source, strategy, boards, say) if is_asked else ():
        checks.append(check)
        if not check.is_ok and check.check == "within budget":
            break  # the other checks might not end
    if all(each.is_ok for each in checks):
        say("playing")
        checks.append(_watches(strategy) if strategy.has_observer else _plays(strategy))
    return ValidationReport(source, strategy, tuple(checks))


def _tried(source: str, strategy: Strategy, boards: int, say: Callable[[str], None]) -> Iterator[CheckResult]:
    say(f"answers, {boards} boards")
    answers, answered = _answers(strategy, boards)
    yield answers
    if not answers.is_ok:
        return  # it might not end in this process
    inside = load_plugin(source, trust=True)
    for name in CHECKS:
        count = boards if name == "sound" else min(boards, OTHER_BOARDS)
        say(f"{name}, {count} boards")
        try:
            check_strategy(inside, count, only=name)
        except AssertionError as error:
            head, *board = str(error).removeprefix(f"{inside.name}, {name}: ").splitlines()
            yield CheckResult(name, False, "\n".join((head, *board)))
        else:
            yield CheckResult(name, True, f"{count} small boards")
    say(f"cost, {COSTLY} Expert boards")
    cost = _cost(strategy)
    yield cost
    if cost.is_ok:
        say(f"fires, {OTHER_BOARDS} small and {COSTLY} Expert boards")
        yield _fires(strategy, boards, answered)


def _answers(strategy: Strategy, boards: int) -> tuple[CheckResult, Counter[str]]:
    """Whether it answers on small boards, in a separate process with limits; boards with answers by hook."""
    answered = Counter[str]()
    for sample in samples("sapper", boards):
        knowledge, board = sample.knowledge, sample.board
        hook = "deduce"
        try:
            found = list(islice(strategy.deduce(knowledge, knowledge.universe), MOST_ANSWERS))
            answered[hook] += bool(found)
            hook = "guess"
            answered[hook] += bool(list(islice(strategy.guess(position_of(board, knowledge)), MOST_ANSWERS)))
        except Exception as error:  # noqa: BLE001 - the plugin may raise anything
            return CheckResult("answers", False, f"{strategy.blamed(hook, error)}\n{board}"), answered
    return CheckResult("answers", True, f"{boards} small boards"), answered


def _fires(strategy: Strategy, boards: int, answered: Mapping[str, int]) -> CheckResult:
    """How often its hooks answer, and what `deduce` finds that the strategies before it do not."""
    parts, silent = [], []
    if strategy.has_deduce:
        parts.append(f"alone on {answered['deduce']} of {boards} boards")
        default = [each for each in load_strategies() if each.has_deduce]
        fired = answered["deduce"]
        for name, before in (("single-cell", default[:1]), ("the default order", default)):
            found, cells, played = _found_after(strategy, before)
            parts.append(
                f"after {name} on {found} of {played}, {cells} cells" if found else f"never after {name}"
            )
            fired += found
        silent += [] if fired else ["deduce"]
    if strategy.has_guess:
        parts.append(f"guesses on {answered['guess']} of {boards}")
        silent += [] if answered["guess"] else ["guess"]
    if not silent:
        return CheckResult("fires", True, "; ".join(parts))
    place, remedy = strategy.places.get(silent[0], ""), "check its conditions and its requirements"
    return CheckResult(
        "fires", False, f"{place}: its {silent[0]} never answers ({'; '.join(parts)}): {remedy}"
    )


def _found_after(strategy: Strategy, before: Sequence[Strategy]) -> tuple[int, int, int]:
    """Boards on which it finds more than `before`, the cells that it decides there, and boards tried."""
    stated = [sample.knowledge for sample in samples("fires", OTHER_BOARDS)]
    stated += [board_knowledge(board) for board in mid_game("cost", COSTLY, "expert")]
    found = cells = 0
    for knowledge in stated:
        reasoner = Reasoner([*(each for each in before if each.name != strategy.name), strategy])
        own = [d for d in reasoner.deduce(knowledge).knowledge.history if reasoner.author(d) == strategy.name]
        decided = union_cells(d.constraint for d in own if d.constraint.all_true or d.constraint.all_false)
        found += bool(own)
        cells += decided.bit_count()
    return found, cells, len(stated)


def _cost(strategy: Strategy) -> CheckResult:
    times: list[float] = []
    for board in mid_game("cost", COSTLY, "expert"):
        knowledge = board_knowledge(board)
        position = position_of(board, knowledge)
        for ask in (lambda: strategy.deduce(knowledge, knowledge.universe), lambda: strategy.guess(position)):  # noqa: B023 - called at once
            before, began = strategy.spent, time.perf_counter()
            try:
                list(ask())
            except Exception as error:  # noqa: BLE001 - the plugin may raise anything
                return CheckResult("cost", False, strategy.blamed("deduce", error))
            seconds = strategy.spent - before or time.perf_counter() - began
            times += [seconds] if seconds else []
        if max(times, default=0.0) > SLOWEST:
            break
    worst, usual = max(times, default=0.0), statistics.median(times or [0.0])
    detail = f"median {1000 * usual:.2f} ms per call, maximum {1000 * worst:.2f} ms"
    if worst > SLOWEST:
        detail += f": more than {SLOWEST:g} s; bound the work in steps"
    return CheckResult("cost", worst <= SLOWEST, detail)


def _plays(strategy: Strategy) -> CheckResult:
    chosen = (strategy, *load_strategies(["single-cell", "set-rules", "lowest-risk"]))
    scores = [
        play_game(chosen, n, Deal.random(9, 9, 10, f"validate {n}"), GameStart("zero")) for n in range(GAMES)
    ]
    faults = [fault for score in scores for fault in score.faults]
    won = sum(score.won for score in scores)
    return CheckResult("plays", not faults, faults[0] if faults else f"{won} of {GAMES} Beginner games won")


def _watches(strategy: Strategy) -> CheckResult:
    watching, chosen = ObserverGroup([strategy]), load_strategies(["single-cell", "lowest-risk"])
    says: list[str] = []
    for n in range(GAMES):
        says += play_game(chosen, n, Deal.random(9, 9, 10, f"validate {n}"), GameStart("zero"), watching).says
    watching.close()
    wrong = [text for text in says if text.startswith(f"observer {strategy.name} is ")]
    return CheckResult("watches", not wrong, wrong[0] if wrong else f"{GAMES} Beginner games")


def validate_all(what: Sequence[str], boards: int, say: Callable[[str], None]) -> Iterator[ValidationReport]:
    """Validate all plugins with these names, see `find_plugins`. Raises InvalidFile, UsageError."""
    for each in what:
        for source in find_plugins(each):
            is_file = source.endswith(".py") or "/" in source
            if not is_file and parse_spec(source)[0] not in dict(available_strategies()):
                raise UsageError(f"'{source}' is neither a file nor installed: name a file or a package")
            yield validate(source, boards, say)
