"""Workers for the games of a tournament: this process, local processes, or a Dask cluster."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context, parent_process
from typing import Any, ParamSpec, TypeVar

from games.errors import MissingRequirement, UsageError

ANSWER_WITHIN = 5.0  # seconds; timeout for a Dask scheduler

P = ParamSpec("P")
T = TypeVar("T")


class Workers(ABC):
    """Opens executors, and replaces them after a worker was lost.

    `parallel` is the number of tasks that run at the same time. `lost` are the errors of a task whose worker
    was lost, as opposed to errors of the task itself.
    """

    parallel = 1
    lost: tuple[type[BaseException], ...] = ()

    @abstractmethod
    def open(self) -> Executor:
        """Open an executor; the caller passes it to `close`."""

    def replace(self, executor: Executor) -> Executor:
        """Return the executor to use after a worker was lost: this one, or a new one."""
        return executor

    def close(self, executor: Executor) -> None:
        """Cancel waiting tasks and close the executor."""
        executor.shutdown(cancel_futures=True)


class InlineExecutor(Executor):
    """Runs each task immediately, in the calling thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the task. Its exception is raised by the future, but Ctrl+C immediately."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the future raises it
            future.set_exception(error)
        return future


class InlineWorkers(Workers):
    """One worker: this process."""

    def open(self) -> Executor:
        """Open an executor that runs each task on submission."""
        return InlineExecutor()


class ProcessWorkers(Workers):
    """Worker processes on this machine."""

    lost = (BrokenExecutor,)

    def __init__(self, jobs: int) -> None:
        self.parallel = jobs

    def open(self) -> Executor:
        """Start a pool of fresh Python processes, which inherit nothing from this one."""
        return ProcessPoolExecutor(self.parallel, get_context("spawn"), initializer=_begin_work)

    def replace(self, executor: Executor) -> Executor:
        """Start a new pool: one lost process breaks the whole pool."""
        self.close(executor)
        return self.open()


@dataclass
class DaskWorkers(Workers):
    """The workers of a Dask cluster; created by `dask_workers`."""

    client: Any
    address: str
    parallel: int
    lost: tuple[type[BaseException], ...]

    def open(self) -> Executor:
        """Open an executor of the cluster that never reuses the result of an equal task."""
        executor = self.client.get_executor(pure=False)
        assert isinstance(executor, Executor)
        return executor

    def replace(self, executor: Executor) -> Executor:
        """Continue with the remaining workers. Raises MissingRequirement if the cluster is gone."""
        if self.client.status != "running":
            raise MissingRequirement(
                f"the Dask cluster at {self.address} went away: "
                "start it, then run the same command again to continue"
            )
        return executor

    def close(self, executor: Executor) -> None:
        """Cancel all unfinished tasks."""
        executor.shutdown(wait=False)


@contextmanager
def dask_workers(address: str) -> Iterator[DaskWorkers]:
    """Connect to the workers of the Dask cluster at this address (`tcp://HOST:8786`).

    Raises MissingRequirement if the package is missing, no scheduler answers, the cluster has no workers,
    or a worker has no Sapper; UsageError for an invalid address.
    """
    try:
        distributed: Any = import_module("distributed")  # ships no types
    except ImportError as error:
        raise MissingRequirement(
            "--dask requires the package distributed: pip install distributed"
        ) from error
    if not re.fullmatch(r"(tcp|tls|ws|wss|ucx)://[^\s/]+:\d{1,5}|inproc://\S+", address):
        raise UsageError(f"'{address}' is not a Dask address: use one such as tcp://192.0.2.1:8786")
    with _quiet("distributed", "distributed.client", "distributed.comm"):
        try:
            if not address.startswith("inproc://"):
                asyncio.run(_handshake(address))
            client = distributed.Client(address, timeout=ANSWER_WITHIN, set_as_default=False)
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
                client.run(_check_player)
            except Exception as error:
                raise MissingRequirement(
                    f"a worker of the Dask cluster at {address} cannot import Sapper "
                    f"({type(error).__name__}): install the same version on every machine"
                ) from error
            yield DaskWorkers(client, address, threads, (distributed.KilledWorker, CancelledError))


def _check_player() -> None:
    import_module("bot.simulation.tournament")


async def _handshake(address: str) -> None:
    """Check for a Dask scheduler first: a client does not close cleanly after meeting another server."""
    core: Any = import_module("distributed.comm.core")
    comm = await asyncio.wait_for(core.connect(address, timeout=ANSWER_WITHIN), ANSWER_WITHIN)
    await comm.close()


@contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """Suppress the log output of errors that Sapper reports in one line."""
    levels = [(logger := logging.getLogger(name), logger.level) for name in names]
    for logger, _ in levels:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in levels:
            logger.setLevel(level)


def _begin_work() -> None:
    """Initialize a worker process: leave Ctrl+C to the parent process, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
