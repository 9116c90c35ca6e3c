"""Systems that are Python objects: a function, a `transformers` model, a vLLM `LLM`."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import UsageError

Question = dict[str, Any]
Scorer = Callable[[list[Question]], Sequence[Any]]

KINDS = ("masked", "causal", "translator", "chat")


class System:
    """Somebody who answers questions.

    `scorer` gets a list of questions (dicts as `epicene ask` writes them) and gives as many answers, in their order: a number
    (log10 P(masculine)/P(feminine)) for masked-pair and next-word, a list of likelihoods, a text for a translation or a chat,
    the object of a run's log, or None where it has none.

    `kind` says which questions it gets: masked, causal, translator or chat. `revision` names exactly what answers. With it a
    run that was interrupted continues; without it every run asks anew, because a function may have changed under its name.
    """

    def __init__(
        self,
        scorer: Scorer,
        *,
        kind: str,
        name: str | None = None,
        revision: str | None = None,
        dtype: str | None = None,
        batch_size: int = 64,
        probabilities: bool = False,
    ) -> None:
        if kind not in KINDS:
            raise UsageError(f"`{kind}` is no kind of system", f"kinds: {', '.join(KINDS)}")
        if batch_size < 1:
            raise UsageError("batch_size must be at least 1")
        self.scorer = scorer
        self.kind = kind
        self.name = name or _name(scorer)
        self.revision = revision
        self.dtype = dtype
        self.batch_size = batch_size
        self.probabilities = probabilities

    def described(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "source": f"python:{self.name}",
            "revision": self.revision,
            "dtype": self.dtype,
            "batch_size": self.batch_size,
            "probabilities": self.probabilities,
        }

    def answer(self, questions: str) -> str:
        """Questions and answers as JSON."""
        asked = json.loads(questions)
        answers = self.scorer(asked)
        if isinstance(answers, (str, bytes, Mapping)) or not hasattr(answers, "__len__"):
            raise TypeError(f"{self.name} must give a list with one answer for each question, not a {type(answers).__name__}")
        try:
            return json.dumps(list(answers), default=_plain, allow_nan=False)
        except ValueError:
            for question, one in zip(asked, answers):
                _finite(self.name, question, one)
            raise


def one_by_one(function: Callable[[Question], Any]) -> Scorer:
    """A scorer from a function of one question."""

    def scorer(questions: list[Question]) -> list[Any]:
        return [function(question) for question in questions]

    scorer.__name__ = getattr(function, "__name__", "system")
    return scorer


def translator(
    function: Callable[[list[str], str], Sequence[str]],
    *,
    name: str | None = None,
    revision: str | None = None,
    batch_size: int = 64,
) -> System:
    """A translator from a function of texts and a target language's code."""

    def scorer(questions: list[Question]) -> list[Any]:
        answers: list[Any] = [None] * len(questions)
        for to in dict.fromkeys(question["to"] for question in questions):
            places = [place for place, question in enumerate(questions) if question["to"] == to]
            texts = function([questions[place]["text"] for place in places], to)
            if len(texts) != len(places):
                raise ValueError(f"{len(places)} texts were to be translated into {to}, and {len(texts)} came back")
            for place, text in zip(places, texts):
                answers[place] = text
        return answers

    return System(scorer, kind="translator", name=name or _name(function), revision=revision, batch_size=batch_size)


def as_systems(given: Any, kind: str | None, tokenizer: Any, **described: Any) -> list[System]:
    """What `system=` may be: a System, a model, a function, a list of them, or a dict by name."""
    if isinstance(given, Mapping):
        return [_one(one, kind, tokenizer, {**described, "name": name}) for name, one in given.items()]
    if isinstance(given, (list, tuple)):
        return [_one(one, kind, tokenizer, described) for one in given]
    return [_one(given, kind, tokenizer, described)]


def _one(given: Any, kind: str | None, tokenizer: Any, described: dict[str, Any]) -> System:
    if isinstance(given, System):
        return given
    family = {base.__module__.partition(".")[0] for base in type(given).__mro__}
    described = {key: value for key, value in described.items() if value is not None}
    if "transformers" in family:
        from .adapters import transformers

        return transformers.system(given, tokenizer, kind=kind, **described)
    if "vllm" in family:
        from .adapters import vllm

        return vllm.system(given, kind=kind, **described)
    scorer: Scorer = given
    if not callable(given):
        raise UsageError(
            f"a {type(given).__name__} cannot be asked",
            "system= is a function of questions, a transformers model, a vLLM LLM or an epicene.System",
        )
    if kind is None:
        raise UsageError("what kind of system is it?", f"give kind=, one of {', '.join(KINDS)}")
    return System(scorer, kind=kind, **described)


def _name(given: Any) -> str:
    name = getattr(given, "__name__", None) or type(given).__name__
    return re.sub(r"[^\w.+-]+", "", name) or "system"


def _plain(value: Any) -> Any:
    """NumPy's and PyTorch's numbers and arrays."""
    for method in ("item", "tolist"):
        if hasattr(value, method):
            try:
                return getattr(value, method)()
            except (ValueError, RuntimeError):
                continue
    raise TypeError(f"a {type(value).__name__} is no answer")


def _finite(name: str, question: Question, answer: Any) -> None:
    try:
        json.dumps(answer, default=_plain, allow_nan=False)
    except ValueError as error:
        place = f"item {question.get('item')} ({question.get('unit')})"
        raise ValueError(f"{name}: {place}: the answer is not a finite number") from error
