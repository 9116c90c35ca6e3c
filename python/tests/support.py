"""What the tests share: the command line to compare with, the reference data, a directory that goes away."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# The program that cargo built, or the wheel's own.
PROGRAM = os.environ.get("EPICENE_PROGRAM") or str(Path(sysconfig.get_path("scripts")) / "epicene")


def command(*words: object, input: str | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([PROGRAM, *map(str, words)], input=input, capture_output=True, text=True, encoding="utf-8")
    if check and done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stderr}")
    return done


def results(*words: object) -> dict:
    told = json.loads(command(*words, "--format", "json").stdout)
    # JSON leaves out what a row does not have; a table has it for all.
    design = [name for name in ("k", "deff", "n_eff") if any({"k", "deff", "n_eff"} & set(row) for row in told["rows"])]
    told["rows"] = [{**dict.fromkeys([*row, *design]), **row} for row in told["rows"]]
    return told


def shared() -> Path:
    """The reference data; skips where they are absent, and fails in CI."""
    place = Path(os.environ.get("EPICENE_SHARED") or REPOSITORY.parent / "shared") / "data"
    if place.is_dir():
        return place
    if os.environ.get("CI") == "true":
        raise AssertionError(f"{place} is absent")
    raise unittest.SkipTest(f"{place} is absent")


class InDirectory(unittest.TestCase):
    """Every test in a new directory."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        before = os.getcwd()
        os.chdir(directory.name)
        self.addCleanup(os.chdir, before)

    def script(self, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, env={**os.environ, **environment}
        )
