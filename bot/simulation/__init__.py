"""Games without a screen: simulated boards, tournaments on many processes, exact values of small boards."""

from bot.simulation.bench import Summary, play_course
from bot.simulation.boards import Course, board_of, start_on
from bot.simulation.exact import exact_value
from bot.simulation.generating import Generated, Range, Wanted, generate
from bot.simulation.intervals import Paired, Rate, win_rate
from bot.simulation.lineup import Lineup, is_path
from bot.simulation.results import read_run, read_wins
from bot.simulation.simulated import Opening, Promise, play_game
from bot.simulation.workers import Processes, ThisProcess, Workers, dask_workers

__all__ = [
    "Course",
    "Generated",
    "Lineup",
    "Opening",
    "Paired",
    "Processes",
    "Promise",
    "Range",
    "Rate",
    "Summary",
    "ThisProcess",
    "Wanted",
    "Workers",
    "board_of",
    "dask_workers",
    "exact_value",
    "generate",
    "is_path",
    "play_course",
    "play_game",
    "read_run",
    "read_wins",
    "start_on",
    "win_rate",
]
