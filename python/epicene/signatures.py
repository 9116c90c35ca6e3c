"""Keyword arguments as the commands and the benchmarks' cards declare them: completion while a notebook runs, and the stub
`calls.pyi` for editors. `python -m epicene.signatures FILE` writes the stub; a test compares it."""
from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _epicene
from .arguments import flags

# What a function gives its command by itself.
_OWN = {"report": {"output_file"}, "gender": {"json", "lang", "word", "table", "speaker"}}

def typed(function: Callable[..., Any], command: str) -> None:
    """Gives a function the signature with all options of its command, which it takes as keywords."""
    own = inspect.signature(function)
    parameters = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    for keyword in _more(command, own.parameters):
        parameters.append(inspect.Parameter(keyword, inspect.Parameter.KEYWORD_ONLY, default=None))
    function.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]

def _more(command: str, own: Any) -> list[str]:
    left_out = _OWN.get(command, set())
    return [keyword for keyword in flags(command) if keyword not in own and keyword not in left_out and keyword.isidentifier()]

def _type(takes: str, values: list[str]) -> str:
    if takes == "nothing":
        return "bool | None"
    one = f"Literal[{', '.join(repr(value) for value in values)}]" if values else "Value"
    return f"{one} | Sequence[{one}] | Mapping[str, Value] | None" if takes == "several" else f"{one} | Sequence[Value] | None"

def _keywords(command: str, own: Any) -> str:
    known = flags(command)
    lines = (f"    {keyword}: {_type(*known[keyword][1::2])} = None,\n" for keyword in _more(command, own))
    return "".join(lines)

def stub() -> str:
    """The stub of `calls.py`."""

    run = (
        "    model: str | Sequence[str] | None = None,\n"
        "    mt: str | Sequence[str] | Mapping[str, str] | None = None,\n"
        "    system: Any = None,\n"
        "    kind: str | None = None,\n"
        "    name: str | None = None,\n"
        "    revision: str | None = None,\n"
        "    batch_size: int | None = None,\n"
        "    tokenizer: Any = None,\n"
        "    progress: Progress = None,\n"
    )
    own = {"model", "mt", "system", "kind", "name", "revision", "batch_size", "tokenizer", "progress"}
    text = (
        "# Written by `python -m epicene.signatures`; do not edit.\n"
        "from collections.abc import Callable, Iterable, Mapping, Sequence\n"
        "from os import PathLike\n"
        "from pathlib import Path\n"
        "from typing import Any, Literal, overload\n\n"
        "from .performing import Done\n"
        "from .results import Questions, Result, Text, Verdict\n\n"
        "Progress = bool | Callable[[int, int, str], None] | None\n"
        "RunLike = str | PathLike[str] | Result\n"
        "Value = str | int | float | PathLike[str]\n\n"
    )
    for benchmark in _epicene.benchmarks():
        text += f"@overload\ndef run(\n    benchmark: Literal[{benchmark!r}],\n    *,\n{run}{_keywords('run ' + benchmark, own)}) -> Result: ...\n"
    text += f"def questions(benchmark: str, *, kind: str, {_ANY}) -> Questions: ...\n"
    given = "answers: Mapping[str, Any] | Sequence[Any] | None = None"
    text += (
        f"def measure(\n    run: RunLike | Questions,\n    {given},\n    *,\n    system: str | None = None,\n    source: str | None = None,\n"
        f"    out: str | PathLike[str] | None = None,\n{_keywords('report', {'system', 'source', 'out'})}) -> Result: ...\n"
    )
    text += f"def compare(\n    *runs: RunLike,\n{_keywords('compare', ())}) -> Result: ...\n"
    text += f"def report(\n    *runs: RunLike,\n    output: str | PathLike[str],\n{_keywords('report', {'output'})}) -> Path: ...\n"
    gender = _keywords("gender", ())
    text += f"@overload\ndef detect(\n    texts: str,\n    *,\n    lang: str,\n{gender}) -> Verdict: ...\n"
    text += f"@overload\ndef detect(\n    texts: Iterable[str],\n    *,\n    lang: str,\n{gender}) -> list[Verdict]: ...\n"
    text += (
        "def judge(\n    pairs: Iterable[tuple[str, str | int, str]] | Iterable[str],\n    *,\n    lang: str,\n"
        f"    person: str | None = None,\n{gender}) -> list[Verdict]: ...\n"
    )
    text += "def list_(what: str = 'benchmarks') -> Text: ...\ndef options(command: str = 'run') -> dict[str, str]: ...\n"
    text += (
        "def _path(run: RunLike) -> Path: ...\n"
        "def _perform(command: str, positions: Iterable[Any], given: Mapping[str, Any], **more: Any) -> Done: ...\n"
        "def _lines(command: str, positions: Iterable[Any], given: Mapping[str, Any], **more: Any) -> list[dict[str, Any]]: ...\n"
    )

    return text

_ANY = "**options: Any"

if __name__ == "__main__":
    Path(sys.argv[1]).write_text(stub(), "utf-8")
