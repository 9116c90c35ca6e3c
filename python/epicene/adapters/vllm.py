"""A vLLM `LLM` as a system: causal questions by prompt log-probabilities, chat questions by `LLM.chat`."""
from __future__ import annotations

import math
from typing import Any

from ..errors import SystemFailed, UsageError
from ..systems import Question, System
from .transformers import _divergence

LN10 = math.log(10.0)


def system(
    llm: Any,
    *,
    kind: str | None = None,
    name: str | None = None,
    revision: str | None = None,
    batch_size: int = 512,
) -> System:
    """`kind` is causal or chat. An engine does not say which weights it holds: without `revision` every run asks anew."""
    kind = kind or "causal"
    if kind not in ("causal", "chat"):
        raise UsageError(f"a vLLM engine is asked as causal or chat, not as {kind}")
    answerer = _Answerer(llm)
    path = str(llm.llm_engine.model_config.model)
    return System(
        answerer.chats if kind == "chat" else answerer.scores,
        kind=kind,
        name=name or path.rstrip("/").rsplit("/", 1)[-1],
        revision=revision,
        dtype=str(llm.llm_engine.model_config.dtype).removeprefix("torch."),
        batch_size=batch_size,
    )


class _Answerer:
    def __init__(self, llm: Any) -> None:
        self.llm = llm
        self.tokenizer = llm.get_tokenizer()

    def word(self, word: str) -> int:
        for text in (f" {word}", word):
            ids = self.tokenizer.encode(text, add_special_tokens=False)
            if len(ids) == 1:
                return int(ids[0])
        raise SystemFailed(f"the tokenizer splits `{word}`", "a next-word score compares single tokens")

    def given(self, texts: list[list[int]]) -> list[list[float]]:
        """Of every text, the log-probability of each token but the first."""
        from vllm import SamplingParams

        wanted = SamplingParams(max_tokens=1, prompt_logprobs=0, temperature=0.0)
        found = self.llm.generate([{"prompt_token_ids": ids} for ids in texts], wanted, use_tqdm=False)
        return [
            [output.prompt_logprobs[place][ids[place]].logprob for place in range(1, len(ids))]
            for ids, output in zip(texts, found)
        ]

    def scores(self, questions: list[Question]) -> list[Any]:
        answers: list[Any] = [None] * len(questions)
        texts: list[list[int]] = []
        for question in questions:
            if question["task"] == "next-word":
                # The word is given with its prompt, and read back: an exact probability, whatever its rank.
                ids = self.tokenizer.encode(question["prompt"])
                texts += [[*ids, self.word(question["masculine"])], [*ids, self.word(question["feminine"])]]
            elif question["task"] == "text-pair":
                texts += [self.tokenizer.encode(question["masculine"]), self.tokenizer.encode(question["feminine"])]
            else:
                raise SystemFailed(f"a vLLM engine answers no {question['task']} question")
        given = self.given(texts)
        for place, question in enumerate(questions):
            first, second = given[2 * place], given[2 * place + 1]
            if question["task"] == "next-word":
                answers[place] = (first[-1] - second[-1]) / LN10
                continue
            relation, start = _divergence(texts[2 * place], texts[2 * place + 1])
            sides = {}
            for gender, own in (("masculine", first), ("feminine", second)):
                region = own[start - 1 :]
                if not region:
                    raise SystemFailed(f"{question['masculine']!r} and {question['feminine']!r} have nothing to compare")
                sides[gender] = {
                    "tokens": len(own) + 1,
                    "region": math.fsum(region),
                    "scored": len(region),
                    "last": region[-1],
                }
                if question["whole"]:
                    sides[gender]["whole"] = math.fsum(first[: start - 1]) + sides[gender]["region"]
            answers[place] = {"text_pair": {"relation": relation, **sides}}
        return answers

    def chats(self, questions: list[Question]) -> list[Any]:
        from vllm import SamplingParams

        wanted = [
            SamplingParams(
                temperature=question["sampling"]["temperature"],
                top_p=question["sampling"]["top_p"],
                top_k=question["sampling"].get("top_k") or -1,
                seed=question["sampling"]["seed"],
                max_tokens=question["max_tokens"],
                stop=question["stop"] or None,
            )
            for question in questions
        ]
        found = self.llm.chat([question["messages"] for question in questions], wanted, use_tqdm=False)
        return [
            {"chat": {"text": output.outputs[0].text, "finish": "length" if output.outputs[0].finish_reason == "length" else "stop"}}
            for output in found
        ]
