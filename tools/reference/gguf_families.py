#!/usr/bin/env python3
"""Writes random GGUF models of the architectures that followed those of gguf_golden.py, and what llama.cpp answers.

    python3 -m venv venv && venv/bin/pip install numpy gguf xllamacpp
    venv/bin/python tools/reference/gguf_families.py OUT_DIRECTORY [NAME…]

tiny-NAME.gguf      a random model with a small byte-level vocabulary
words-PRE.gguf      no more than a vocabulary whose words are cut in the way called PRE
families.json       scores of those models, and ids of hard texts where the cutting of words is new

Everything random is drawn with SEED and the model's name. The committed files were written by the versions in the JSON.
"""

import argparse
import importlib.metadata
import json
import sys
import zlib
from pathlib import Path

import gguf
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import gguf_sentences
from gguf_golden import byte_level, finish, scores
from llama_server import Peer

SEED = 20261116
HIDDEN, INNER, HEADS, CONTEXT, SIZE = 32, 32, 4, 128, 8
EXPERTS, CHOSEN = 4, 2

TIED = {"falcon-two", "mpt", "bloom", "granitemoe", "qwen3moe", "phi3-part", "granite", "smollm3", "command-r", "cohere2", "starcoder2", "exaone4"}
# What each has: the norms' kind, the biases, the network, and keys of its own.
LAYER_NORM = {"command-r", "cohere2", "stablelm", "starcoder2", "nemotron", "falcon", "falcon-two", "bloom", "mpt"}
BIASED_NORM = {"stablelm", "starcoder2", "nemotron", "falcon", "falcon-two", "bloom"}
NORMS = {
    "olmo2": ["post_attention_norm", "post_ffw_norm"],
    "olmo3": ["post_attention_norm", "post_ffw_norm"],
    "exaone4": ["post_attention_norm", "post_ffw_norm"],
    "glm4": ["attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"],
    "gpt-oss": ["attn_norm", "post_attention_norm"],
    "command-r": ["attn_norm"],
    "cohere2": ["attn_norm"],
    "falcon": ["attn_norm"],
    "falcon-two": ["attn_norm", "attn_norm_2"],
}
FUSED = {"phi3", "phi3-part", "falcon", "falcon-two", "bloom", "mpt"}
WITHOUT_GATE = {"starcoder2", "nemotron", "falcon", "falcon-two", "bloom", "mpt"}
LATER = {"granitemoe", "falcon", "falcon-two", "bloom", "mpt"}
KEYS = {"olmoe": HEADS, "bloom": HEADS, "mpt": HEADS, "falcon": 1}
WIDE_NORMS = {"olmo2", "olmo3", "olmoe"}
HEAD_NORMS = {"qwen3moe", "exaone4"}
MIXTURES = {"granitemoe", "mixtral", "qwen2moe", "qwen3moe", "olmoe", "gpt-oss"}
BIASED_QUERIES = {"qwen2moe", "glm4", "starcoder2", "gpt-oss"}
PARTLY_TURNED = {"glm4", "stablelm", "nemotron", "phi3-part"}
ARCHITECTURE = {"falcon-two": "falcon", "mixtral": "llama", "phi3-part": "phi3", "olmo3": "olmo2"}
PRE = {"glm4": "chatglm-bpe", "phi3-part": "gpt-4o", "smollm3": "llama-bpe", "exaone4": "gpt-2", "falcon": "falcon", "bloom": "bloom", "mpt": "mpt", "falcon-two": "deepseek-v3"}
NAMES = [
    "mixtral", "qwen2moe", "qwen3moe", "olmoe", "phi3", "phi3-part", "olmo2", "olmo3", "granite", "smollm3", "command-r",
    "cohere2", "glm4", "stablelm", "starcoder2", "nemotron", "exaone4", "gpt-oss",
    "granitemoe", "falcon", "falcon-two", "bloom", "mpt", "words-deepseek-llm", "words-deepseek-coder", "words-kimi-k2",
]


def tiny(out, name):
    rng = np.random.default_rng([SEED, zlib.crc32(name.encode())])
    path = out / f"tiny-{name}.gguf"
    writer = gguf.GGUFWriter(path, ARCHITECTURE.get(name, name))
    # Where every fourth layer is another; keys for each query where llama.cpp wants it so.
    layers = 4 if name in ("smollm3", "cohere2", "olmo3") else 1 if name in LATER else 2
    keys = KEYS.get(name, HEADS // 2)
    inner = 4 * HIDDEN if name in ("bloom", "mpt") else INNER
    tokens = byte_level(writer, PRE.get(name, "qwen2"), merges=60)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(HIDDEN)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(keys)
    writer.add_rope_freq_base(10000.0)
    writer.add_rope_dimension_count(SIZE // 2 if name in PARTLY_TURNED else SIZE)
    if name in LAYER_NORM:
        writer.add_layer_norm_eps(1e-5)
    else:
        writer.add_layer_norm_rms_eps(1e-6)
    if name in MIXTURES:
        writer.add_expert_count(EXPERTS)
        writer.add_expert_used_count(CHOSEN)
    if name in ("qwen2moe", "qwen3moe", "gpt-oss"):
        writer.add_expert_feed_forward_length(INNER)
    if name == "qwen2moe":
        writer.add_expert_shared_feed_forward_length(INNER)
    if name in ("cohere2", "olmo3", "gpt-oss"):
        writer.add_sliding_window(8)
    if name == "phi3":
        writer.add_sliding_window(0)
        writer.add_rope_scaling_orig_ctx_len(CONTEXT)
    if name in ("command-r", "cohere2"):
        writer.add_logit_scale(0.25)
    if name == "mpt":
        writer.add_max_alibi_bias(8.0)
        writer.add_clamp_kqv(1.5)
    if name in ("granite", "granitemoe"):
        writer.add_attention_scale(0.2)
        writer.add_embedding_scale(3.0)
        writer.add_residual_scale(0.4)
        writer.add_logit_scale(4.0)
    if name == "stablelm":
        writer.add_parallel_residual(False)

    def add(tensor, *shape, mean=0.0, spread=0.25):
        writer.add_tensor(tensor, rng.normal(mean, spread, shape).astype(np.float32))

    def linear(tensor, outputs, inputs, bias=False):
        add(f"{tensor}.weight", outputs, inputs)
        if bias:
            add(f"{tensor}.bias", outputs, spread=0.1)

    def norm(tensor, *width):
        add(f"{tensor}.weight", *(width or (HIDDEN,)), mean=1.0, spread=0.2)
        if name in BIASED_NORM:
            add(f"{tensor}.bias", *(width or (HIDDEN,)), spread=0.1)

    add("token_embd.weight", len(tokens), HIDDEN, spread=0.5)
    norm("output_norm")
    if name not in TIED:
        linear("output", len(tokens), HIDDEN)
    if name == "bloom":
        norm("token_embd_norm")
    everywhere = name in ("starcoder2", "gpt-oss", "bloom")
    for layer in range(layers):
        at = f"blk.{layer}."
        for part in NORMS.get(name, ["attn_norm", "ffn_norm"]):
            norm(at + part)
        if name in FUSED:
            linear(at + "attn_qkv", (HEADS + 2 * keys) * SIZE, HIDDEN, everywhere)
        else:
            for part, heads in (("q", HEADS), ("k", keys), ("v", keys)):
                linear(f"{at}attn_{part}", heads * SIZE, HIDDEN, name in BIASED_QUERIES)
        linear(at + "attn_output", HIDDEN, HEADS * SIZE, everywhere)
        if name in WIDE_NORMS | HEAD_NORMS:
            wide = name in WIDE_NORMS
            norm(at + "attn_q_norm", HEADS * SIZE if wide else SIZE)
            norm(at + "attn_k_norm", keys * SIZE if wide else SIZE)
        if name == "gpt-oss":
            add(at + "attn_sinks.weight", HEADS)
        if name in MIXTURES:
            linear(at + "ffn_gate_inp", EXPERTS, HIDDEN, everywhere)
            for part, outputs, inputs in (("gate", INNER, HIDDEN), ("up", INNER, HIDDEN), ("down", HIDDEN, INNER)):
                add(f"{at}ffn_{part}_exps.weight", EXPERTS, outputs, inputs)
                if everywhere:
                    add(f"{at}ffn_{part}_exps.bias", EXPERTS, outputs, spread=0.1)
                if name == "qwen2moe":
                    add(f"{at}ffn_{part}_shexp.weight", outputs, inputs)
            if name == "qwen2moe":
                add(at + "ffn_gate_inp_shexp.weight", HIDDEN)
            continue
        if name.startswith("phi3") or name == "glm4":
            linear(at + "ffn_up", 2 * INNER, HIDDEN)
        else:
            if name not in WITHOUT_GATE:
                linear(at + "ffn_gate", INNER, HIDDEN)
            linear(at + "ffn_up", inner, HIDDEN, everywhere)
        linear(at + "ffn_down", HIDDEN, inner, everywhere)
    finish(writer)
    return path


def words(out, name):
    """The smallest model llama.cpp opens."""
    path = out / f"{name}.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    tokens = byte_level(writer, name.removeprefix("words-"), merges=60)
    size = 2
    for add, value in ((writer.add_context_length, CONTEXT), (writer.add_embedding_length, size), (writer.add_block_count, 1),
                       (writer.add_feed_forward_length, size), (writer.add_head_count, 1), (writer.add_layer_norm_rms_eps, 1e-6)):
        add(value)
    writer.add_tensor("token_embd.weight", np.ones((len(tokens), size), np.float16))
    for norm in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{norm}.weight", np.ones(size, np.float32))
    for map in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"blk.0.{map}.weight", np.ones((size, size), np.float16))
    finish(writer)
    return path


def keep(path, models):
    """One model to a line."""
    versions = {name: importlib.metadata.version(name) for name in ("gguf", "numpy", "xllamacpp")}
    lines = [f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in models.items()]
    path.write_text('{\n"versions": ' + json.dumps(versions) + ',\n"models": {\n' + ",\n".join(lines) + "\n}\n}\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    models = {}
    for name in given.names:
        if name.startswith("words-"):
            path = words(given.out, name)
            peer = Peer(path, context=CONTEXT)
            models[name] = {"file": path.name, "ids": [peer.encode(text) for text in gguf_sentences.HARD]}
            continue
        peer = Peer(tiny(given.out, name), context=CONTEXT, wide_cache=True)
        models[name] = {"file": f"tiny-{name}.gguf", "scores": scores(peer, [300, 290])}
        if PRE.get(name) in ("gpt-4o", "chatglm-bpe", "falcon", "bloom", "deepseek-v3"):
            models[name]["ids"] = [peer.encode(text) for text in gguf_sentences.HARD]
        del peer
    kept = given.out / "families.json"
    if given.names != NAMES and kept.exists():  # the others stay as they are
        models = {**json.loads(kept.read_text(encoding="utf-8"))["models"], **models}
    keep(kept, models)


if __name__ == "__main__":
    main()
