"""MLflow and Weights & Biases for real: a local store, an offline run. Each is skipped where its package is not installed."""
import importlib.util
import os
import pathlib
import unittest

import support

import epicene


def installed(name):
    return importlib.util.find_spec(name) is not None


class Trackers(support.InDirectory):
    def setUp(self):
        super().setUp()
        self.result = epicene.run("gest", model="demo:mlm", data="epicene-mini", bootstrap=50)
        self.row = [row for row in self.result.rows if (row["unit"], row["group"], row["metric"]) == ("all", "all", "g_s") and row["system"] == "demo:mlm"][0]

    @unittest.skipUnless(installed("mlflow"), "mlflow is not installed")
    def test_mlflow(self):
        import mlflow

        mlflow.set_tracking_uri("sqlite:///mlflow.db")
        run_id = self.result.to_mlflow(run_name="demo")
        self.assertIsNone(mlflow.active_run())
        client = mlflow.MlflowClient()
        run = client.get_run(run_id)
        metrics = run.data.metrics
        self.assertEqual(metrics["gest/all/all/g_s"], self.row["value"])
        self.assertEqual(metrics["gest/all/all/g_s/low"], self.row["low"])
        self.assertEqual(metrics["gest/all/all/g_s/high"], self.row["high"])
        self.assertEqual(metrics["gest/all/all/g_s/distance"], abs(self.row["value"] - 1.0))
        self.assertIn("gest/template-1/all/g_s", metrics)
        self.assertEqual(run.data.params["system"], "demo:mlm")
        self.assertEqual(run.data.params["benchmark"], "gest")
        self.assertEqual(len(run.data.params["data_sha256"]), 64)
        self.assertEqual(run.data.tags["signature"], self.result.signature)
        self.assertEqual(run.info.run_name, "demo")
        artifacts = {artifact.path for artifact in client.list_artifacts(run_id)}
        self.assertEqual(artifacts, {"measures.json", "manifest.json", "report.html"})
        report = pathlib.Path(mlflow.artifacts.download_artifacts(run_id=run_id, artifact_path="report.html")).read_text("utf-8")
        self.assertIn("g_s", report)
        self.assertNotIn(self.result.items[0]["text"], report)
        # The active run is used, and stays active.
        with mlflow.start_run() as active:
            self.assertEqual(epicene.to_mlflow(self.result, log_items=True), active.info.run_id)
            self.assertIsNotNone(mlflow.active_run())
        artifacts = {artifact.path for artifact in client.list_artifacts(active.info.run_id)}
        self.assertIn("items.jsonl", artifacts)

    @unittest.skipUnless(installed("wandb"), "wandb is not installed")
    def test_wandb(self):
        import wandb

        os.environ.update(WANDB_MODE="offline", WANDB_DIR=os.getcwd(), WANDB_SILENT="true")
        run_id = self.result.to_wandb(project="epicene-test")
        self.assertIsNone(wandb.run)
        [folder] = pathlib.Path("wandb").glob(f"offline-run-*-{run_id}")
        [log] = folder.glob("*.wandb")
        self.assertGreater(log.stat().st_size, 0)
        with wandb.init(project="epicene-test") as run:
            self.assertEqual(self.result.to_wandb(log_items=True), run.id)
            self.assertEqual(run.summary["gest__all__all__g_s"], self.row["value"])
            self.assertEqual(run.summary["gest__all__all__g_s__low"], self.row["low"])
            self.assertEqual(run.summary["gest__all__all__g_s__distance"], abs(self.row["value"] - 1.0))
            self.assertEqual(run.config["signature"], self.result.signature)
            self.assertEqual(run.config["system"], "demo:mlm")

    def test_a_missing_package_is_named(self):
        for name in ("mlflow", "wandb"):
            script = f"""
import sys
sys.modules[{name!r}] = None
import epicene
result = epicene.measure({str(self.result.path)!r})
try:
    result.to_{name}()
except epicene.EpiceneError as error:
    print(error)
"""
            done = self.script(script)
            self.assertIn(f"{name} is not installed\nhint: pip install {name}", done.stdout, done.stderr)

    def test_one_system_is_chosen(self):
        both = epicene.run("gest", model=["demo:mlm", "demo:clm"], data="epicene-mini", bootstrap=50)
        from epicene.sharing import _Facts

        with self.assertRaises(epicene.UsageError) as raised:
            _Facts(both, None)
        self.assertIn("system=", str(raised.exception))
        self.assertEqual(_Facts(both, "demo:clm").system["name"], "demo:clm")
        beside = epicene.run("gest", model=["demo:mlm", "random:1"], data="epicene-mini", bootstrap=50)
        self.assertEqual(_Facts(beside, None).system["name"], "demo:mlm")


if __name__ == "__main__":
    unittest.main()
