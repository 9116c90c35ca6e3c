#!/usr/bin/env python3
"""Compares the hidden states of an encoder between `transformers` and epicene's engine.

    pip install torch transformers
    cargo run --release -p epicene-engine --example hidden_states -- CHECKPOINT < sentences.txt > ours.jsonl
    python tools/reference/encoder.py CHECKPOINT sentences.txt ours.jsonl

Prints the largest absolute difference. No randomness. Used on all-MiniLM-L6-v2, which has no language-model head.
"""
import json
import sys

import torch
from transformers import AutoModel, AutoTokenizer

checkpoint, sentences, ours = sys.argv[1:]
tokenizer = AutoTokenizer.from_pretrained(checkpoint)
model = AutoModel.from_pretrained(checkpoint).eval()
worst = 0.0
with open(sentences, encoding="utf-8") as texts, open(ours, encoding="utf-8") as states:
    for count, (text, line) in enumerate(zip(texts, states), 1):
        with torch.no_grad():
            expected = model(**tokenizer(text.rstrip("\n"), return_tensors="pt")).last_hidden_state[0]
        worst = max(worst, (expected - torch.tensor(json.loads(line))).abs().max().item())
print(f"{count} sentences, largest difference {worst:.2e}")
