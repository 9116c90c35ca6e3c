"""Real `transformers` models through Python against epicene's own engine. Needs torch and transformers."""
import unittest

import support

import epicene

RUN = dict(data="epicene-mini", limit=60, bootstrap=50)


def observed(result):
    return {(item["id"], item["unit"]): item["observation"]["log10_ratio"] for item in result.items}


class Transformers(support.InDirectory):
    def compare(self, benchmark, loader, name):
        from transformers import AutoTokenizer

        place = support.REPOSITORY / "models" / name
        model = loader.from_pretrained(place, torch_dtype="float32")
        tokenizer = AutoTokenizer.from_pretrained(place)
        through = epicene.run(benchmark, system=model, tokenizer=tokenizer, name="through", **RUN)
        engine = epicene.run(benchmark, model=f"dir:{place}", **RUN)
        ours, theirs = observed(engine), observed(through)
        self.assertEqual(set(ours), set(theirs))
        worst = max(abs(ours[key] - theirs[key]) for key in ours)
        print(f"{name}: {len(ours)} scores, largest difference {worst:.2e}")
        self.assertLess(worst, 1e-4)
        rows = {(row["unit"], row["group"], row["metric"]): row["value"] for row in engine.rows}
        for row in through.rows:
            self.assertAlmostEqual(row["value"], rows[row["unit"], row["group"], row["metric"]], delta=1e-3)

    def test_masked(self):
        from transformers import AutoModelForMaskedLM

        self.compare("gest", AutoModelForMaskedLM, "mlm")

    def test_causal(self):
        from transformers import AutoModelForCausalLM

        self.compare("gest", AutoModelForCausalLM, "clm")

    def test_sentence_likelihoods(self):
        from transformers import AutoModelForMaskedLM, AutoTokenizer

        place = support.REPOSITORY / "models" / "mlm"
        model = AutoModelForMaskedLM.from_pretrained(place, torch_dtype="float32", attn_implementation="eager")
        tokenizer = AutoTokenizer.from_pretrained(place)
        options = dict(data="epicene-parallel", weight="none", bootstrap=50)
        through = epicene.run("mbe", system=model, tokenizer=tokenizer, name="through", **options)
        engine = epicene.run("mbe", model=f"dir:{place}", **options)
        values = {(row["unit"], row["group"], row["metric"]): row["value"] for row in engine.rows}
        for row in through.rows:
            self.assertAlmostEqual(row["value"], values[row["unit"], row["group"], row["metric"]], delta=1e-3)


if __name__ == "__main__":
    unittest.main()
