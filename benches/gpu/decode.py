#!/usr/bin/env python3
"""Decoding on a GPU with `transformers.generate`: the peer of the examples `seq2seq_bench` and `generation_bench`.

    python benches/gpu/decode.py CACHE --shape nllb-600m --make TOKENIZER_FOLDER
    python benches/gpu/decode.py CACHE --shape nllb-600m --prompts SOURCES.txt --batches 64,128,320,640 --length 26
    python benches/gpu/decode.py CACHE --shape nllb-600m --prompts SOURCES.txt --ids --beams 5 --dtype float32
    python benches/gpu/decode.py CACHE --shape llama-8b --make TOKENIZER_FOLDER
    python benches/gpu/decode.py CACHE --shape llama-8b --prompts PROMPTS.txt --batches 250,1000 --length 128

Checkpoints have random weights (seeded) and the tokenizer of a tiny checkpoint of the tests. `--ids` prints what is written,
one list a line, to its natural end or of `--length`, `--batches` at once. One line of JSON per measurement.
"""
import argparse
import json
import os
import shutil
import time

import torch
import transformers as hf

SHAPES = {
    "nllb-600m": lambda: hf.M2M100ForConditionalGeneration(hf.M2M100Config(
        vocab_size=256206, d_model=1024, encoder_ffn_dim=4096, decoder_ffn_dim=4096, scale_embedding=True, init_std=0.05)),
    "marian-base": lambda: hf.MarianMTModel(hf.MarianConfig(
        vocab_size=58101, decoder_vocab_size=58101, d_model=512, encoder_layers=6, decoder_layers=6, encoder_ffn_dim=2048,
        decoder_ffn_dim=2048, encoder_attention_heads=8, decoder_attention_heads=8, scale_embedding=True, init_std=0.05,
        pad_token_id=58100, decoder_start_token_id=58100, eos_token_id=0, forced_eos_token_id=0)),
    "nllb-6": lambda: hf.M2M100ForConditionalGeneration(hf.M2M100Config(
        vocab_size=32000, d_model=512, encoder_layers=6, decoder_layers=6, encoder_ffn_dim=2048, decoder_ffn_dim=2048,
        encoder_attention_heads=8, decoder_attention_heads=8, scale_embedding=True, init_std=0.08)),
    "t5-small": lambda: hf.T5ForConditionalGeneration(hf.T5Config(
        d_model=256, d_kv=32, d_ff=512, num_layers=4, num_decoder_layers=4, num_heads=8, vocab_size=1024, decoder_start_token_id=0)),
    "t5-gated": lambda: hf.T5ForConditionalGeneration(hf.T5Config(
        d_model=256, d_kv=64, d_ff=512, num_layers=4, num_decoder_layers=4, num_heads=4, vocab_size=1024, decoder_start_token_id=0,
        feed_forward_proj="gated-gelu", tie_word_embeddings=False)),
    "llama-1b": lambda: hf.LlamaForCausalLM(hf.LlamaConfig(
        vocab_size=128256, hidden_size=2048, intermediate_size=8192, num_hidden_layers=16, num_attention_heads=32, num_key_value_heads=8)),
    "llama-8b": lambda: hf.LlamaForCausalLM(hf.LlamaConfig(
        vocab_size=128256, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8)),
}


def make(folder, shape, tokenizer, dtype):
    torch.manual_seed(7)
    torch.set_default_dtype(dtype)
    with torch.device("cuda"):
        model = SHAPES[shape]()
    torch.set_default_dtype(torch.float32)
    old = json.load(open(os.path.join(tokenizer, "config.json")))
    if shape.startswith("marian"):
        # As many pieces as the shape has, padding the last of them.
        pieces = json.load(open(os.path.join(tokenizer, "vocab.json")))
        known = [piece for piece, _ in sorted(pieces.items(), key=lambda item: item[1])][:-1]
        known += [f"▁unused{i}" for i in range(model.config.vocab_size - 1 - len(known))] + ["<pad>"]
        os.makedirs(folder, exist_ok=True)
        json.dump({piece: i for i, piece in enumerate(known)}, open(os.path.join(folder, "vocab.json"), "w"))
        old = {}
    for field in ["bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id"]:
        if old.get(field) is not None:
            setattr(model.config, field, old[field])
            setattr(model.generation_config, field, old[field])
    model.save_pretrained(folder, max_shard_size="5GB")
    for name in ["tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "sentencepiece.bpe.model", "spiece.model", "source.spm",
                 "target.spm"]:
        if os.path.exists(os.path.join(tokenizer, name)):
            shutil.copy(os.path.join(tokenizer, name), folder)


def padded(prompts, causal, pad):
    """One batch; a causal model's prompts end together."""
    longest = max(len(prompt) for prompt in prompts)
    rows, masks = [], []
    for prompt in prompts:
        gap = longest - len(prompt)
        rows.append([pad] * gap + prompt if causal else prompt + [pad] * gap)
        masks.append([0] * gap + [1] * len(prompt) if causal else [1] * len(prompt) + [0] * gap)
    return torch.tensor(rows, device="cuda"), torch.tensor(masks, device="cuda")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("--shape", choices=SHAPES, required=True)
    parser.add_argument("--make")
    parser.add_argument("--prompts", help="lines of token numbers")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--batches", default="")
    parser.add_argument("--length", type=int, default=0)
    parser.add_argument("--beams", type=int, default=5)
    parser.add_argument("--first", type=int, default=None, help="the token every translation begins with")
    parser.add_argument("--ids", action="store_true")
    parser.add_argument("--dtype", default="bfloat16")
    arguments = parser.parse_args()
    hf.logging.set_verbosity_error()
    folder = os.path.join(arguments.cache, arguments.shape)
    dtype = getattr(torch, arguments.dtype)
    if arguments.make:
        return make(folder, arguments.shape, arguments.make, dtype)
    causal = arguments.shape.startswith("llama")
    kind = hf.AutoModelForCausalLM if causal else hf.AutoModelForSeq2SeqLM
    model = kind.from_pretrained(folder, dtype=dtype).eval().cuda()
    prompts = [[int(token) for token in line.split()] for line in open(arguments.prompts)][: arguments.limit or None]
    how = dict(do_sample=False, num_beams=1 if causal else arguments.beams)
    if arguments.first is not None:
        how["forced_bos_token_id"] = arguments.first
    if arguments.length:
        how.update(min_new_tokens=arguments.length, max_new_tokens=arguments.length)
    with torch.inference_mode():
        if arguments.ids:
            ending = {} if arguments.length else dict(max_length=60)
            at_once = int(arguments.batches or 1)
            for first in range(0, len(prompts), at_once):
                ids, mask = padded(prompts[first:first + at_once], causal, model.config.pad_token_id or 0)
                for made in model.generate(input_ids=ids, attention_mask=mask, **ending, **how).tolist():
                    print(json.dumps(made), flush=True)
            return
        for batch in [int(size) for size in arguments.batches.split(",") if size]:
            # Like lengths together, the longest first: what a careful user would do.
            few = prompts[:3] if batch == 1 else sorted(prompts, key=len, reverse=True)
            started = 0
            for warm in (True, False):
                torch.cuda.synchronize()
                started = time.perf_counter()
                for first in range(0, min(len(few), batch) if warm else len(few), batch):
                    ids, mask = padded(few[first:first + batch], causal, model.config.pad_token_id or 0)
                    model.generate(input_ids=ids, attention_mask=mask, **how)
                torch.cuda.synchronize()
            wall = time.perf_counter() - started
            print(json.dumps(dict(engine="transformers", shape=arguments.shape, batch=batch, texts=len(few), wall_s=round(wall, 3),
                                  ms_per_text=round(1000 * wall / len(few), 3), torch=torch.__version__, transformers=hf.__version__)), flush=True)


if __name__ == "__main__":
    main()
