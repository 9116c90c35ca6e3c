"""The functions of the package. Each is a command with its results as Python objects."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .arguments import flags, words
from .errors import GateFailed, UsageError
from .performing import Done, perform
from .results import Questions, Result, Text, Verdict
from .signatures import typed
from .systems import as_systems

Progress = bool | Callable[[int, int, str], None] | None
RunLike = str | os.PathLike[str] | Result

# Options that choose how results are measured, not what is measured or where it goes.
_NOT_MEASURING = {"figures", "output_file", "title", "unresolved", "author_files", "fail_if", "allow_partial", "junit"}


def run(
    benchmark: str,
    *,
    model: str | Sequence[str] | None = None,
    mt: str | Sequence[str] | Mapping[str, str] | None = None,
    system: Any = None,
    kind: str | None = None,
    name: str | None = None,
    revision: str | None = None,
    batch_size: int | None = None,
    tokenizer: Any = None,
    progress: Progress = None,
    **options: Any,
) -> Result:
    """Measures systems with a benchmark, as `epicene run` does: asks what has no answer yet, stores every answer in a run
    directory, measures.

    model: `demo:mlm`, `dir:PATH`, `hf:ORG/NAME`, `file:PATH`…, one or several. mt: translators, with `lang=`; a dict names them.
    system: a function of questions, a `transformers` model (with `tokenizer=`), a vLLM `LLM`, an `epicene.System`, several in a
    list, or a dict by name. kind, name, revision, batch_size: what `epicene.System` says of them.
    options: every option of `epicene run`, with `_` for `-`; `epicene.options("run gest")` lists those of a benchmark. With
    `fail_if=` a check that fails raises GateFailed.

    >>> import epicene
    >>> result = epicene.run("gest", model=["demo:mlm", "random:1"], data="epicene-mini", bootstrap=100)
    >>> result.value("g_s", system="demo:mlm", unit="all", group="all")["ideal"]
    1.0
    """
    systems = []
    if system is not None:
        systems = as_systems(system, kind, tokenizer, name=name, revision=revision, batch_size=batch_size)
        # A function may have changed under its name: without a revision nothing of an earlier run is believed.
        if any(one.revision is None for one in systems):
            options.setdefault("fresh", True)
    elif kind is not None:
        options["kind"] = kind
    if options.get("shard") is not None:
        raise UsageError("a shard is not measured on its own", "run shards with the command `epicene run --shard`")
    done = _perform("run", [benchmark], {"model": model, "mt": mt, **options}, systems=systems, progress=progress)
    result = Result(done.results[0], done.run)
    return _gated(done, result, options.get("fail_if"))


def questions(benchmark: str, *, kind: str, **options: Any) -> Questions:
    """The questions a benchmark asks of a kind of system (masked, causal, translator, chat), to be answered by another program.

    >>> asked = epicene.questions("gest", kind="masked", data="epicene-mini", limit=2)
    >>> asked[0]["task"]
    'masked-pair'
    """
    # The command calls translators `mt`.
    lines = _lines("export-questions", [benchmark], {"kind": "mt" if kind == "translator" else kind, **options})
    return Questions(lines[0], lines[1:])


def measure(
    run: RunLike | Questions,
    answers: Mapping[str, Any] | Sequence[Any] | None = None,
    *,
    system: str | None = None,
    source: str | None = None,
    out: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Result:
    """Measures a run again, with other options of its benchmark if you like; no system is called.

    Or measures answers to `questions(…)`: one for each in their order, or a dict by the questions' ids. They are imported
    into the run directory `out` in the name of `system`.

    >>> again = epicene.measure(result, convention="true")
    >>> "convention:true" in again.signature
    True
    """
    if isinstance(run, Questions):
        if answers is None or system is None or out is None:
            raise UsageError("answers to questions need a system's name and a run directory", "measure(questions, answers, system=…, out=…)")
        _tell(run, answers, system, source, out)
        run = out
    elif answers is not None:
        raise UsageError("answers belong to questions", "measure(questions(…), answers, system=…, out=…)")
    path = _path(run)
    done = _perform("report", [path], options)
    result = Result(done.results[0], path, {key: value for key, value in options.items() if key not in _NOT_MEASURING})
    return _gated(done, result, options.get("fail_if"))


def _tell(asked: Questions, answers: Any, system: str, source: str | None, out: Any) -> None:
    if isinstance(answers, Mapping):
        pairs = [*answers.items()]
    else:
        if len(answers) != len(asked):
            raise UsageError(f"there are {len(asked)} questions and {len(answers)} answers")
        pairs = [(question["id"], answer) for question, answer in zip(asked, answers)]
    from .systems import _plain

    lines = [json.dumps(asked.header)]
    lines += [json.dumps({"id": id, "answer": answer}, default=_plain, allow_nan=False) for id, answer in pairs]
    _perform("import-answers", [out], {"system": system, "source": source}, input="\n".join(lines).encode())


def compare(*runs: RunLike, **options: Any) -> Result:
    """Paired tests between systems on the same items, second minus first: of one run or several.

    >>> compared = epicene.compare(result, systems=["demo:mlm", "random:1"], rounds=200)
    >>> compared.value("delta_g_s", unit="all", group="all")["value"] < 0
    True
    """
    done = _perform("compare", [_path(run) for run in runs], options)
    return _gated(done, Result(done.results[0]), options.get("fail_if"))


def report(*runs: RunLike, output: str | os.PathLike[str], **options: Any) -> Path:
    """Writes finished runs: a report with figures and every item (.html), or .txt, .json, .csv, .md, .tex.

    >>> epicene.report(result, output="report.html").name
    'report.html'
    """
    _perform("report", [_path(run) for run in runs], {"output_file": output, **options})
    return Path(output)


def detect(texts: str | Iterable[str], *, lang: str, **options: Any) -> Any:
    """Which gender a text gives to its "I", with its evidence. One text gives one Verdict, several a list.

    >>> epicene.detect("Bola som rada.", lang="sk").verdict
    'f'
    """
    if isinstance(texts, str):
        return detect([texts], lang=lang, **options)[0]
    given = [*texts]
    lines = _lines("gender", [], {"lang": lang, **options}, input=_joined(given), json_flag=True)
    return _as_given(lines, given)


def judge(
    pairs: Iterable[tuple[str, str | int, str]] | Iterable[str],
    *,
    lang: str,
    person: str | None = None,
    **options: Any,
) -> list[Verdict]:
    """Which gender a translation gives to a person: triples of source, English noun (or its index among the words) and
    translation. With `person=` every text is a translation with this word.

    >>> epicene.judge([("The nurse slept.", "nurse", "Die Krankenschwester schlief.")], lang="de")[0].verdict
    'f'
    """
    given = [*pairs]
    if person is not None:
        texts = [str(text) for text in given]
        lines = _lines("gender", [], {"lang": lang, "word": person, **options}, input=_joined(texts), json_flag=True)
        return _as_given(lines, texts)
    triples = [tuple(str(part) for part in triple) for triple in given]
    for triple in triples:
        if len(triple) != 3 or any("\t" in part for part in triple):
            raise UsageError(f"{triple!r} is not source, word, translation without tabs")
    texts = ["\t".join(triple) for triple in triples]
    lines = _lines("gender", [], {"lang": lang, "table": True, **options}, input=_joined(texts), json_flag=True)
    return _as_given(lines, [triple[2] for triple in triples])


def list_(what: str = "benchmarks") -> Text:
    """What there is, as `epicene list` prints it: benchmarks, languages, translators, published results, data sets.

    >>> "winomt" in epicene.list("benchmarks")
    True
    """
    return Text.of(_perform("list", [what], {}).output)


def options(command: str = "run") -> dict[str, str]:
    """The options of a command, with what they mean.

    >>> "bootstrap" in epicene.options("run gest")
    True
    """
    return {keyword: help for keyword, (_, _, help, _) in flags(command).items()}


def _joined(texts: Sequence[str]) -> bytes:
    for text in texts:
        if not isinstance(text, str):
            raise UsageError(f"a {type(text).__name__} is no text")
        if "\n" in text or "\r" in text:
            raise UsageError(f"a text is one line: {text[:60]!r}", "join its lines with spaces, or read them one by one")
    return "".join(text + "\n" for text in texts).encode("utf-8")


def _as_given(lines: list[dict[str, Any]], texts: Sequence[str]) -> list[Verdict]:
    if len(lines) != len(texts):
        raise UsageError(f"{len(texts)} texts gave {len(lines)} verdicts")
    return [Verdict.of(line) for line in lines]


def _path(run: RunLike) -> Path:
    if isinstance(run, Result):
        if run.path is None:
            raise UsageError("a comparison is no run")
        return run.path
    return Path(run)


def _gated(done: Done, result: Result, expression: Any) -> Result:
    if done.gate_failed:
        raise GateFailed(str(expression), [*result.check(str(expression)).lines], result)
    return result


def _perform(
    command: str,
    positions: Iterable[Any],
    given: Mapping[str, Any],
    *,
    own: Iterable[str] = (),
    input: bytes | None = None,
    **more: Any,
) -> Done:
    return perform(words(command, positions, given, own), input=input, **more)


def _lines(
    command: str, positions: Iterable[Any], given: Mapping[str, Any], *, input: bytes | None = None, json_flag: bool = False
) -> list[dict[str, Any]]:
    done = _perform(command, positions, given, own=["--json"] if json_flag else [], input=input)
    return [json.loads(line) for line in done.output.splitlines()]


# Completion of keyword arguments, in notebooks too. `calls.pyi` has the same for editors.
for _function, _command in ((run, "run"), (measure, "report"), (compare, "compare"), (report, "report"), (detect, "gender"), (judge, "gender")):
    typed(_function, _command)
