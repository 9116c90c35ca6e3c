"""Human labels that correct the numbers of a run, as `epicene audit` has them.

>>> import epicene
>>> result = epicene.run("gest", model="random:1", data="epicene-mini", bootstrap=100)  # doctest: +SKIP
>>> epicene.audit.sample(result, n=20, output="labels.csv")                             # doctest: +SKIP
>>> epicene.audit.read(result, "labels.csv")                                            # doctest: +SKIP
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .calls import RunLike, _path, _perform
from .results import Result, Text


def sample(
    run: RunLike, *, output: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], n: int = 300, **options: Any
) -> list[Path]:
    """Draws a sample of verdicts for people to label: a spreadsheet (.csv), a form that works offline (.html), or both."""
    outputs = [output] if isinstance(output, (str, os.PathLike)) else [*output]
    _perform("audit sample", [_path(run)], {"n": n, "output": outputs, **options})
    return [Path(one) for one in outputs]


def read(run: RunLike, *labels: str | os.PathLike[str], **options: Any) -> Result | Text:
    """Reads the labels back: how good the detector is, and every number corrected."""
    done = _perform("audit read", [_path(run), *labels], options)
    return Result(done.results[0]) if done.results else Text.of(done.output)
