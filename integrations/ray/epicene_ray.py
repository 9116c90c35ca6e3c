#!/usr/bin/env python3
"""epicene's questions on a Ray cluster: every actor keeps one `epicene score --stream` warm, and every answer is told to the
run as it comes, so that whatever dies, what was answered is kept and the rest is asked again.

    pip install 'ray[data]==2.60.0'        # Python 3.10 to 3.12; nothing else is needed
    python epicene_ray.py RUN --ask "gest --kind masked" --system "--model hf:ORG/NAME" --actors 8 --gpus 1
    epicene report RUN

The same command again continues. On a cluster `epicene` must be on the PATH of every node, and model caches (HF_HOME) be
theirs or shared; RUN lives with the driver.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import threading
import time

import ray

PINNED = "2.60.0"
# Questions that go through Ray at once: what the driver holds in memory.
ROUND = 200_000


class Stream:
    """One warm `epicene score --stream`. Lines in, lines out, in their order; the card comes first."""

    def __init__(self, system, program="epicene", flush=20):
        self.command = [program, "score", "--stream", "--flush", str(flush), *system]
        self.child = None
        self.start()

    def start(self):
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.card = self.child.stdout.readline().rstrip("\n")
        if not self.card:
            raise RuntimeError(f"{shlex.join(self.command)} ended with {self.child.wait()}")

    def ask(self, lines):
        # Written from a thread: answers flow while questions are still going in.
        def write():
            try:
                self.child.stdin.writelines(line + "\n" for line in lines)
                self.child.stdin.flush()
            except OSError:
                pass

        writer = threading.Thread(target=write)
        writer.start()
        answers = []
        while len(answers) < len(lines):
            line = self.child.stdout.readline()
            if not line:
                break
            answers.append(line.rstrip("\n"))
        writer.join()
        return answers

    def __call__(self, batch):
        lines = [str(line) for line in batch["line"]]
        answers = self.ask(lines)
        if len(answers) < len(lines):
            # The process died: once more from where it stopped, with a new one.
            self.child.wait()
            self.start()
            answers += self.ask(lines[len(answers):])
        for line in lines[len(answers):]:
            answers.append(json.dumps({"id": json.loads(line)["id"], "error": "the process that answers died twice"}))
        return {"line": [self.card, *answers]}


def questions(program, run, most):
    """The first questions that have no answer."""
    found = []
    with subprocess.Popen([program, "--quiet", "ask", "--rest", run], stdout=subprocess.PIPE, text=True, encoding="utf-8") as child:
        for line in child.stdout:
            if '"task":' in line:
                found.append({"line": line.rstrip("\n")})
                if len(found) >= most:
                    child.kill()
                    break
    return found


def measure(run, ask, system, *, actors=2, gpus=0, cpus=1, batch=256, program="epicene", stream=Stream, on_answers=None):
    """Asks what is open in `run` until everything has its answer. `ask` and `system` are lists of arguments of `epicene ask` and
    of `epicene score --stream`. Returns how many questions have no answer in the end."""
    if not os.path.exists(os.path.join(run, "manifest.json")):
        subprocess.run([program, "--quiet", "ask", *ask, "--out", run], check=True, stdout=subprocess.DEVNULL)
    if not ray.is_initialized():
        ray.init()
    before = None
    while True:
        left = questions(program, run, ROUND)
        first = left[0] if left else None
        if not left or (before == (len(left), first)):
            # Done, or a whole round has answered nothing: its failures are not Ray's to mend.
            return len(left)
        before = (len(left), first)
        data = ray.data.from_items(left, override_num_blocks=min(len(left), max(actors * 4, len(left) // (batch * 4) + 1)))
        data = data.map_batches(
            stream,
            fn_constructor_kwargs={"system": system, "program": program},
            batch_size=batch,
            compute=ray.data.ActorPoolStrategy(size=actors),
            num_gpus=gpus or None,
            num_cpus=cpus,
        )
        tell(program, run, data, on_answers)


def tell(program, run, data, on_answers):
    """Answers go into the run as they come: that is the checkpoint."""
    teller = subprocess.Popen([program, "--quiet", "tell", run], stdin=subprocess.PIPE, text=True, encoding="utf-8")
    told, cards = 0, set()
    for rows in data.iter_batches(batch_size=None, prefetch_batches=0):
        for line in rows["line"]:
            if line.startswith('{"card"'):
                if line in cards:
                    continue
                cards.add(line)
            teller.stdin.write(line + "\n")
            told += 1
        teller.stdin.flush()
        if on_answers:
            on_answers(told)
    teller.stdin.close()
    if teller.wait() != 0:
        raise RuntimeError(f"epicene tell {run} ended with {teller.returncode}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("run", help="run directory")
    parser.add_argument("--ask", required=True, help='arguments of `epicene ask`, e.g. "gest --kind masked"')
    parser.add_argument("--system", required=True, help='arguments of `epicene score --stream`, e.g. "--model hf:ORG/NAME"')
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--gpus", type=float, default=0, help="GPUs of each actor; Ray shows it only its own")
    parser.add_argument("--cpus", type=float, default=1, help="processors of each actor")
    parser.add_argument("--batch", type=int, default=256, help="questions an actor gets at once")
    parser.add_argument("--program", default="epicene")
    given = parser.parse_args()
    if ray.__version__ != PINNED:
        print(f"warning: tried with Ray {PINNED}, this is {ray.__version__}", file=sys.stderr)
    began = time.monotonic()
    left = measure(given.run, shlex.split(given.ask), shlex.split(given.system), actors=given.actors, gpus=given.gpus,
                   cpus=given.cpus, batch=given.batch, program=given.program)
    print(f"{given.run}: {left} questions without an answer, {time.monotonic() - began:.1f} s", file=sys.stderr)
    return 2 if left else 0


if __name__ == "__main__":
    sys.exit(main())
