#!/usr/bin/env python3
"""Writes the golden files of the GGUF reader: what the `gguf` package and llama.cpp answer.

    python3 -m venv venv && venv/bin/pip install numpy gguf xllamacpp
    venv/bin/python tools/reference/gguf_golden.py OUT_DIRECTORY [--models DIRECTORY]

types.gguf, types.f32   one tensor of random blocks per type, and its numbers as `gguf` unpacks them
tiny-NAME.gguf          random models of every architecture, with small vocabularies of every kind
llama_cpp.json          token ids and scores of those models, and token ids of the two real models of
                        tools/fetch_models.py where their directory is given (their files are not kept)

Everything random is drawn with SEED. The committed files were written by the versions in the JSON.
"""

import argparse
import importlib.metadata
import json
import sys
from collections import Counter
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

sys.path.insert(0, str(Path(__file__).resolve().parent))
import gguf_sentences
from llama_server import Peer

SEED = 20240611
HIDDEN, INNER, HEADS, LAYERS, CONTEXT = 32, 32, 4, 2, 128
REAL = {"smollm2": "SmolLM2-135M-Instruct.Q4_1.gguf", "gemma-3-270m": "gemma-3-270m-q4_k_m.gguf"}
# Where the 16-bit scales lie in a block, and the block's bytes.
SCALES = {
    Type.Q8_0: [0], Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2],
    Type.Q4_K: [0, 2], Type.Q5_K: [0, 2], Type.Q6_K: [208],
}
COLUMNS = 512


def blocks(rng, kind):
    """Random bytes of one row, with scales that are ordinary numbers."""
    size, count = gguf.GGML_QUANT_SIZES[kind][1], COLUMNS // gguf.GGML_QUANT_SIZES[kind][0]
    raw = rng.integers(0, 256, (count, size), dtype=np.uint8)
    for at in SCALES[kind]:
        scales = rng.normal(0, 0.1, count).astype(np.float16)
        raw[:, at : at + 2] = scales.view(np.uint8).reshape(count, 2)
    return raw.reshape(1, -1)


def types(rng, out):
    writer = gguf.GGUFWriter(out / "types.gguf", "none")
    expected = []
    for kind in [Type.F32, Type.F16, Type.BF16, *SCALES]:
        if kind in SCALES:
            raw = blocks(rng, kind)
            writer.add_tensor(kind.name, raw, raw_dtype=kind)
        else:
            raw = gguf.quants.quantize(rng.normal(0, 1, (1, COLUMNS)).astype(np.float32), kind)
            writer.add_tensor(kind.name, raw, raw_dtype=kind)
        expected.append(gguf.quants.dequantize(raw, kind).astype("<f4").reshape(-1))
    finish(writer)
    np.concatenate(expected).tofile(out / "types.f32")


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def byte_letters():
    """GPT-2's letters for bytes: printable ones stand for themselves, the others follow from 256 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + i) for i, byte in enumerate(others)}


def train(words, count):
    """A few merges, most frequent pair first."""
    words = [(list(word), number) for word, number in Counter(words).items()]
    merges = []
    while len(merges) < count:
        pairs = Counter()
        for word, number in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += number
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for word, _ in words:
            at = 0
            while at < len(word) - 1:
                if (word[at], word[at + 1]) == best:
                    word[at : at + 2] = ["".join(best)]
                at += 1
    return merges


def byte_level(writer, pre, merges=90):
    letters = byte_letters()
    words = [word for text in gguf_sentences.PLAIN for word in (" " + text).replace(" ", "\n ").split("\n") if word]
    words = ["".join(letters[byte] for byte in word.encode()) for word in words]
    pairs = train(words, merges)
    tokens = ["<|endoftext|>", "<|user|>", *letters.values(), *("".join(pair) for pair in pairs)]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3] + [1] * (len(tokens) - 2))
    writer.add_token_merges([" ".join(pair) for pair in pairs])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    return tokens


def sentence_piece(writer, prefix, merges=90):
    words = [word for text in gguf_sentences.PLAIN for word in ("\u2581" + text.replace(" ", "\n\u2581")).split("\n")]
    pairs = ["".join(pair) for pair in train(words, merges)]
    single = sorted({letter for word in words for letter in word} - set("?"))
    own = [] if prefix else ["\n", "\n\n", "  ", "   "]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *own, *pairs, *single]
    kinds = [2, 3, 3] + [6] * 256 + [4] * len(own) + [1] * (len(pairs) + len(single))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * (259 + len(own)) + [-float(i) for i in range(len(pairs) + len(single))])
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    if not prefix:
        writer.add_add_space_prefix(False)
    return tokens


def rotary_factors(size, base, factor=8.0):
    """Llama 3's factors on rotary frequencies, as its converter stores them."""
    frequencies = base ** (-np.arange(0, size, 2) / size)
    waves = 2 * np.pi / frequencies
    low, high = 8192 / 1.0, 8192 / 4.0
    smooth = (8192 / waves - 1.0) / (4.0 - 1.0)
    between = 1 / ((1 - smooth) / factor + smooth)
    return np.where(waves < high, 1.0, np.where(waves > low, factor, between)).astype(np.float32)


def tiny(rng, out, name):
    """A random model; returns its path."""
    architecture = {"llama3": "llama"}.get(name, name)
    path = out / f"tiny-{name}.gguf"
    writer = gguf.GGUFWriter(path, architecture)
    gemma, old = name.startswith("gemma"), name in ("gpt2", "gptneox", "phi2")
    if gemma or name == "llama":
        tokens = sentence_piece(writer, prefix=not gemma)
    else:
        pre = {"llama3": "llama-bpe", "qwen2": "qwen2", "qwen3": "qwen2", "phi2": "phi-2", "gptneox": "smollm"}
        tokens = byte_level(writer, pre.get(name, "gpt-2"))
    size, keys = HIDDEN // HEADS, HEADS if old else HEADS // 2
    if gemma or name == "qwen3":
        size = 16
        writer.add_key_length(size)
        writer.add_value_length(size)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(HIDDEN)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(keys)
    if old:
        writer.add_layer_norm_eps(1e-5)
    else:
        writer.add_layer_norm_rms_eps(1e-6)
        writer.add_rope_freq_base(500000.0 if name == "llama3" else 10000.0)
    if name in ("llama", "llama3"):
        writer.add_rope_dimension_count(size)
    if name in ("gptneox", "phi2"):
        writer.add_rope_dimension_count(size // 2)
    if name == "gptneox":
        writer.add_parallel_residual(True)
    if name in ("gemma2", "gemma3"):
        writer.add_sliding_window(16)
    if name == "gemma2":
        writer.add_attn_logit_softcapping(50.0)
        writer.add_final_logit_softcapping(30.0)

    def add(tensor, *shape, mean=0.0, spread=0.25):
        writer.add_tensor(tensor, rng.normal(mean, spread, shape).astype(np.float32))

    def linear(tensor, outputs, inputs, bias):
        add(f"{tensor}.weight", outputs, inputs)
        if bias:
            add(f"{tensor}.bias", outputs, spread=0.1)

    def norm(tensor, width=HIDDEN):
        add(f"{tensor}.weight", width, mean=1.0, spread=0.2)
        if old:
            add(f"{tensor}.bias", width, spread=0.1)

    add("token_embd.weight", len(tokens), HIDDEN, spread=0.5)
    if name == "gpt2":
        add("position_embd.weight", CONTEXT, HIDDEN, spread=0.3)
    norm("output_norm")
    if name in ("llama3", "gptneox", "phi2"):
        linear("output", len(tokens), HIDDEN, name == "phi2")
    if name == "llama3":
        writer.add_tensor("rope_freqs.weight", rotary_factors(size, 500000.0))
    for layer in range(LAYERS):
        at = f"blk.{layer}."
        norm(at + "attn_norm")
        if name in ("gpt2", "gptneox", "phi2"):
            linear(at + "attn_qkv", 3 * HIDDEN, HIDDEN, True)
        else:
            linear(at + "attn_q", HEADS * size, HIDDEN, name == "qwen2")
            linear(at + "attn_k", keys * size, HIDDEN, name == "qwen2")
            linear(at + "attn_v", keys * size, HIDDEN, name == "qwen2")
        linear(at + "attn_output", HIDDEN, HEADS * size, old)
        if name in ("qwen3", "gemma3"):
            norm(at + "attn_q_norm", size)
            norm(at + "attn_k_norm", size)
        if name in ("gemma2", "gemma3"):
            norm(at + "post_attention_norm")
            norm(at + "post_ffw_norm")
        if name != "phi2":
            norm(at + "ffn_norm")
        if not old:
            linear(at + "ffn_gate", INNER, HIDDEN, False)
        linear(at + "ffn_up", INNER, HIDDEN, old)
        linear(at + "ffn_down", HIDDEN, INNER, old)
    finish(writer)
    return path


def scores(peer, words):
    """Natural log-probability differences of two tokens after some prompts."""
    found = []
    for text in gguf_sentences.PLAIN[:4]:
        ids = peer.encode(text)
        first, second = peer.log_probabilities(ids, words)
        found.append({"ids": ids, "tokens": words, "difference": round(first - second, 6)})
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--models", type=Path)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    types(rng, given.out)
    golden = {
        "versions": {name: importlib.metadata.version(name) for name in ("gguf", "numpy", "xllamacpp")},
        "hard": gguf_sentences.HARD,
        "plain": gguf_sentences.PLAIN,
        "models": {},
    }
    for name in ["llama", "llama3", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "phi2", "gpt2", "gptneox"]:
        peer = Peer(tiny(rng, given.out, name), context=CONTEXT, wide_cache=True)
        texts = gguf_sentences.HARD
        golden["models"][name] = {
            "file": f"tiny-{name}.gguf",
            "ids": [peer.encode(text) for text in texts],
            "scores": scores(peer, [300, 290]),
        }
        del peer
    for name, file in REAL.items() if given.models else ():
        peer = Peer(given.models / file)
        golden["models"][name] = {"file": file, "ids": [peer.encode(text) for text in gguf_sentences.ALL]}
        del peer
    # One model to a line.
    lines = [f'"{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in golden.items() if key != "models"]
    models = [f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in golden["models"].items()]
    lines.append('"models": {\n' + ",\n".join(models) + "\n}")
    (given.out / "llama_cpp.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
