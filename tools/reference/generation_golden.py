#!/usr/bin/env python3
"""Texts that `transformers.generate` writes with the tiny checkpoints; the judge of `crates/engine/engine/tests/it/generation.rs`.

    pip install torch==2.6.0 transformers==4.57.6
    python tools/reference/generation_golden.py crates/engine/engine/tests/checkpoints crates/engine/engine/tests/golden/generation.json

Names of checkpoints behind that are made anew and the others' texts kept. For each checkpoint 20 prompts (eight for the settings that are not plain; of our own; a prompt whose text has two next tokens within 2e-4 anywhere is passed over,
because arithmetic in another order may decide it otherwise), greedily, 200 tokens, without and with the settings below. For
one checkpoint the probabilities of the first token under several ways of drawing, from `transformers`' own warpers.
"""
import json
import pathlib
import sys

import torch
import transformers as hf
from transformers.generation.logits_process import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

CHECKPOINTS = ["llama", "gpt2", "qwen3", "gemma2", "gpt_neox", "mistral", "phi", "gemma3n"]
SETTINGS = {
    "plain": {"max_new_tokens": 200, "min_new_tokens": 200},
    "ends": {"max_new_tokens": 60},
    "bans": {"max_new_tokens": 60, "repetition_penalty": 1.3, "no_repeat_ngram_size": 3, "min_length": 30,
             "bad_words_ids": [[40], [50, 60]], "suppress_tokens": [41, 42], "begin_suppress_tokens": [45]},
}
PROMPTS = [f"{start} {end}" for start in ["I like", "The doctor said that", "My sister and", "We never", "He", "She told me", "Once upon a time", "Why do"]
           for end in ["the garden", "people", "to work at night and", "it was cold", "her brother", "a very long walk in the rain, which I"]]
SAMPLING = [{"temperature": 0.7}, {"temperature": 1.5, "top_k": 20}, {"temperature": 1.0, "top_p": 0.8},
            {"temperature": 0.9, "top_k": 30, "top_p": 0.6}]


def gap(scores):
    """The least distance between the two best scores of any step."""
    least = float("inf")
    for step in scores:
        best = torch.topk(step[0].double(), 2).values
        least = min(least, float(best[0] - best[1]))
    return least


def main():
    folder, out = map(pathlib.Path, sys.argv[1:3])
    names = sys.argv[3:]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    golden = {"prompts": PROMPTS, "settings": SETTINGS, "texts": [], "sampling": []}
    if names:
        golden = json.loads(out.read_text())
        golden["texts"] = [text for text in golden["texts"] if text["checkpoint"] not in names]
    for name in names or CHECKPOINTS:
        tokenizer = hf.AutoTokenizer.from_pretrained(folder / name)
        model = hf.AutoModelForCausalLM.from_pretrained(folder / name, torch_dtype=torch.float32, attn_implementation="eager").eval()
        model.generation_config.pad_token_id = 0
        for setting, fields in SETTINGS.items():
            fields = dict(fields)
            if name == "gpt2":  # 128 positions
                fields["max_new_tokens"] = min(fields["max_new_tokens"], 60)
                if "min_new_tokens" in fields:
                    fields["min_new_tokens"] = fields["max_new_tokens"]
            kept = 0
            for place, prompt in enumerate(PROMPTS):
                ids = tokenizer(prompt, return_tensors="pt").input_ids
                with torch.no_grad():
                    made = model.generate(ids, do_sample=False, return_dict_in_generate=True, output_scores=True, **fields)
                if gap(made.scores) < 2e-4:
                    continue
                kept += 1
                golden["texts"].append({"checkpoint": name, "setting": setting, "fields": fields, "prompt": place,
                                        "ids": ids[0].tolist(), "written": made.sequences[0, ids.shape[1]:].tolist()})
                if kept == (20 if setting == "plain" else 8):
                    break
            print(name, setting, kept, flush=True)
        if name == "llama":
            ids = tokenizer(PROMPTS[1], return_tensors="pt").input_ids
            with torch.no_grad():
                logits = model(ids).logits[:, -1].double()
            for way in SAMPLING:
                warped = TemperatureLogitsWarper(way["temperature"])(ids, logits / 4)
                # A flatter distribution: more tokens that count.
                if "top_k" in way:
                    warped = TopKLogitsWarper(way["top_k"])(ids, warped)
                if "top_p" in way:
                    warped = TopPLogitsWarper(way["top_p"])(ids, warped)
                golden["sampling"].append({**way, "temperature": way["temperature"] * 4, "checkpoint": name, "prompt": 1,
                                           "probabilities": [float(f"{p:.9g}") for p in torch.softmax(warped, -1)[0].tolist()]})
                print(way, int((torch.softmax(warped, -1) > 0).sum()))
        out.write_text(json.dumps(golden) + "\n")


main()
