"""Three sessions as people write them in notebooks; every number is the command line's, to the last digit."""
import json
import unittest

import support

import epicene


class DemoModels(support.InDirectory):
    def test_rows_are_those_of_the_command_line(self):
        result = epicene.run("gest", model=["demo:mlm", "demo:clm", "random:1"], data="epicene-mini", bootstrap=200, out="here")
        told = support.results("run", "gest", "--model", "demo:mlm", "--model", "demo:clm", "--model", "random:1", "--data", "epicene-mini", "--bootstrap", 200, "--out", "there")
        self.assertEqual(result.rows, told["rows"])
        self.assertEqual(result.signature, told["signature"])
        self.assertEqual(result.format("json"), support.command("report", "there", "--format", "json").stdout)
        # The same directory again, by either of them: nothing is asked twice, and the bytes are the same.
        self.assertEqual(support.results("report", "here")["rows"], told["rows"])

        lines = support.command("items", "there").stdout.splitlines()
        self.assertEqual(result.items, [json.loads(line) for line in lines])
        self.assertEqual({figure.name for figure in result.figures()} != set(), True)
        self.assertIn("demo:mlm", result._repr_html_())
        self.assertIn("<svg", result._repr_html_())
        best = result.value("g_s", system="demo:mlm", unit="all", group="all")
        self.assertEqual(best["ideal"], 1.0)

        again = epicene.measure(result, convention="true", seed=3)
        self.assertEqual(again.rows, support.results("report", "there", "--convention", "true", "--seed", 3)["rows"])
        self.assertNotEqual(again.rows, result.rows)

        compared = epicene.compare(result, systems=["demo:mlm", "demo:clm"], rounds=500)
        told = support.results("compare", "there", "--systems", "demo:mlm,demo:clm", "--rounds", 500)
        self.assertEqual(compared.rows, told["rows"])

        page = epicene.report(result, output="page.html")
        self.assertIn("demo:mlm", page.read_text("utf-8"))

    def test_tables(self):
        import pandas
        import polars
        import pyarrow

        result = epicene.run("gest", model="random:1", data="epicene-mini", bootstrap=100)
        table = result.table()
        self.assertEqual(pyarrow.table(table).to_pylist(), result.rows)
        self.assertEqual(polars.DataFrame(table).to_dicts(), result.rows)
        frame = table.pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame.columns), list(result.rows[0]))
        self.assertEqual([float(value) for value in frame["value"]], [row["value"] for row in result.rows])
        self.assertEqual(len(result.table("polars")), len(table))
        # Twice: a stream is read once, a table as often as wanted.
        self.assertEqual(pyarrow.table(table).num_rows, len(result))


class GestFromFiles(support.InDirectory):
    def test_rows_are_those_of_the_command_line(self):
        place = support.shared() / "gest"
        data = next(iter(place.rglob("gest.csv")))
        scores = next(iter(place.rglob("english_mlm.csv.gz")))
        result = epicene.run("gest", model=f"file:{scores}", data=data, bootstrap=50, out="here")
        told = support.results("run", "gest", "--model", f"file:{scores}", "--data", data, "--bootstrap", 50, "--out", "there")
        self.assertEqual(result.rows, told["rows"])
        self.assertEqual(result.signature, told["signature"])
        self.assertGreater(len({row["system"] for row in result.rows}), 10)


class Verdicts(support.InDirectory):
    TEXTS = ["Bola som veľmi unavená.", "Bol som doma.", "Pršalo.", "", "Som\tšťastná žena."]

    def test_detect(self):
        lines = support.command("detect", "--lang", "sk", "--json", input="".join(text + "\n" for text in self.TEXTS)).stdout
        found = epicene.detect(self.TEXTS, lang="sk")
        self.assertEqual(found, [epicene.Verdict.of(json.loads(line)) for line in lines.splitlines()])
        self.assertEqual([verdict.verdict for verdict in found][:3], ["f", "m", "u"])
        one = epicene.detect("Bola som rada.", lang="sk", mode="published")
        self.assertEqual(one.verdict, "f")
        self.assertTrue(all(one.text[start:end] == word for word, start, end in one.evidence) and one.evidence)
        self.assertEqual(epicene.detect([], lang="sk"), [])

    def test_judge(self):
        people = [
            ("The nurse slept.", "nurse", "Die Krankenschwester schlief."),
            ("The nurse slept.", 1, "Der Krankenpfleger schlief."),
        ]
        self.assertEqual([verdict.verdict for verdict in epicene.judge(people, lang="de")], ["f", "m"])
        linked = epicene.judge(["La femme médecin est venue."], lang="fr", person="doctor")[0]
        self.assertEqual(linked.verdict, "f")


if __name__ == "__main__":
    unittest.main()
