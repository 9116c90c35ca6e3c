"""inspect_ai for real, with its own stand-in for a model: what is measured from the log is what was said."""
import os
import tempfile
from pathlib import Path

import epicene
from epicene_inspect import benchmark, measure
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        task = benchmark("occupations-chat", limit=4)
        count = len(task.dataset)
        said = "She finished her work. She was proud of herself, and her friends admired her."
        outputs = [ModelOutput.from_content("mockllm/model", said) for _ in range(count)]
        for output in outputs:
            # Without it the stand-in would fetch a tokenizer to count with.
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        (log,) = evaluate(task, model=get_model("mockllm/model", custom_outputs=outputs), log_dir="logs", display="none")
        assert log.status == "success", log.error
        result = measure(log, Path("run"), bootstrap=50)
        verdicts = {item["verdict"] for item in result.items}
        print(f"inspect_ai: {count} questions, {len(result.items)} answers, verdicts {sorted(verdicts)}")
        assert len(result.items) == count
        assert verdicts == {"f"}, verdicts
        # The same answers from a Python function give the same numbers.
        direct = epicene.run("occupations-chat", system=lambda questions: [{"chat": {"text": said, "finish": "stop"}} for _ in questions],
                             kind="chat", name="mockllm/model", limit=4, bootstrap=50)
        assert [row["value"] for row in direct.rows] == [row["value"] for row in result.rows]


if __name__ == "__main__":
    main()
