"""The harness for real, on the embedded causal model: what epicene reads from its samples is what epicene's own engine gives."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import epicene
from make_task import make

REPOSITORY = Path(__file__).resolve().parents[2]
LIMIT = 40


def main():
    model = REPOSITORY / "models" / "clm"
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        os.environ["HF_HOME"] = str(Path(directory) / "hf")
        make("tasks", data="epicene-mini", limit=LIMIT)
        subprocess.run(
            [sys.executable, "-m", "lm_eval", "--model", "hf", "--model_args", f"pretrained={model},dtype=float32",
             "--tasks", "epicene_gest", "--include_path", "tasks", "--log_samples", "--output_path", "out",
             "--device", "cpu", "--batch_size", "16"],
            check=True,
        )
        (samples,) = Path("out").rglob("samples_epicene_gest_*.jsonl")
        options = dict(data="epicene-mini", limit=LIMIT, bootstrap=50)
        read = epicene.run("gest", model=f"file:{samples}", **options)
        engine = epicene.run("gest", model=f"dir:{model}", **options)
        ours = {(item["id"], item["unit"]): item["observation"]["log10_ratio"] for item in engine.items}
        theirs = {(item["id"], item["unit"]): item["observation"]["log10_ratio"] for item in read.items}
        assert set(ours) == set(theirs), (len(ours), len(theirs))
        worst = max(abs(ours[key] - theirs[key]) for key in ours)
        print(f"lm_eval: {len(ours)} answers, largest difference {worst:.2e}; systems {sorted({row['system'] for row in read.rows})}")
        assert worst < 1e-4, worst
        # Few-shot examples make another question, and are refused.
        text = samples.read_text("utf-8").replace('"arg_0": "', '"arg_0": "An example. ')
        Path("other").mkdir()
        Path("other/samples_x.jsonl").write_text(text, "utf-8")
        try:
            epicene.run("gest", model="file:other/samples_x.jsonl", **options)
        except epicene.EpiceneError as error:
            assert "another question" in str(error), error
        else:
            raise AssertionError("another question was believed")


if __name__ == "__main__":
    main()
