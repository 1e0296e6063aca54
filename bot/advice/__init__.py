"""What can be said to a person about a board: what is certain and why, and what is risky."""

from bot.advice.advising import Advice, Adviser
from bot.advice.explaining import Explainer, Lesson, ProvenCell, Verdict
from bot.advice.marks import Mark, Pointed

__all__ = ["Advice", "Adviser", "Explainer", "Lesson", "Mark", "Pointed", "ProvenCell", "Verdict"]
