"""A `transformers` model as a system: the questions of masked, causal and translation benchmarks, answered with PyTorch.

The same definitions as epicene's own engine (docs/engine.md), so that both give the same scores to rounding.
"""
from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any

from ..errors import UsageError
from ..systems import Question, System

LN10 = math.log(10.0)


def system(
    model: Any,
    tokenizer: Any = None,
    *,
    kind: str | None = None,
    name: str | None = None,
    revision: str | None = None,
    batch_size: int = 64,
) -> System:
    """`kind` is read from the model's class unless it is given; chat models are causal ones that hold a conversation, and are
    asked as such only with `kind="chat"`."""
    if tokenizer is None:
        raise UsageError("a transformers model needs its tokenizer", "run(…, system=model, tokenizer=tokenizer)")
    answerer = _Answerer(model, tokenizer)
    kind = kind or _kind(model)
    model.eval()
    path = str(getattr(model, "name_or_path", "") or type(model).__name__)
    return System(
        answerer.answers,
        kind=kind,
        name=name or path.rstrip("/").rsplit("/", 1)[-1],
        revision=revision or fingerprint(model),
        dtype=str(model.dtype).removeprefix("torch."),
        batch_size=batch_size,
    )


def fingerprint(model: Any) -> str:
    """A hash of all weights: what was fine-tuned in memory is another system."""
    import torch

    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(f"{key} {tuple(tensor.shape)} {tensor.dtype}".encode())
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _kind(model: Any) -> str:
    config = model.config
    if getattr(config, "is_encoder_decoder", False):
        return "translator"
    name = type(model).__name__
    if "MaskedLM" in name:
        return "masked"
    if "CausalLM" in name or name.endswith("LMHeadModel"):
        return "causal"
    raise UsageError(
        f"a {name} has no language-model head that can be asked", "load it with AutoModelForMaskedLM, …ForCausalLM or …ForSeq2SeqLM"
    )


class _Answerer:
    def __init__(self, model: Any, tokenizer: Any) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.by_task: dict[str, Callable[[list[Question]], list[Any]]] = {
            "masked-pair": self.masked_pairs,
            "next-word": self.next_words,
            "text-pair": self.text_pairs,
            "aul": self.likelihoods,
            "aula": self.likelihoods,
            "translate": self.translations,
            "chat": self.chats,
            "choice-sampled": self.chats,
        }

    def answers(self, questions: list[Question]) -> list[Any]:
        import torch

        answers: list[Any] = [None] * len(questions)
        with torch.inference_mode():
            for task in dict.fromkeys(question["task"] for question in questions):
                if task not in self.by_task:
                    raise UsageError(
                        f"{type(self.model).__name__} through Python answers no {task} question",
                        "epicene's own engine does: run(…, model=\"dir:PATH\")",
                    )
                places = [place for place, question in enumerate(questions) if question["task"] == task]
                for place, answer in zip(places, self.by_task[task]([questions[place] for place in places])):
                    answers[place] = answer
        return answers

    # Tokens.

    def encode(self, text: str) -> list[int]:
        ids = self.tokenizer(text, add_special_tokens=True)["input_ids"]
        if not ids:
            raise UsageError(f"no text to read in {text!r}")
        longest = self.longest()
        if longest is not None and len(ids) > longest:
            raise UsageError(f"{text[:60]!r} has {len(ids)} tokens; the model reads at most {longest}")
        return list(ids)

    def longest(self) -> int | None:
        config = self.model.config
        longest = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)
        if longest is not None and getattr(config, "model_type", "") in {"roberta", "xlm-roberta", "camembert"}:
            # Positions begin behind the padding's.
            longest -= config.pad_token_id + 1
        return longest

    def word(self, word: str) -> int:
        """The token of a word as the continuation of a text."""
        for text in (f" {word}", word):
            ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
            if len(ids) == 1:
                return int(ids[0])
        pieces = " + ".join(self.tokenizer.convert_ids_to_tokens(ids))
        raise UsageError(f"the tokenizer splits `{word}` into {pieces}", "a next-word score compares single tokens")

    # Passes.

    def logits(self, texts: list[list[int]], **more: Any) -> Any:
        """Logits of every text, padded on the right; nothing of the padding is ever read."""
        import torch

        width = max(len(ids) for ids in texts)
        padding = self.tokenizer.pad_token_id
        padding = texts[0][-1] if padding is None else padding
        device = self.model.device
        ids = torch.tensor([row + [padding] * (width - len(row)) for row in texts], device=device)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in texts], device=device)
        return self.model(input_ids=ids, attention_mask=mask, **more)

    def masked_pairs(self, questions: list[Question]) -> list[Any]:
        mask = self.tokenizer.mask_token_id
        if mask is None:
            raise UsageError("its tokenizer has no mask token")
        texts: list[list[int]] = []
        plans: list[Any] = []
        for question in questions:
            first, second = self.encode(question["masculine"]), self.encode(question["feminine"])
            differing = [(place, m, f) for place, (m, f) in enumerate(zip(first, second)) if m != f]
            one_token = len(first) == len(second) and len(differing) == 1
            if question.get("one_token") and not one_token:
                plans.append(None)
                continue
            if not differing:
                raise UsageError(f"{question['masculine']!r} and {question['feminine']!r} are the same to its tokenizer")
            for place, _, _ in differing:
                first[place] = second[place] = mask
            plans.append((len(texts), differing))
            texts += [first, second]
        if not texts:
            return [None] * len(questions)
        logits = self.logits(texts).logits
        answers: list[Any] = []
        for plan in plans:
            if plan is None:
                answers.append(None)
                continue
            at, differing = plan
            means = []
            for side in (0, 1):
                found = [logits[at + side, place].double().log_softmax(-1)[pair[side]] for place, *pair in differing]
                means.append(sum(found) / len(found))
            answers.append(float(means[0] - means[1]) / LN10)
        return answers

    def next_words(self, questions: list[Question]) -> list[Any]:
        texts = [self.encode(question["prompt"]) for question in questions]
        logits = self.logits(texts).logits
        answers = []
        for row, (ids, question) in enumerate(zip(texts, questions)):
            last = logits[row, len(ids) - 1].double()
            answers.append(float(last[self.word(question["masculine"])] - last[self.word(question["feminine"])]) / LN10)
        return answers

    def text_pairs(self, questions: list[Question]) -> list[Any]:
        texts: list[list[int]] = []
        for question in questions:
            texts += [self.encode(question["masculine"]), self.encode(question["feminine"])]
        logits = self.logits(texts).logits
        # Of every text, the log-probability of each token but the first.
        given = []
        for row, ids in enumerate(texts):
            scores = logits[row, : len(ids) - 1].double().log_softmax(-1)
            given.append([float(scores[place, id]) for place, id in enumerate(ids[1:])])
        answers = []
        for at, question in zip(range(0, len(texts), 2), questions):
            relation, start = _divergence(texts[at], texts[at + 1])
            sides = {}
            for side, gender in enumerate(("masculine", "feminine")):
                region = given[at + side][start - 1 :]
                if not region:
                    raise UsageError(f"{question['masculine']!r} and {question['feminine']!r} have nothing to compare")
                sides[gender] = {
                    "tokens": len(texts[at + side]),
                    "region": math.fsum(region),
                    "scored": len(region),
                    "last": region[-1],
                }
                if question["whole"]:
                    sides[gender]["whole"] = math.fsum(given[at][: start - 1]) + sides[gender]["region"]
            answers.append({"text_pair": {"relation": relation, **sides}})
        return answers

    def likelihoods(self, questions: list[Question]) -> list[Any]:
        """AUL and AULA: the mean log-probability of the content tokens of an unmasked sentence, with AULA weighted by the
        attention they receive; where it is asked for with the mean of their last vectors."""
        if any(question["task"] == "aula" for question in questions) and hasattr(self.model, "set_attn_implementation"):
            # Other implementations do not give the attention.
            self.model.set_attn_implementation("eager")
        answers: list[Any] = []
        for question in questions:
            weighted, embedded = question["task"] == "aula", question.get("embedding", False)
            found = [self.sentence(text, weighted, embedded) for text in ([question["text"]] if embedded else question["texts"])]
            if not embedded:
                answers.append([None if one is None else one[0] for one in found])
            elif found[0] is None:
                answers.append(None)
            else:
                answers.append({"sentence": {"likelihood": found[0][0], "embedding": found[0][1]}})
        return answers

    def sentence(self, text: str, weighted: bool, embedded: bool) -> tuple[float, list[float] | None] | None:
        """The likelihood of a sentence and its embedding; None where it has no content."""
        ids = self.encode(text)
        if len(ids) < 3:
            return None
        seen = self.logits([ids], output_attentions=weighted, output_hidden_states=embedded)
        scores = seen.logits[0].double().log_softmax(-1)
        own = [float(scores[place, id]) for place, id in enumerate(ids)]
        if weighted:
            layers: list[Any] = [layer[0].double().mean(dim=(0, 1)) for layer in seen.attentions]
            received: Any = sum(layers) / len(layers)
            own = [value * float(received[place]) for place, value in enumerate(own)]
        embedding = seen.hidden_states[-1][0, 1:-1].double().mean(dim=0).tolist() if embedded else None
        return math.fsum(own[1:-1]) / (len(ids) - 2), embedding

    def translations(self, questions: list[Question]) -> list[Any]:
        answers: list[Any] = [None] * len(questions)
        for to in dict.fromkeys(question["to"] for question in questions):
            places = [place for place, question in enumerate(questions) if question["to"] == to]
            batch = self.tokenizer([questions[place]["text"] for place in places], return_tensors="pt", padding=True)
            made = self.model.generate(**batch.to(self.model.device), **self.into(to))
            for place, text in zip(places, self.tokenizer.batch_decode(made, skip_special_tokens=True)):
                answers[place] = text
        return answers

    def into(self, to: str) -> dict[str, Any]:
        """How a multilingual model is told its language; Marian and T5 models know one."""
        codes = getattr(self.tokenizer, "lang_code_to_id", None)
        if hasattr(self.tokenizer, "get_lang_id"):
            return {"forced_bos_token_id": self.tokenizer.get_lang_id(to)}
        if codes:
            fitting = [code for code in codes if code.split("_")[0] == to]
            if len(fitting) != 1:
                raise UsageError(f"the model's name for the language `{to}` is not plain", "translate with epicene.translator(function)")
            return {"forced_bos_token_id": codes[fitting[0]]}
        return {}

    def chats(self, questions: list[Question]) -> list[Any]:
        import torch

        answers = []
        for question in questions:
            ids = self.tokenizer.apply_chat_template(
                question["messages"], add_generation_prompt=True, return_tensors="pt", return_dict=True
            ).to(self.model.device)
            sampling = question["sampling"]
            how: dict[str, Any] = {"do_sample": False}
            if sampling["temperature"] > 0:
                torch.manual_seed(sampling["seed"])
                how = {"do_sample": True, "temperature": sampling["temperature"], "top_p": sampling["top_p"]}
                if sampling.get("top_k"):
                    how["top_k"] = sampling["top_k"]
            limit = question["max_tokens"]
            made = self.model.generate(**ids, max_new_tokens=limit, **how)[0][ids["input_ids"].shape[1] :]
            text = self.tokenizer.decode(made, skip_special_tokens=True)
            finish = "length" if len(made) >= limit else "stop"
            for stop in question["stop"]:
                if stop in text:
                    text, finish = text.partition(stop)[0], "stop"
            answers.append({"chat": {"text": text, "finish": finish}})
        return answers


def _divergence(first: list[int], second: list[int]) -> tuple[str, int]:
    """How two texts relate, and where their scored part begins."""
    for place, (m, f) in enumerate(zip(first, second)):
        if m != f:
            return ("at_start", 1) if place == 0 else ("apart", place)
    if len(first) == len(second):
        return "same", 1
    return "contained", max(min(len(first), len(second)) - 1, 1)
