"""Who plays the games of a tournament: this process, others on this machine, or a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from typing import Any, ParamSpec, Protocol, TypeVar

from games.errors import MissingRequirement, UsageError

ANSWER_WITHIN = 5.0  # seconds in which a Dask scheduler has to answer

P = ParamSpec("P")
T = TypeVar("T")


class Workers(Protocol):
    """Somebody who opens executors.

    `abreast` tasks can run at the same time. `lost` are the errors that say that a worker went away, not that
    the task went wrong; the executor is renewed after one of them.
    """

    @property
    def parallel(self) -> int:
        """How many tasks run at the same time."""

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """The errors of a task whose worker went away."""

    def open(self) -> Executor:
        """A fresh executor; whoever asks for it has it closed."""

    def replace(self, executor: Executor) -> Executor:
        """An executor to go on with after a worker was lost: this one, or a fresh one in its place."""

    def close(self, executor: Executor) -> None:
        """Take back what has not begun, and let the executor go."""


class InlineExecutor(Executor):
    """Runs each task at once, in this very thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The task, done. Raises what it raises when its result is asked for, but Ctrl+C at once."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it is the future that raises it
            future.set_exception(error)
        return future


class InlineWorkers:
    """One worker: this process."""

    parallel = 1
    lost: tuple[type[BaseException], ...] = ()

    def open(self) -> Executor:
        """An executor that runs each task when it is submitted."""
        return InlineExecutor()

    def replace(self, executor: Executor) -> Executor:
        """The same: this process is not lost."""
        return executor

    def close(self, executor: Executor) -> None:
        """Nothing is left to take back."""
        executor.shutdown()


class ProcessWorkers:
    """Worker processes on this machine."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, jobs: int) -> None:
        self.parallel = jobs

    def open(self) -> Executor:
        """A pool of fresh Python processes: nothing of this one is carried over but what a task names."""
        return ProcessPoolExecutor(self.parallel, get_context("spawn"), initializer=_begin_work)

    def replace(self, executor: Executor) -> Executor:
        """A new pool: when one process of a pool is lost, all of it is broken."""
        self.close(executor)
        return self.open()

    def close(self, executor: Executor) -> None:
        """Let the games that are being played come to their end; they are few."""
        executor.shutdown(cancel_futures=True)


class DaskWorkers:
    """The workers of a Dask cluster; `dask_workers` makes one."""

    def __init__(
        self, client: Any, address: str, abreast: int, lost: tuple[type[BaseException], ...]
    ) -> None:
        self._client = client
        self._address = address
        self.parallel = abreast
        self.lost = lost

    def open(self) -> Executor:
        """An executor of the cluster. A task is never taken for one before because its words are the same."""
        executor = self._client.get_executor(pure=False)
        assert isinstance(executor, Executor)
        return executor

    def replace(self, executor: Executor) -> Executor:
        """The same: a cluster goes on with the workers that it has left.

        Raises MachineLacks when it is gone.
        """
        if self._client.status != "running":
            raise MissingRequirement(
                f"the Dask cluster at {self._address} went away: "
                "start it, then run the same command again to go on"
            )
        return executor

    def close(self, executor: Executor) -> None:
        """Cancel whatever the cluster has not done."""
        executor.shutdown(wait=False)


@contextmanager
def dask_workers(address: str, within: float | None = None) -> Iterator[DaskWorkers]:
    """The workers of the Dask cluster at this address (`tcp://HOST:8786`).

    Raises MachineLacks when the package is missing, nobody answers within so many seconds (None: five), the
    cluster has no workers, or one of them has no Sapper; Usage for an address that is none.
    """
    try:
        distributed: Any = import_module("distributed")  # ships no types
    except ImportError as error:
        raise MissingRequirement(
            "--dask needs the package distributed: pip install 'sapper[dask]'"
        ) from error
    if not re.fullmatch(r"(tcp|tls|ws|wss|ucx)://[^\s/]+:\d{1,5}|inproc://\S+", address):
        raise UsageError(f"'{address}' is no Dask address: write one such as tcp://192.0.2.1:8786")
    within = ANSWER_WITHIN if within is None else within
    with _quiet("distributed", "distributed.client", "distributed.comm"):
        try:
            if not address.startswith("inproc://"):
                asyncio.run(_knock(address, within))
            client = distributed.Client(address, timeout=within, set_as_default=False)
        except Exception as error:
            raise MissingRequirement(
                f"no Dask scheduler answers at {address}: start one ('dask scheduler') or correct it"
            ) from error
        with client:
            threads = sum(client.nthreads().values())
            if not threads:
                raise MissingRequirement(
                    f"the Dask cluster at {address} has no workers: start one ('dask worker')"
                )
            try:
                client.run(_find_player)
            except Exception as error:
                raise MissingRequirement(
                    f"a worker of the Dask cluster at {address} has no Sapper to play with "
                    f"({type(error).__name__}): install the same one on every machine"
                ) from error
            yield DaskWorkers(client, address, threads, (distributed.KilledWorker, CancelledError))


def _find_player() -> None:
    """What every worker of a cluster must be able to do."""
    import_module("bot.simulation.tournament")


async def _knock(address: str, within: float) -> None:
    """Shake hands, and leave: a client that meets a stranger (a web server, say) does not close cleanly."""
    core: Any = import_module("distributed.comm.core")
    comm = await asyncio.wait_for(core.connect(address, timeout=within), within)
    await comm.close()


@contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """No log lines, with their tracebacks, of what becomes one line of our own."""
    levels = [(logger := logging.getLogger(name), logger.level) for name in names]
    for logger, _ in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in levels:
            logger.setLevel(level)


def _begin_work() -> None:
    """What a worker process does first: leave Ctrl+C to the process that started it, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
