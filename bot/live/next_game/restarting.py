"""The next game on a program that nobody described: ways in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.live.finding import Seen
from bot.live.next_game.fresh import has_begun, is_fresh, is_hidden
from bot.live.next_game.trying import HELP, Desk, Trial
from bot.live.next_game.ways import KnownWays, Way
from games.errors import Unplayable
from games.minesweeper import Board

KEYS = ("f2", "n", "r")  # Windows' own way; puzzles; what games in a window of pygame say
PAGE_KEYS = ("f5",)  # of a browser: some pages begin with a choice of level
LAST_KEYS = ("space", "enter", "ctrl+n")  # "press any key"; of menus: some ask for a size first
ANSWERS = ("enter", "space")  # what presses the button that a dialog offers
MOST_PLACES, MOST_LETTERS = 6, 3  # with a border, and without, that are clicked on
MOST_DIALOGS = 4  # one after another


@dataclass
class Restarter:
    """Asks for fresh boards at a `desk`, and remembers in `known` what worked.

    First what a dialog offers; then what worked before; then keys, what looks like a button, and what looks
    like a menu, the cheapest and the least that can go wrong first.
    """

    desk: Desk
    known: KnownWays = field(default_factory=KnownWays)

    def next_board(self, before: Seen, last: Board) -> Seen:
        """A fresh board after a game that began on the board `before` and showed `last` when it ended.

        Raises Unplayable when nothing brings one up, and ProgramGone.
        """
        seen = self._next_board(before, last)
        self.desk.begins(seen)
        return seen

    def _next_board(self, before: Seen, last: Board) -> Seen:
        self.desk.put_menus_away()
        trial = Trial(self.desk, before)
        ended = trial.look()
        if is_hidden(ended, before) and self.desk.dialog() is None:  # by a message in its own window
            self.desk.act(Way("key", ANSWERS[0]))
            ended = trial.look()
        if self.desk.dialog() is None and ended is not None and has_begun(ended, last, before):
            return ended
        remembered = self.known.of(self.desk.program)
        fresh = self._answer_dialogs(trial, before, remembered[:1])
        if fresh is not None:
            return fresh
        ended = trial.look()
        trial.ended = None if is_hidden(ended, before) else ended
        paths = [remembered] if remembered and remembered[0].kind != "dialog" else []
        for path in paths:
            fresh = trial.repeat(path)
            if fresh is not None:
                return self._begun_by(trial, fresh)
        for way in self._ways(trial):
            if (way,) in paths or trial.is_spoiled(way):
                continue
            fresh = trial.of((way,))
            if fresh is not None:
                return self._begun_by(trial, fresh)
        late = trial.look()  # what the last one did may have taken longer
        if late is not None and trial.has_begun(late):
            return late
        keys = ", ".join((*KEYS, *PAGE_KEYS, *LAST_KEYS))
        raise Unplayable(f"neither the keys {keys} nor what looks like a button starts a game here: {HELP}")

    def _begun_by(self, trial: Trial, fresh: Seen) -> Seen:
        self.known.keep(self.desk.program, trial.worked)
        return fresh

    def _ways(self, trial: Trial) -> Iterator[Way]:
        """Ways that are tried one by one."""
        yield from _keys(KEYS)
        yield from self._places(trial, MOST_PLACES, lambda way: way.width > 0)
        yield from _keys(PAGE_KEYS)
        yield from self._places(trial, MOST_LETTERS, lambda way: not way.width)
        yield from _keys(LAST_KEYS)

    def _places(self, trial: Trial, most: int, counts: Callable[[Way], bool]) -> Iterator[Way]:
        """So many places, the likeliest first; they are looked for again each time."""
        tried: list[Way] = []
        while len(tried) < most:
            places = self.desk.places(trial.ended is None)
            news = (way for way in places if counts(way) and not any(way.is_like(other) for other in tried))
            way = next(news, None)
            if way is None:
                return
            tried.append(way)
            if way.side != "over" or trial.ended is None:  # a cell lies there, and no message
                yield way

    def _answer_dialogs(self, trial: Trial, before: Seen, remembered: Sequence[Way]) -> Seen | None:
        """What dialogs offer is taken; a fresh board if that brings one up."""
        first = [way for way in remembered if way.kind == "dialog"]
        answers = [*first, *(way for key in ANSWERS if (way := Way("dialog", key)) not in first)]
        for _ in range(MOST_DIALOGS):
            dialog = self.desk.dialog()
            if dialog is None:
                return None
            worked = self._answer(trial, dialog, answers)
            seen = trial.look()
            if seen is not None and self.desk.dialog() is None and is_fresh(seen, before):
                if worked is not None:
                    self.known.keep(self.desk.program, (worked,))
                return seen
            if worked is None:
                raise Unplayable(f"a dialog of the program does not go away: {HELP}")
        raise Unplayable(f"the program opens one dialog after another: {HELP}")

    def _answer(self, trial: Trial, dialog: int, answers: Sequence[Way]) -> Way | None:
        """Make a dialog go away: its own key, its buttons, Escape. What did it, None for nothing."""
        for way in answers:
            self.desk.answer(dialog, way.key)
            if self.desk.dialog() != dialog:
                return way
        for number in range(min(self.desk.choices(dialog), 2)):
            self.desk.choose(dialog, number)
            if self.desk.dialog() != dialog:
                return answers[0]
        return Way("dialog", "escape") if trial.is_put_away(dialog) else None


def _keys(names: Sequence[str]) -> Iterator[Way]:
    return (Way("key", name) for name in names)
