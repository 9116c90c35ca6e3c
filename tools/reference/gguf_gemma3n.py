#!/usr/bin/env python3
"""A random Gemma 3n of the widths llama.cpp takes, as a checkpoint and as GGUF, with what `transformers` and llama.cpp answer.

    venv/bin/python tools/reference/gguf_gemma3n.py crates/engine/engine/tests/checkpoints OUT_DIRECTORY
    EPICENE_GGUF=OUT_DIRECTORY cargo test -p epicene-engine --test it random_models -- --nocapture

llama.cpp has the narrow maps' width (64), that of the tokens' vectors (256), the layers that share keys (those from the 21st on)
and the cut-off gates (those of the first ten layers) in its program: the file has 22 layers (--layers) and 11 MB and is not kept. It takes
the standard deviation of gates with n - 1, the published models with n, and looks its GELU up in a table of 16-bit numbers; the
comparison is with `transformers` made to do both, and how much that moves the scores is printed too. What is left grows with the
layers: 1e-6 with one, 2e-3 with 22.
"""

import argparse
import json
import math
import shutil
import sys
from pathlib import Path

import numpy as np
import torch
import transformers as hf
from safetensors.torch import save_file
from transformers.models.gemma3n import modeling_gemma3n

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gguf_converted import asked, write
from llama_server import Peer

SEED = 20261116


def cut_off(self, inputs):
    """As `Gemma3nTextMLP._gaussian_topk`, with n - 1."""
    deviations = torch.distributions.normal.Normal(0, 1).icdf(torch.tensor(self.activation_sparsity, dtype=torch.float32))
    cutoff = inputs.mean(-1, keepdim=True) + inputs.std(-1, keepdim=True, unbiased=True) * deviations
    return torch.relu(inputs - cutoff)


class LookedUp(torch.nn.Module):
    """GELU by a table of 16-bit numbers."""

    def forward(self, inputs):
        found = torch.nn.functional.gelu(inputs.half().float(), approximate="tanh").half().float()
        return torch.where(inputs.abs() < 10, found, torch.relu(inputs))


def made(out, vocabulary, layers):
    config = hf.Gemma3nTextConfig(
        hidden_size=32, num_hidden_layers=layers, num_kv_shared_layers=max(layers - 20, 0), num_attention_heads=4, num_key_value_heads=2, head_dim=8,
        intermediate_size=512, sliding_window=8, laurel_rank=64, hidden_size_per_layer_input=256, vocab_size=vocabulary,
        vocab_size_per_layer_input=vocabulary, max_position_embeddings=128, bos_token_id=1, eos_token_id=2, pad_token_id=0,
        layer_types=["full_attention" if layer % 5 == 4 else "sliding_attention" for layer in range(layers)],
        activation_sparsity_pattern=([0.95] * 10 + [0.0] * layers)[:layers])
    model = hf.Gemma3nForCausalLM._from_config(config, attn_implementation="eager", dtype=torch.float32).eval()
    rng = np.random.default_rng(SEED)
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            mean, spread = (1.0, 0.2) if name.endswith(("norm.weight", "scale")) else (0.0, 0.5 if "embed_tokens" in name else 0.25)
            weight.copy_(torch.from_numpy(rng.normal(mean, spread, tuple(weight.shape)).astype(np.float32)))
    model.tie_weights()
    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items() if name != "lm_head.weight"}, out / "model.safetensors")
    (out / "config.json").write_text(json.dumps(config.to_dict()), encoding="utf-8")
    return model


def score(model, row):
    with torch.no_grad():
        logits = model(torch.tensor([row["ids"]])).logits[0, -1]
    return float(logits[row["id_m"]] - logits[row["id_f"]]) / math.log(10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layers", type=int, default=22)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    shutil.copy(given.checkpoints / "gemma3n/tokenizer.json", given.out)
    rows = json.loads((given.checkpoints / "gemma3n/golden.json").read_text(encoding="utf-8"))["causal"]
    vocabulary = len(json.loads((given.out / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"])
    model = made(given.out, vocabulary, given.layers)
    published = [score(model, row) for row in rows]
    modeling_gemma3n.Gemma3nTextMLP._gaussian_topk = cut_off
    for part in model.modules():
        if hasattr(part, "act_fn"):
            part.act_fn = LookedUp()
    rows = [dict(row, score=score(model, row)) for row in rows]
    path = write(given.out / "gemma3n.gguf", given.out, wide=True)
    found, worst = asked(Peer(path, context=128, wide_cache=True), {"causal": rows})
    moved = max(abs(row["score"] - own) for row, own in zip(rows, published))
    print(f"{given.layers} layers: llama.cpp is within {worst:.1e} of transformers with its arithmetic, which moves scores by up to {moved:.1e}")
    exact = [dict(row, difference=own * math.log(10)) for row, own in zip(found, published)]
    models = {"gemma3n": {"file": path.name, "scores": exact}}
    (given.out / "scores.json").write_text(json.dumps({"models": models}), encoding="utf-8")


if __name__ == "__main__":
    main()
