"""What comes back: numbers, items, figures, verdicts."""
from __future__ import annotations

import json
import os
import tempfile
import warnings
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

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        import pandas

        frame = pandas.DataFrame.from_records(self.rows, columns=self.columns or None)
        counts = [name for name in ("n", "k") if name in frame]
        numbers = [name for name in ("value", "low", "high", "ideal", "deff", "n_eff") if name in frame]
        return frame.astype({**dict.fromkeys(counts, "UInt64"), **dict.fromkeys(numbers, "float64")})

    def to_polars(self) -> Any:
        """A polars.DataFrame."""
        import polars

        return polars.DataFrame(self)

    def to_pyarrow(self) -> Any:
        """A pyarrow.Table."""
        import pyarrow

        return pyarrow.table(self)

    # Their names before 0.3.
    pandas, polars, pyarrow = to_pandas, to_polars, to_pyarrow

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
    """A figure. A notebook draws it; `save` writes it."""

    name: str
    svg: str
    png: bytes

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the figure to a file that ends in .svg or .png."""
        path = Path(path)
        if path.suffix not in (".svg", ".png"):
            raise UsageError(f"{path}: a figure is .svg or .png")
        path.write_bytes(self.svg.encode() if path.suffix == ".svg" else self.png)
        return path

    def __repr__(self) -> str:
        return f"<epicene.Figure {self.name}>"

    def _repr_svg_(self) -> str:
        return self.svg


class Figures(list[Figure]):
    """Figures. A notebook draws all of them; `figures["gest-ranking"]` is one by its name."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            found = [figure for figure in self if figure.name == key]
            if not found:
                raise UsageError(f"there is no figure `{key}`", "figures: " + ", ".join(figure.name for figure in self))
            return found[0]
        return super().__getitem__(key)

    def _repr_html_(self) -> str:
        return "".join(f"<figure>{figure.svg}</figure>" for figure in self)


@dataclass(frozen=True)
class Check:
    """Whether a check passes, with what it says of the rows: `FAIL g_s 1.31 [1.24, 1.38] > 1.2 (demo:mlm)`. True if it passes."""

    expression: str
    passed: bool
    lines: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return "\n".join(f"{'PASS' if self.passed else 'FAIL'} {line}" for line in self.lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


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
            raise UsageError(f"`{kind}` is no kind of table", "kinds: pandas, polars, pyarrow")
        return getattr(self._table, f"to_{kind}")()

    def to_pandas(self) -> Any:
        """The rows as a pandas.DataFrame.

        >>> result = epicene.run("gest", model="random:1", data="epicene-mini")  # doctest: +SKIP
        >>> result.to_pandas().query("metric == 'g_s'")                           # doctest: +SKIP
        """
        return self._table.to_pandas()

    def to_polars(self) -> Any:
        """The rows as a polars.DataFrame."""
        return self._table.to_polars()

    def to_pyarrow(self) -> Any:
        """The rows as a pyarrow.Table."""
        return self._table.to_pyarrow()

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
        """Every answer with its text, verdict and evidence, as `epicene report --items` has it."""
        from .calls import _lines

        given = {name: value for name, value in self._options.items() if name not in _OF_NUMBERS}
        return _lines("report", [self._run("items")], {**given, "items": True})

    def figures(self) -> Figures:
        """Every figure the results have something for. A notebook draws them.

        >>> figures = result.figures()
        >>> len(figures) > 0
        True
        """
        from .calls import _perform

        with tempfile.TemporaryDirectory() as directory:
            _perform("report", [self._run("figures")], {**self._options, "figures": directory})
            drawn = sorted(Path(directory).glob("*.svg"))
            made = (Figure(svg.stem, svg.read_text("utf-8"), svg.with_suffix(".png").read_bytes()) for svg in drawn)
            return Figures(made)

    def format(self, name: str = "table") -> str:
        """As the command line prints it: table, json, csv, md or latex."""
        return self._results.format(name)

    def check(self, expression: str) -> Check:
        """Whether the results pass a check: it fails where the expression is true (`epicene help checks`).

        >>> bool(result.check("g_s > 5"))
        True
        >>> print(result.check("g_s > 0.2"))  # doctest: +ELLIPSIS
        FAIL g_s ...
        """
        passed, lines = self._results.check(expression)
        return Check(expression, passed, tuple(lines))

    def fired(self, expression: str) -> list[str] | None:
        """The name of `check` before 0.3: the rows that fail, or None."""
        warnings.warn("`fired` is now `check`; the old name will be removed in version 0.4", DeprecationWarning, stacklevel=2)
        check = self.check(expression)
        return None if check else list(check.lines)

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


class Text(str):
    """What a command prints."""

    @classmethod
    def of(cls, output: bytes) -> "Text":
        return cls(output.decode("utf-8"))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class Questions(list[dict[str, Any]]):
    """The questions of a benchmark, to be answered by another program; `measure(questions, answers, …)` measures them."""

    def __init__(self, header: dict[str, Any], questions: list[dict[str, Any]]) -> None:
        super().__init__(questions)
        self.header = header

    def lines(self) -> str:
        """As `epicene export-questions` writes them."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [self.header, *self])


@dataclass(frozen=True)
class Verdict:
    """What a text says of a person's gender: `m`, `f`, `u` unknown (and of `judge` `c` common, `n` neuter), the rule, and the
    evidence: words with their first characters and the ones past their last."""

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
