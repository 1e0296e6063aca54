"""From a position on which something goes wrong to the smallest like it."""

from __future__ import annotations

from collections.abc import Callable

from strategies.testing.samples import Sample

Complaint = Callable[[Sample], str]  # what is wrong with a strategy on a sample; empty when nothing is
MOST_TRIES = 500  # samples that shrinking one counterexample may look at


def shrunk(sample: Sample, complaint: Complaint) -> tuple[Sample, str]:
    """The sample made smaller step by step while there is a complaint about it, and the last complaint.

    The smallest in the sense that no single step (a row, a column, a mine, a clue less) leaves a complaint.
    """
    said, tries = complaint(sample), 0
    is_smaller = True
    while is_smaller and tries < MOST_TRIES:
        is_smaller = False
        for simpler in sample.smaller():
            tries += 1
            if about := complaint(simpler):
                sample, said, is_smaller = simpler, about, True
                break
            if tries == MOST_TRIES:
                break
    return sample, said
