"""Results for other tools: Every Eval Ever, MLflow, Weights & Biases. Their packages are imported when they are asked for, and
find addresses and keys themselves."""
from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _epicene
from .errors import EpiceneError, UsageError

if TYPE_CHECKING:
    from .results import Result

# MLflow's limits of one request, and of a tag in bytes.
_METRICS = 1000
_TAG = 5000


def to_eee(result: Result, out: str | os.PathLike[str], *, organization: str, relationship: str, **options: Any) -> list[Path]:
    """Writes the run as records of Every Eval Ever below `out` and returns their paths, as `epicene export --to eee` does.

    relationship: first_party, third_party, collaborative or other, to the model's developer. options: every option of
    `epicene export`, e.g. model_id={"mine": "ORG/NAME"}.
    """
    from .calls import _perform

    given = {"to": "eee", "output": out, "organization": organization, "relationship": relationship, **options}
    done = _perform("export", [_measured(result, "export")], given)
    return [Path(line) for line in done.output.decode().splitlines()]


def to_mlflow(result: Result, *, run_name: str | None = None, system: str | None = None, log_items: bool = False) -> str:
    """Logs headline numbers with their intervals, the settings and the report to MLflow; returns the id of the run.

    Uses the active run, or starts and ends one. system: which, where a result has several.
    """
    mlflow = _imported("mlflow")
    facts = _Facts(result, system)
    metrics = {re.sub(r"[^\w\-./ ]", "-", "/".join(key)): value for key, value in facts.metrics()}
    active = mlflow.active_run()
    run = active or mlflow.start_run(run_name=run_name)
    try:
        mlflow.log_params(facts.settings())
        if len(result.signature.encode()) <= _TAG:
            mlflow.set_tag("signature", result.signature)
        for batch in _batches(metrics, _METRICS):
            mlflow.log_metrics(batch)
        with facts.files(log_items) as files:
            for file in files:
                mlflow.log_artifact(str(file))
    finally:
        if active is None:
            mlflow.end_run()
    return str(run.info.run_id)


def to_wandb(result: Result, *, project: str | None = None, system: str | None = None, log_items: bool = False) -> str:
    """Logs headline numbers with their intervals, the settings and the report to Weights & Biases; returns the id of the run.

    Uses the active run, or starts and ends one. system: which, where a result has several.
    """
    wandb = _imported("wandb")
    facts = _Facts(result, system)
    metrics = {re.sub(r"[^_a-zA-Z0-9]", "_", "__".join(key)): value for key, value in facts.metrics()}
    active = wandb.run
    run = active or wandb.init(project=project)
    try:
        run.config.update({**facts.settings(), "signature": result.signature})
        run.log(metrics)
        artifact = wandb.Artifact(f"epicene-{run.id}", type="evaluation")
        with facts.files(log_items) as files:
            for file in files:
                artifact.add_file(str(file))
            run.log_artifact(artifact)
    finally:
        if active is None:
            run.finish()
    return str(run.id)


class Sharing:
    """What a Result can do with other tools."""

    def to_eee(self: Any, out: str | os.PathLike[str], *, organization: str, relationship: str, **options: Any) -> list[Path]:
        return to_eee(self, out, organization=organization, relationship=relationship, **options)

    def to_mlflow(self: Any, *, run_name: str | None = None, system: str | None = None, log_items: bool = False) -> str:
        return to_mlflow(self, run_name=run_name, system=system, log_items=log_items)

    def to_wandb(self: Any, *, project: str | None = None, system: str | None = None, log_items: bool = False) -> str:
        return to_wandb(self, project=project, system=system, log_items=log_items)

    to_eee.__doc__, to_mlflow.__doc__, to_wandb.__doc__ = to_eee.__doc__, to_mlflow.__doc__, to_wandb.__doc__


class _Facts:
    """What trackers keep of one system of a result."""

    def __init__(self, result: Result, system: str | None) -> None:
        import json

        self.result = result
        self.path = _measured(result, "tracked results")
        self.manifest = json.loads((self.path / "manifest.json").read_text("utf-8"))
        plans = {plan["name"]: plan for plan in self.manifest["systems"]}
        models = [name for name, plan in plans.items() if not plan["source"].startswith(("random:", "always:", "copy:"))]
        chosen = [system] if system is not None else models or list(plans)
        if len(chosen) != 1 or chosen[0] not in plans:
            raise UsageError("a tracked run is about one system", f"give system=, one of {', '.join(plans)}")
        self.system = plans[chosen[0]]

    def metrics(self) -> Iterator[tuple[list[str], float]]:
        headlines = set(_epicene.headlines(self.manifest["benchmark"]))
        for row in self.result.rows:
            if row["system"] != self.system["name"] or row["metric"] not in headlines or not _finite(row["value"]):
                continue
            key = [row["benchmark"], row["unit"], row["group"], row["metric"]]
            yield key, row["value"]
            for end in ("low", "high"):
                if _finite(row[end]):
                    yield [*key, end], row[end]
            if _finite(row["ideal"]):
                yield [*key, "distance"], abs(row["value"] - row["ideal"])

    def settings(self) -> dict[str, str]:
        data = self.manifest["data"]
        settings = {
            "benchmark": self.manifest["benchmark"],
            "system": self.system["source"],
            "revision": self.system.get("revision"),
            "data": f"{data['name']} {data['version']}",
            "data_sha256": data["sha256"],
            "seed": self.manifest["seed"],
            "epicene": self.manifest["epicene"],
        }
        return {key: str(value) for key, value in settings.items() if value not in (None, "")}

    def files(self, items: bool) -> "_Files":
        return _Files(self, items)


class _Files:
    """The artifacts, in a directory that goes away."""

    def __init__(self, facts: _Facts, items: bool) -> None:
        self.facts, self.items = facts, items

    def __enter__(self) -> list[Path]:
        from .calls import report

        self.directory = tempfile.TemporaryDirectory()
        folder = Path(self.directory.name)
        result = self.facts.result
        (folder / "measures.json").write_text(result.format("json"), "utf-8")
        (folder / "manifest.json").write_bytes((self.facts.path / "manifest.json").read_bytes())
        names = ["measures.json", "manifest.json"]
        if self.items:
            # The report has every item: without consent it stays out, and with it the lines leave as well.
            from .calls import _perform

            done = _perform("report", [self.facts.path], {"items": True})
            (folder / "items.jsonl").write_bytes(done.output)
            report(self.facts.path, output=folder / "report.html", **result._options)
            names += ["items.jsonl", "report.html"]
        else:
            report(self.facts.path, output=folder / "report.html", template="audit", **result._options)
            names.append("report.html")
        return [folder / name for name in names]

    def __exit__(self, *_: object) -> None:
        self.directory.cleanup()


def _measured(result: Result, what: str) -> Path:
    return result._run(what)


def _finite(value: Any) -> bool:
    return value is not None and math.isfinite(value)


def _batches(metrics: dict[str, float], size: int) -> Iterator[dict[str, float]]:
    entries = list(metrics.items())
    for start in range(0, len(entries), size):
        yield dict(entries[start : start + size])


def _imported(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EpiceneError(f"{name} is not installed", f"pip install {name}") from error
