"""What comes back: numbers, items, figures, verdicts."""
from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from . import _epicene
from .errors import UsageError
from .sharing import Sharing

Row = dict[str, Any]


# Options that change numbers and no verdict: `epicene items` refuses them.
_OF_NUMBERS = frozenset(
    ("seed", "bootstrap", "interval", "cluster", "convention", "mcnemar", "weight", "targets", "even", "clip_negative", "full_set_recall")
    + ("max_words", "min_words", "min_rows", "min_similarity", "position_bound")
)


class Table:
    """The tidy rows: benchmark, system, unit, group, metric, value, low, high, n, ideal, and where an interval knows its
    sample k, deff, n_eff. Anything that reads Arrow's C stream interface reads it: `polars.DataFrame(table)`,
    `pyarrow.table(table)`, DuckDB."""

    def __init__(self, results: _epicene.Results) -> None:
        self._results = results

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._results.__arrow_c_stream__(requested_schema)

    @cached_property
    def rows(self) -> list[Row]:
        return self._results.rows()

    @property
    def columns(self) -> list[str]:
        return list(self.rows[0]) if self.rows else []

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def pandas(self) -> Any:
        import pandas

        frame = pandas.DataFrame.from_records(self.rows, columns=self.columns or None)
        counts = [name for name in ("n", "k") if name in frame]
        numbers = [name for name in ("value", "low", "high", "ideal", "deff", "n_eff") if name in frame]
        return frame.astype({**dict.fromkeys(counts, "UInt64"), **dict.fromkeys(numbers, "float64")})

    def polars(self) -> Any:
        import polars

        return polars.DataFrame(self)

    def pyarrow(self) -> Any:
        import pyarrow

        return pyarrow.table(self)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        shown = self.rows[:50]
        body = "".join(
            "<tr>" + "".join(f"<td>{escape('' if cell is None else str(cell))}</td>" for cell in row.values()) + "</tr>"
            for row in shown
        )
        more = f"<p>… {len(self) - len(shown)} more rows</p>" if len(self) > len(shown) else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


@dataclass(frozen=True)
class Figure:
    name: str
    svg: str
    png: bytes

    def _repr_svg_(self) -> str:
        return self.svg


class Result(Sharing):
    """Measured numbers with their signature."""

    def __init__(self, results: _epicene.Results, path: Path | None = None, options: dict[str, Any] | None = None) -> None:
        self._results = results
        # The run directory; of a comparison there is none.
        self.path = path
        self._options = options or {}

    @property
    def signature(self) -> str:
        """What was asked of whom and how it was measured; numbers with the same signature can be compared."""
        return self._results.signature

    @property
    def warnings(self) -> list[str]:
        return self._results.warnings

    @property
    def notes(self) -> list[str]:
        return self._results.notes

    @property
    def rows(self) -> list[Row]:
        return self._table.rows

    @cached_property
    def _table(self) -> Table:
        return Table(self._results)

    def table(self, kind: str | None = None) -> Any:
        """The rows: a Table, or with `kind` a frame of pandas, polars or pyarrow."""
        if kind is None:
            return self._table
        if kind not in ("pandas", "polars", "pyarrow"):
            raise UsageError(f"`{kind}` is no kind of table", "known here: pandas, polars, pyarrow")
        return getattr(self._table, kind)()

    def value(self, metric: str, *, system: str | None = None, unit: str | None = None, group: str | None = None) -> Row:
        """The one row that these names leave."""
        wanted = {"metric": metric, "system": system, "unit": unit, "group": group}
        found = [row for row in self.rows if all(name is None or row[key] == name for key, name in wanted.items())]
        if len(found) == 1:
            return found[0]
        if not found:
            known = ", ".join(dict.fromkeys(row["metric"] for row in self.rows))
            raise UsageError(f"there is no such row ({metric})", f"metrics here: {known}")
        open_ = [key for key in ("system", "unit", "group") if len({row[key] for row in found}) > 1]
        raise UsageError(f"{len(found)} rows fit", f"say which {', '.join(open_)}")

    @cached_property
    def items(self) -> list[dict[str, Any]]:
        """Every answer with its text, verdict and the words that decided, as `epicene items` has it."""
        from .calls import _lines

        given = {name: value for name, value in self._options.items() if name not in _OF_NUMBERS}
        return _lines("items", [self._run("items")], given)

    def figures(self) -> list[Figure]:
        """Every figure the results have something for."""
        from .calls import _perform

        with tempfile.TemporaryDirectory() as directory:
            _perform("report", [self._run("figures")], {**self._options, "figures": directory})
            drawn = sorted(Path(directory).glob("*.svg"))
            return [Figure(svg.stem, svg.read_text("utf-8"), svg.with_suffix(".png").read_bytes()) for svg in drawn]

    def format(self, name: str = "table") -> str:
        """As the command line prints it: table, json, csv, md or latex."""
        return self._results.format(name)

    def fired(self, expression: str) -> list[str] | None:
        """The rows that make a gate hold (`epicene help gates`), in words; None where it does not hold."""
        return self._results.fired(expression)

    def _run(self, what: str) -> Path:
        if self.path is None:
            raise UsageError(f"a comparison has no {what} of its own", "ask the results of its runs")
        return self.path

    def __len__(self) -> int:
        return len(self._results)

    def __str__(self) -> str:
        return self.format("table")

    def __repr__(self) -> str:
        return f"<epicene.Result of {len(self)} rows: {self.signature}>"

    def _repr_html_(self) -> str:
        if self.path is not None and not self._options:
            return _epicene.cards(self.path)
        return f"<pre>{escape(str(self))}</pre>"


class Questions(list[dict[str, Any]]):
    """The questions of a benchmark, for whoever answers elsewhere; `measure(questions, answers, …)` measures them."""

    def __init__(self, header: dict[str, Any], questions: list[dict[str, Any]]) -> None:
        super().__init__(questions)
        self.header = header

    def lines(self) -> str:
        """As `epicene ask` writes them."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [self.header, *self])


@dataclass(frozen=True)
class Verdict:
    """What a text says of a person's gender: `m`, `f`, `u` unknown (and of `judge` `c` common, `n` neuter), the rule, and the
    words that decided with their first characters and the ones past their last."""

    verdict: str
    rule: str
    evidence: tuple[tuple[str, int, int], ...]
    text: str
    # Of `judge`: the words that stand for the person.
    linked: tuple[str, ...] = ()

    @classmethod
    def of(cls, line: dict[str, Any]) -> "Verdict":
        evidence = tuple((word["text"], word["start"], word["end"]) for word in line["evidence"])
        return cls(line["verdict"], line["rule"], evidence, line["text"], tuple(line.get("linked", ())))
