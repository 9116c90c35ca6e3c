#!/usr/bin/env python3
"""A small Llama checkpoint with a byte-level vocabulary as GGUF in 32 bits: to_gguf.py MODEL-DIRECTORY OUT.gguf

What llama.cpp's own converter does for the demonstration model, whose pre-tokenizer it does not recognise.
"""
import json
import os
import sys

import gguf
import numpy as np
from safetensors import safe_open


def permuted(matrix, heads):
    """llama.cpp rotates neighbours, transformers halves."""
    return matrix.reshape(heads, 2, matrix.shape[0] // heads // 2, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)


def main(source, target):
    read = lambda name: json.load(open(os.path.join(source, name), encoding="utf-8"))
    config, tokenizer = read("config.json"), read("tokenizer.json")
    writer = gguf.GGUFWriter(target, "llama")
    heads = config["num_attention_heads"]
    writer.add_name("demo")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_vocab_size(config["vocab_size"])
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    tokens = sorted(tokenizer["model"]["vocab"].items(), key=lambda entry: entry[1])
    special = {token["id"] for token in tokenizer["added_tokens"]}
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([token for token, _ in tokens])
    writer.add_token_types([gguf.TokenType.CONTROL if number in special else gguf.TokenType.NORMAL for _, number in tokens])
    writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in tokenizer["model"]["merges"]])
    writer.add_bos_token_id(config["bos_token_id"])
    writer.add_eos_token_id(config["eos_token_id"])
    writer.add_pad_token_id(config["pad_token_id"])
    writer.add_add_bos_token(True)
    names = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
             "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm", "mlp.gate_proj": "ffn_gate",
             "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
    for file in sorted(name for name in os.listdir(source) if name.endswith(".safetensors")):
        with safe_open(os.path.join(source, file), "np") as tensors:
            for name in tensors.keys():
                values = tensors.get_tensor(name).astype(np.float32)
                if name == "model.embed_tokens.weight":
                    target_name = "token_embd.weight"
                elif name == "model.norm.weight":
                    target_name = "output_norm.weight"
                else:
                    _, _, layer, rest = name.split(".", 3)
                    part = rest.removesuffix(".weight")
                    if part.endswith(("q_proj", "k_proj")):
                        values = permuted(values, heads)
                    target_name = f"blk.{layer}.{names[part]}.weight"
                writer.add_tensor(target_name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(*sys.argv[1:])
