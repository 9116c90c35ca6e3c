"""A command from its words to its end: on a thread of its own, while this one shows progress, answers for Python systems and
listens for Ctrl-C."""
from __future__ import annotations

import atexit
import logging
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from . import _epicene, progress as bars
from .errors import EpiceneWarning, Stopped
from .systems import System

LOG = logging.getLogger("epicene")
# Seconds between two looks at signals and progress.
STEP = 0.05

atexit.register(_epicene.abandon)


class Done(NamedTuple):
    gate_failed: bool
    output: bytes
    results: list[Any]
    run: Path | None
    # What the command line would say on standard error, notes apart.
    words: list[str]


def perform(
    words: Sequence[str],
    *,
    input: bytes | None = None,
    systems: Sequence[System] = (),
    progress: bool | Callable[[int, int, str], None] | None = False,
) -> Done:
    call = _epicene.Call(list(words), input, [system.described() for system in systems])
    bar = bars.choose(progress)
    said: list[str] = []
    try:
        broken = _listen(call, systems, bar, said)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_stop(call)) from None
    finally:
        bar.close()
    try:
        gate_failed, output, results, run = call.finish()
    except Exception:
        # What a Python system raised is the cause, not what became of it.
        if broken is not None:
            raise broken
        raise
    return Done(gate_failed, output, results, Path(run) if run is not None else None, said)


def _listen(call: Any, systems: Sequence[System], bar: bars.Bar, said: list[str]) -> Exception | None:
    broken: Exception | None = None
    over = False
    while not over:
        event = call.wait(STEP)
        if event is not None:
            number, questions = event
            over = number < 0
            if not over:
                try:
                    call.answer(answers=systems[number].answer(questions))
                except Exception as error:  # whatever a model raises reaches whoever called
                    broken = error
                    call.answer(problem=f"{type(error).__name__}: {error}")
        for kind, text in call.news():
            if kind == "warning":
                warnings.warn(text, EpiceneWarning, stacklevel=5)
            elif kind == "word":
                said.append(text)
                LOG.warning(text)
            else:
                LOG.info(text)
        state = call.progress()
        if state is not None:
            bar.update(*state)
    return broken


def _stop(call: Any) -> str:
    """Lets the command end at its next step; a second Ctrl-C, or one where there is no step, does not wait."""
    if not call.stop():
        return "stopped"
    LOG.warning("finishing what is under way; press Ctrl-C again to stop immediately")
    while True:
        event = call.wait(STEP)
        if event is None:
            continue
        if event[0] < 0:
            break
        call.answer(problem="stopped")
    try:
        call.finish()
    except Stopped as stopped:
        return str(stopped)
    except Exception as error:
        return f"stopped: {error}"
    return "stopped at the very end"
