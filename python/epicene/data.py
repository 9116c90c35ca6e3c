"""Data sets, as `epicene data` has them.

>>> import epicene
>>> "gest" in epicene.data.list()
True
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from .calls import _perform
from .results import Text


def pull(name: str, **options: Any) -> Path:
    """Downloads a data set and says where it is: `pull("gest")`. What is in the cache is not downloaded again."""
    _perform("data pull", [name], options)
    return path(name)


def list() -> Text:
    """The data sets with licence and content."""
    return Text.of(_perform("data list", [], {}).output)


def verify(name: str) -> Text:
    """Checks the cached files of a data set against their checksums."""
    return Text.of(_perform("data verify", [name], {}).output)


def path(name: str) -> Path:
    """Where the cache has a data set."""
    return Path(_perform("data path", [name], {}).output.decode("utf-8").strip())
