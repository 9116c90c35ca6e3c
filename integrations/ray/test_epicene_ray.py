#!/usr/bin/env python3
"""Real Ray, two actors, one of them killed in the middle: the run reports the bytes of one process.

    test_epicene_ray.py EPICENE
"""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("PYTHONPATH", os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ray  # noqa: E402

import epicene_ray  # noqa: E402

EPICENE = os.path.abspath(sys.argv[1])
ASK = ["gest", "--kind", "masked", "--data", "epicene-mini", "--bootstrap", "20"]
SYSTEM = ["--model", "demo:mlm", "--threads", "1"]


def epicene(*arguments):
    return subprocess.run([EPICENE, *arguments], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def main():
    with tempfile.TemporaryDirectory() as here:
        pids = os.path.join(here, "pids")
        os.mkdir(pids)

        class Watched(epicene_ray.Stream):
            def __init__(self, **given):
                super().__init__(**given)
                open(os.path.join(pids, str(os.getpid())), "w").close()

        began, before = time.monotonic(), cpu()
        direct = os.path.join(here, "direct")
        epicene("run", "gest", "--data", "epicene-mini", "--bootstrap", "20", *SYSTEM, "--out", direct)
        alone = (time.monotonic() - began, cpu() - before)
        expected = epicene("report", direct, "--format", "json")

        began = time.monotonic()
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error", object_store_memory=100 << 20)
        ray.data.DataContext.get_current().enable_progress_bars = False
        started = time.monotonic() - began
        killed = []

        def kill_one(told):
            if not killed and told > 64:
                killed.append(int(sorted(os.listdir(pids))[0]))
                os.kill(killed[0], signal.SIGKILL)

        began = time.monotonic()
        run = os.path.join(here, "ray")
        left = epicene_ray.measure(run, ASK, SYSTEM, actors=2, batch=32, program=EPICENE, stream=Watched, on_answers=kill_one)
        wall = time.monotonic() - began
        ray.shutdown()
        assert killed, "no actor was killed: the run was over before"
        assert left == 0, f"{left} questions have no answer"
        assert len(os.listdir(pids)) > 2, "the killed actor was not replaced"
        assert epicene("report", run, "--format", "json") == expected, "the reports differ"
        count = json.loads(epicene("status", run, "--json"))["answered"]
        print(f"Ray {ray.__version__}: {count} answers by two actors, one killed, equal bytes: {wall:.1f} s after {started:.1f} s to start, "
              f"{cpu() - alone[1]:.1f} s of CPU in all; one process alone: {alone[0]:.1f} s, {alone[1]:.1f} s of CPU")


main()
