#!/usr/bin/env python3
"""Writes GGUF files of tiny checkpoints as llama.cpp's converters of 2026 write them, and what llama.cpp answers.

    venv/bin/python tools/reference/gguf_converted.py crates/engine/engine/tests/checkpoints crates/engine/engine/tests/gguf/golden

hf-NAME.gguf       the checkpoint NAME of tiny_causal.py, whose golden.json holds what `transformers` computes from it
hf.json            scores by llama.cpp of the same files in 32 bits

The layouts are those of conversion/deepseek.py and conversion/gemma.py there; tensors are named by the `gguf` package. The
file of deepseek_v2-lite is as files from before April 2025 are. llama.cpp cannot be asked about all: in Gemma 3n it takes no
other widths than those of the published models (gguf_gemma3n.py makes one that wide), and DeepSeek-V2's groups of experts it
ranks by their best two, as the third generation does, and not by the best.
"""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

import gguf
import torch
from gguf import GGMLQuantizationType as Type
from safetensors.torch import load_file

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gguf_families import keep
from gguf_golden import finish
from llama_server import Peer

ARCHITECTURES = {"deepseek_v2": "deepseek2", "deepseek_v3": "deepseek2", "gemma3n_text": "gemma3n"}
WHOLE = {"deepseek_v2-lite"}
ASKED = ["deepseek_v2-lite", "deepseek_v3"]
NAMES = ["deepseek_v2", "deepseek_v2-lite", "deepseek_v3", "gemma3n"]


def vocabulary(writer, folder):
    """The pieces as a SentencePiece model has them; later ones score less."""
    pieces = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    tokens = sorted(pieces, key=pieces.get)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([-float(i) for i in range(len(tokens))])
    writer.add_token_types([2, 3, 3] + [1] * (len(tokens) - 3))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)


def common(writer, config):
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])


def deepseek2(writer, config, whole):
    common(writer, config)
    writer.add_vocab_size(config["vocab_size"])
    turning, still, value = (config[name] for name in ("qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim"))
    rank = config["kv_lora_rank"]
    writer.add_kv_lora_rank(rank)
    if config["q_lora_rank"] is not None:
        writer.add_q_lora_rank(config["q_lora_rank"])
    if whole:
        writer.add_head_count_kv(config["num_key_value_heads"])
        writer.add_key_length(still + turning)
        writer.add_value_length(value)
    else:
        writer.add_head_count_kv(1)
        writer.add_key_length(rank + turning)
        writer.add_value_length(rank)
        writer.add_key_length_mla(still + turning)
        writer.add_value_length_mla(value)
    writer.add_rope_dimension_count(turning)
    writer.add_leading_dense_block_count(config["first_k_dense_replace"])
    writer.add_expert_feed_forward_length(config["moe_intermediate_size"])
    writer.add_expert_count(config["n_routed_experts"])
    writer.add_expert_used_count(config["num_experts_per_tok"])
    writer.add_expert_shared_count(config["n_shared_experts"])
    writer.add_expert_weights_scale(config["routed_scaling_factor"])
    if config["norm_topk_prob"]:
        writer.add_expert_weights_norm(True)
    if config["n_group"] is not None:
        writer.add_expert_group_count(config["n_group"])
        writer.add_expert_group_used_count(config["topk_group"])
    if config["model_type"] == "deepseek_v3":
        writer.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID)
    if scaling := config.get("rope_scaling"):
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(scaling["factor"])
        writer.add_rope_scaling_orig_ctx_len(scaling["original_max_position_embeddings"])
        if "beta_fast" in scaling:
            writer.add_rope_scaling_yarn_beta_fast(scaling["beta_fast"])
            writer.add_rope_scaling_yarn_beta_slow(scaling["beta_slow"])
        writer.add_rope_scaling_yarn_log_mul(0.1 * scaling["mscale_all_dim"])


def gemma3n(writer, config):
    common(writer, config)
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_rope_freq_base_swa(config["rope_local_base_freq"])
    writer.add_sliding_window(config["sliding_window"])
    writer.add_final_logit_softcapping(config["final_logit_softcapping"])
    writer.add_altup_active_idx(config["altup_active_idx"])
    writer.add_altup_num_inputs(config["altup_num_inputs"])
    writer.add_embedding_length_per_layer_input(config["hidden_size_per_layer_input"])
    writer.add_shared_kv_layers(config["num_kv_shared_layers"])
    shares = torch.tensor(config["activation_sparsity_pattern"], dtype=torch.float32)
    writer.add_activation_sparsity_scale(torch.distributions.normal.Normal(0, 1).icdf(shares).tolist())
    writer.add_sliding_window_pattern([kind == "sliding_attention" for kind in config["layer_types"]])


def parted(tensors, config):
    """`kv_b_proj` as keys, turned, and values: each a matrix for every head."""
    for name, tensor in tensors.items():
        if not name.endswith("kv_b_proj.weight"):
            yield name, tensor
            continue
        heads, still, value = (config[key] for key in ("num_attention_heads", "qk_nope_head_dim", "v_head_dim"))
        keys, values = tensor.view(heads, still + value, -1).split([still, value], dim=1)
        yield name.replace("kv_b", "k_b"), keys.transpose(1, 2)
        yield name.replace("kv_b", "v_b"), values


def stacked(tensors):
    """One tensor for what is numbered in the checkpoint: experts, and maps between copies."""
    piles = {}
    for name, tensor in tensors:
        before, mark, after = next(((name[: name.index(mark)], mark, name[name.index(mark) + len(mark) :])
                                    for mark in (".experts.", "altup_projections.", "altup_unembed_projections.") if mark in name), (name, "", ""))
        if mark:
            number, rest = after.split(".", 1)
            piles.setdefault(before + mark + rest, {})[int(number)] = tensor
        else:
            yield name, tensor
    for name, pile in piles.items():
        yield name, torch.stack([pile[number] for number in range(len(pile))])


def write(path, folder, wide=False, more=lambda writer: None):
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    architecture = ARCHITECTURES[config["model_type"]]
    writer = gguf.GGUFWriter(path, architecture)
    vocabulary(writer, folder)
    tensors = {name.replace("model.language_model", "model"): tensor for name, tensor in load_file(folder / "model.safetensors").items()}
    whole = folder.name in WHOLE
    if architecture == "deepseek2":
        deepseek2(writer, config, whole)
        tensors = tensors.items() if whole else parted(tensors, config)
    else:
        gemma3n(writer, config)
        tensors = tensors.items()
    more(writer)
    kind = next(kind for kind, key in gguf.MODEL_ARCH_NAMES.items() if key == architecture)
    names = gguf.get_tensor_name_map(kind, config["num_hidden_layers"])
    for name, tensor in stacked(tensors):
        name = name.replace("e_score_correction_bias", "e_score_correction.bias")
        if name.endswith("_scale"):
            name += ".weight"
        stored = names.get_name(name, try_suffixes=(".weight", ".bias"))
        assert stored, name
        data = tensor.float().contiguous().numpy()
        exact = wide or data.ndim == 1 or stored.endswith("ffn_gate_inp.weight")
        kind = Type.F32 if exact else {torch.float16: Type.F16, torch.bfloat16: Type.BF16}[tensor.dtype]
        writer.add_tensor(stored, gguf.quants.quantize(data, kind), raw_dtype=kind)
    finish(writer)
    return path


def asked(peer, golden):
    """Differences of two logarithms after the prompts that `transformers` was asked about, and how far that is from it."""
    found, worst = [], 0.0
    for row in golden["causal"]:
        tokens = [row["id_m"], row["id_f"]]
        first, second = peer.log_probabilities(row["ids"], tokens)
        worst = max(worst, abs((first - second) / math.log(10) - row["score"]))
        found.append({"ids": row["ids"], "tokens": tokens, "difference": round(first - second, 6)})
    return found, worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    models = {}
    for name in NAMES:
        folder = given.checkpoints / name
        models[name] = {"file": write(given.out / f"hf-{name}.gguf", folder).name}
        if name not in ASKED:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            # Without queries of low rank llama.cpp takes models of 26 or 27 layers only, or a rank of zero.
            lite = lambda writer: writer.add_q_lora_rank(0) if name == "deepseek_v2-lite" else None
            peer = Peer(write(Path(scratch) / "wide.gguf", folder, True, lite), context=128, wide_cache=True)
            golden = json.loads((folder / "golden.json").read_text(encoding="utf-8"))
            models[name]["scores"], worst = asked(peer, golden)
            del peer
        print(f"{name}: llama.cpp is within {worst:.1e} of transformers")
    keep(given.out / "hf.json", models)


if __name__ == "__main__":
    main()
