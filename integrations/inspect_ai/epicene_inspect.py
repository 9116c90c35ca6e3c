"""epicene's chat benchmarks as tasks of inspect_ai, and its logs as epicene's answers.

    inspect eval epicene_inspect.py@gest_chat --model openai/gpt-4o-mini -T data=gest -T limit=50
    python epicene_inspect.py logs/LOG.eval --out run        # tells the answers to a run directory, and measures

inspect_ai asks, epicene reads and measures: the score that the log shows is only whether there was an answer. Any model and
provider of inspect_ai will do. Options of the benchmark are given to the task with -T; the log carries them to the measuring.
"""
import argparse
import json

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer
from inspect_ai.solver import Generate, TaskState, solver

import epicene

_MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
# How inspect_ai says why an answer ended, in epicene's words.
_FINISH = {"stop": "stop", "max_tokens": "length", "model_length": "length", "content_filter": "filtered"}


@solver
def ask():
    """Every question with its own sampling: temperature, seed, longest answer."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = state.metadata["question"]
        sampling = question["sampling"]
        return await generate(
            state,
            temperature=sampling["temperature"],
            top_p=sampling["top_p"],
            top_k=sampling.get("top_k"),
            seed=sampling["seed"],
            max_tokens=question["max_tokens"],
            stop_seqs=question["stop"] or None,
        )

    return solve


@scorer(metrics=[accuracy()])
def answered():
    """Whether there is an answer; what it says is epicene's to judge."""

    async def score(state: TaskState, target) -> Score:
        text = state.output.completion
        return Score(value=CORRECT if text.strip() else INCORRECT, answer=text)

    return score


def benchmark(name, **options):
    """A chat benchmark of epicene as a task."""
    questions = epicene.questions(name, kind="chat", **options)
    if any(question["task"] == "choice-logprob" for question in questions):
        # Providers seldom give probabilities; what is written is read.
        questions = epicene.questions(name, kind="chat", **{**options, "choice": "sampled"})
    samples = [
        Sample(
            id=question["id"],
            input=[_MESSAGES[message["role"]](content=message["content"]) for message in question["messages"]],
            metadata={"question": {key: question[key] for key in ("sampling", "max_tokens", "stop")}},
        )
        for question in questions
    ]
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=ask(),
        scorer=answered(),
        config=GenerateConfig(),
        name=name.replace("-", "_"),
        metadata={"epicene": questions.header},
    )


@task
def gest_chat(data: str = "gest", limit: int | None = None, **options):
    return benchmark("gest-chat", data=data, limit=limit, **options)


@task
def occupations_chat(limit: int | None = None, **options):
    return benchmark("occupations-chat", limit=limit, **options)


def answers(log: EvalLog):
    """The answers of a log by the ids of their questions; what failed is left out, and stays open in the run."""
    found = {}
    for sample in log.samples or []:
        if sample.error is not None or not sample.output.choices:
            continue
        choice = sample.output.choices[0]
        found[str(sample.id)] = {
            "chat": {
                "text": choice.message.text,
                "finish": _FINISH.get(choice.stop_reason, "other"),
                "model": sample.output.model or None,
            }
        }
    return found


def measure(log: EvalLog, out, **options):
    """What a log says, measured: tells its answers to the run directory `out`."""
    header = (log.eval.metadata or {}).get("epicene")
    if header is None:
        raise epicene.EpiceneError("this log is no task of epicene's", "make it with epicene_inspect.py@gest_chat")
    questions = epicene.Questions(header, [])
    return epicene.measure(questions, answers(log), system=log.eval.model, source=f"inspect:{log.eval.model}", out=out, **options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log")
    parser.add_argument("--out", required=True, help="run directory")
    parser.add_argument("--format", default="table", choices=["table", "json", "csv", "md", "latex"])
    arguments = parser.parse_args()
    print(measure(read_eval_log(arguments.log), arguments.out).format(arguments.format), end="")


if __name__ == "__main__":
    main()
