"""Completion, the stub, the examples in docstrings, and two notebooks in a real Jupyter kernel."""
import doctest
import inspect
import os
import re
import sys
import unittest
from pathlib import Path

import support

import epicene
from epicene import _epicene, arguments, calls, signatures


class Completion(unittest.TestCase):
    def test_functions_list_every_option(self):
        for function, command in [(epicene.run, "run"), (epicene.compare, "compare"), (epicene.measure, "report"), (epicene.detect, "gender")]:
            offered = set(inspect.signature(function).parameters)
            left_out = signatures._OWN.get(command, set())
            lacking = {option for option in arguments.flags(command) if option.isidentifier()} - offered - left_out
            self.assertEqual(lacking, set(), command)
        self.assertIn("detector", inspect.signature(epicene.run).parameters)

    def test_the_stub_is_that_of_these_commands(self):
        stub = Path(calls.__file__).with_name("calls.pyi").read_text("utf-8")
        self.assertEqual(stub, signatures.stub(), "write it anew: python -m epicene.signatures python/epicene/calls.pyi")
        for benchmark in _epicene.benchmarks():
            own = stub.split(f"benchmark: Literal[{benchmark!r}]")[1].split(") -> Result")[0]
            for option in arguments.flags(f"run {benchmark}"):
                self.assertRegex(own, rf"\n    {re.escape(option)}: ", benchmark)
        gest = stub.split("benchmark: Literal['gest']")[1].split(") -> Result")[0]
        self.assertIn("detector: Literal['epicene', 'published', 'extended', 'command:CMD']", gest)
        self.assertNotIn("\n    size:", gest)

    def test_the_stub_is_python(self):
        stub = Path(calls.__file__).with_name("calls.pyi").read_text("utf-8")
        compile(stub, "calls.pyi", "exec")


class Examples(support.InDirectory):
    def test_examples_in_docstrings_run(self):
        result = epicene.run("gest", model=["demo:mlm", "random:1"], data="epicene-mini", bootstrap=100)
        tried = 0
        for module in (calls, epicene.results, epicene.data, epicene.audit):
            names = {"epicene": epicene, "result": result, "__name__": module.__name__}
            for test in doctest.DocTestFinder().find(module, extraglobs=names):
                runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
                out = []
                runner.run(test, out=out.append)
                self.assertEqual(runner.failures, 0, "".join(out))
                tried += runner.tries
        self.assertGreater(tried, 15)

    def test_audits(self):
        result = epicene.run("gest", system=epicene.translator(lambda texts, to: ["Bol som doma."] * len(texts)), lang="sk", data="epicene-mini")
        (path,) = epicene.audit.sample(result, n=20, output="labels.csv")
        self.assertGreater(path.stat().st_size, 500)

    def test_old_names_of_options(self):
        data = dict(data="epicene-mini", system=epicene.translator(lambda texts, to: ["Bol som doma."] * len(texts)), lang="sk")
        old = epicene.run("gest", mode="published", out="old", **data)
        new = epicene.run("gest", detector="published", out="new", **data)
        self.assertEqual(old.rows, new.rows)
        self.assertIn("first-person-rules-published", old.signature)
        self.assertIn("first-person-rules-strict", epicene.measure(new, detector="epicene").signature)


NOTEBOOKS = {
    "models": [
        "import epicene\nresult = epicene.run('gest', model=['demo:mlm', 'random:1'], data='epicene-mini', bootstrap=100)\nresult",
        "result.figures()",
        "result.to_pandas()",
        "print(result.check('g_s[all] > 1.2'))",
    ],
    "comparison": [
        "import epicene\nresult = epicene.run('gest', model=['demo:mlm', 'demo:clm'], data='epicene-mini', bootstrap=100)\nresult.table()",
        "epicene.compare(result, rounds=200)",
        "result.figures()[0]",
        "epicene.list('benchmarks')",
    ],
}


class Notebooks(support.InDirectory):
    def outputs(self, name):
        import nbclient
        import nbformat

        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in NOTEBOOKS[name]])
        # The kernel is this interpreter, in this directory.
        spec = Path("kernels/epicene")
        spec.mkdir(parents=True)
        (spec / "kernel.json").write_text(
            '{"argv": ["%s", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "epicene", "language": "python"}' % sys.executable
        )
        os.environ["JUPYTER_PATH"] = os.getcwd()
        self.addCleanup(os.environ.pop, "JUPYTER_PATH", None)
        nbclient.NotebookClient(book, timeout=300, kernel_name="epicene").execute()
        return [[output.get("data", {"text/plain": output.get("text", "")}) for output in cell.outputs] for cell in book.cells]

    def test_models(self):
        run, figures, frame, check = self.outputs("models")
        self.assertIn("<svg", run[-1]["text/html"])
        self.assertIn("demo:mlm", run[-1]["text/html"])
        self.assertIn("<svg", figures[-1]["text/html"])
        self.assertIn("<table", frame[-1]["text/html"])
        self.assertIn("FAIL g_s ", check[-1]["text/plain"])

    def test_comparison(self):
        table, compared, figure, benchmarks = self.outputs("comparison")
        self.assertIn("<table>", table[-1]["text/html"])
        self.assertIn("delta_g_s", compared[-1]["text/html"])
        self.assertIn("<svg", figure[-1]["image/svg+xml"])
        self.assertIn("winomt", benchmarks[-1]["text/html"])


if __name__ == "__main__":
    unittest.main()
