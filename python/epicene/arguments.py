"""From keyword arguments to the words of a command. Which options there are, the commands and the benchmarks' cards say."""
from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _epicene
from .errors import UsageError

# How results are printed is `Result.format`'s to say; where a line is one object, the library asks for it itself.
_NOT_HERE = {"format", "json"}
# Names of options before 0.3.
_BEFORE = {"judge": "detector", "mode": "detector"}


@functools.cache
def flags(command: str) -> dict[str, tuple[str, str, str, list[str]]]:
    """Keyword, and the flag's name, what it takes ("nothing", "one", "several"), its help and its values."""
    found = _epicene.flags(command)
    if found is None:
        raise UsageError(f"there is no command `{command}`")
    return {name.replace("-", "_"): (name, takes, help, values) for name, takes, help, values in found if name not in _NOT_HERE}


def words(command: str, positions: Iterable[Any], options: Mapping[str, Any], own: Iterable[str] = ()) -> list[str]:
    """The command line that means the same."""
    known = flags(command)
    line = ["epicene", *command.split()]
    positions = [os.fspath(word) for word in positions]
    # Options of a run are those of its benchmark, which therefore comes first.
    if command == "run" and positions and not positions[0].startswith("-"):
        line.append(positions.pop(0))
    for keyword, value in options.items():
        name = keyword.rstrip("_")
        name = name if name in known else _BEFORE.get(name, name)
        if name not in known:
            raise _unknown(command, keyword, known)
        if value is not None:
            line += _flag(keyword, *known[name][:2], value)
    # Behind `--` nothing is taken for an option.
    return [*line, *own, "--", *positions] if positions else [*line, *own]


def _flag(keyword: str, name: str, takes: str, value: Any) -> list[str]:
    if takes == "nothing":
        if not isinstance(value, bool):
            raise UsageError(f"{keyword} is True or False, not {value!r}")
        return [f"--{name}"] if value else []
    if isinstance(value, Mapping):
        values = [f"{role}={_word(keyword, one)}" for role, one in value.items()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        values = [_word(keyword, one) for one in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    else:
        values = [_word(keyword, value)]
    if takes == "one" and len(values) != 1:
        values = [",".join(values)]
    dashes = "-" if len(name) == 1 else "--"
    return [f"{dashes}{name}={one}" for one in values]


def _word(keyword: str, value: Any) -> str:
    if isinstance(value, bool):
        raise UsageError(f"{keyword} needs a value, not {value}")
    if isinstance(value, (str, os.PathLike)):
        word = os.fspath(value)
        return os.fsdecode(word) if isinstance(word, bytes) else word
    if isinstance(value, (int, float)):
        return repr(value)
    # NumPy's numbers and the like.
    if hasattr(value, "item"):
        return _word(keyword, value.item())
    raise UsageError(f"{keyword} is a text, a number or a list of them, not a {type(value).__name__}")


def _unknown(command: str, keyword: str, known: Iterable[str]) -> UsageError:
    known = sorted(known)
    near = difflib.get_close_matches(keyword, known, n=3)
    hint = f"did you mean {', '.join(near)}?" if near else f"options: {', '.join(known)}"
    return UsageError(f"{command}() has no option `{keyword}`", hint)
