#!/usr/bin/env python3
"""Tiny random checkpoints of the causal architectures of 2021 to 2025, with what `transformers` computes from them; read by
`crates/engine/engine/tests/it/parity.rs` beside those of `tiny_checkpoints.py`, whose rules hold here too.

    python tools/reference/tiny_causal.py crates/engine/engine/tests/checkpoints            # all of them
    python tools/reference/tiny_causal.py crates/engine/engine/tests/checkpoints phi3 opt   # some
    python tools/reference/tiny_causal.py --check crates/engine/engine/tests/checkpoints    # recompute, compare
    python tools/reference/tiny_causal.py --newer-configs crates/engine/engine/tests/checkpoints    # with transformers 5

Made with transformers 4.57.6 (and accelerate for gpt_oss-four_bits); --check passes with 5.22.2 too, within 1e-5, but for those
in DIFFER. deepseek_v2-lite is judged by version 5, which applies the factor on its scores that the model was trained with. To
stay small all share one tokenizer of 150 pieces, weights are stored in sixteen bits (half of them as f16, half as bf16) and
fewer sentences are judged; the arithmetic of `transformers` is float32 all the same.
"""
import argparse
import json
import math
import os
import shutil
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import tiny_checkpoints as tiny
import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

try:
    from transformers.modeling_utils import no_init_weights
except ImportError:  # of version 5, where nothing is made here
    from contextlib import nullcontext as no_init_weights

SIZES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=40,
             max_position_embeddings=tiny.POSITIONS, bos_token_id=1, eos_token_id=2, pad_token_id=0)
JUDGED = tiny.JUDGED[1:7:2] + [tiny.JUDGED[6]]


def pieces(size=150):
    """Pieces of words marked by ▁; a letter that was never seen is <unk>."""
    names = ["<unk>", "<s>", "</s>"]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=True)
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    tokenizer.train_from_iterator(tiny.corpus(), trainers.BpeTrainer(vocab_size=size, special_tokens=names, show_progress=False))
    tiny.framed(tokenizer, "<s>", None)
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def causal(kind, **options):
    """A model by its type: the sizes above where the configuration has such fields, and what is odd about it."""
    def make(size):
        cls = hf.models.auto.configuration_auto.CONFIG_MAPPING[kind]
        known = set(cls().to_dict()) | set(cls.attribute_map)
        chosen = {**{key: value for key, value in SIZES.items() if key in known}, "vocab_size": size, **options}
        if kind == "gpt_neo":  # asks for its own names
            chosen = {key: value for key, value in chosen.items() if key not in cls.attribute_map}
        with no_init_weights():  # StableLM's own would stop at a norm without a bias
            return hf.AutoModelForCausalLM.from_config(cls(**chosen))
    return make


def with_eyes(kind, vision, text, **options):
    """A model that also sees pictures: a text part of the sizes above, and the smallest eye there can be."""
    def make(size):
        cls = hf.models.auto.configuration_auto.CONFIG_MAPPING[kind]
        sizes = {key: value for key, value in SIZES.items() if not key.endswith("_id")}
        config = cls(text_config={**sizes, "vocab_size": size, "pad_token_id": 0, **text}, vision_config=vision, **options)
        return hf.AutoModelForImageTextToText.from_config(config)
    return make


def in_four_bits(tensors):
    """The experts of gpt-oss as they are published: numbers rounded to four bits, blocks of 32 under one power of two."""
    values = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0])
    packed = {}
    for key, tensor in tensors.items():
        if not key.endswith(("gate_up_proj", "down_proj")):
            packed[key] = tensor
            continue
        rows = tensor.float().numpy().transpose(0, 2, 1)
        blocks = rows.reshape(*rows.shape[:-1], -1, 32)
        power = np.floor(np.log2(np.abs(blocks).max(-1, keepdims=True))) - 2
        scaled = blocks / 2.0 ** power
        nearest = np.abs(np.abs(scaled)[..., None] - values).argmin(-1)
        codes = (nearest + 8 * (scaled < 0)).astype(np.uint8)
        packed[key + "_blocks"] = torch.from_numpy(codes[..., 0::2] | codes[..., 1::2] << 4)
        packed[key + "_scales"] = torch.from_numpy((power[..., 0] + 127).astype(np.uint8))
    return packed


GPT = dict(n_inner=40)
GROUPED = dict(num_key_value_heads=2)
YARN = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32)
EXPERTS = dict(num_experts_per_tok=2, num_local_experts=5, intermediate_size=24)
LATENT = dict(num_key_value_heads=4, q_lora_rank=12, kv_lora_rank=16, qk_rope_head_dim=6, qk_nope_head_dim=8, v_head_dim=10,
              moe_intermediate_size=16, n_routed_experts=6, num_experts_per_tok=2, n_shared_experts=1, first_k_dense_replace=1)
HALF_LONG = [1.0 + 0.3 * i for i in range(4)]

# Folder: how its model is made.
CHECKPOINTS = {
    "phi3": causal("phi3", **GROUPED, sliding_window=8),
    "phi3-longrope": causal("phi3", **GROUPED, partial_rotary_factor=0.75, tie_word_embeddings=True, num_attention_heads=2,
                            num_hidden_layers=2, original_max_position_embeddings=64,
                            rope_scaling=dict(type="longrope", short_factor=[1.0 + 0.3 * i for i in range(6)], long_factor=[2.0 + i for i in range(6)])),
    "llama-yarn": causal("llama", **GROUPED, rope_scaling=YARN),
    "llama-dynamic": causal("llama", **GROUPED, tie_word_embeddings=True, rope_scaling=dict(rope_type="dynamic", factor=4.0)),
    "ministral": causal("ministral", **GROUPED, sliding_window=8, head_dim=12, layer_types=["sliding_attention", "full_attention"]),
    "olmo": causal("olmo", **GROUPED, clip_qkv=0.5, attention_bias=True),
    "olmo2": causal("olmo2", **GROUPED),
    "olmo3": causal("olmo3", num_key_value_heads=4, sliding_window=6, num_hidden_layers=4, rope_scaling=YARN),
    "granite": causal("granite", **GROUPED, embedding_multiplier=6.0, residual_multiplier=0.22, attention_multiplier=0.2, logits_scaling=4.0,
                      rms_norm_eps=1e-2),
    "smollm3": causal("smollm3", **GROUPED, num_hidden_layers=4, no_rope_layer_interval=2, tie_word_embeddings=True),
    "cohere": causal("cohere", **GROUPED, logit_scale=0.25),
    "cohere-norms": causal("cohere", **GROUPED, use_qk_norm=True, tie_word_embeddings=False),
    "cohere2": causal("cohere2", **GROUPED, sliding_window=6, head_dim=12, num_hidden_layers=4, attention_bias=True),
    "glm": causal("glm", **GROUPED, head_dim=12, num_attention_heads=4),
    "glm4": causal("glm4", **GROUPED, head_dim=8, attention_bias=False, tie_word_embeddings=True),
    "stablelm": causal("stablelm", **GROUPED, partial_rotary_factor=0.5, use_qkv_bias=True),
    "stablelm-parallel": causal("stablelm", **GROUPED, qk_layernorm=True, use_parallel_residual=True, num_attention_heads=4),
    "exaone4": causal("exaone4", **GROUPED, sliding_window=6, sliding_window_pattern=2),
    "exaone4-full": causal("exaone4", **GROUPED, sliding_window=None, layer_types=["full_attention"] * 2, tie_word_embeddings=True),
    "nemotron": causal("nemotron", **GROUPED, head_dim=8),
    "apertus": causal("apertus", **GROUPED),
    "falcon": causal("falcon", new_decoder_architecture=True, num_kv_heads=2, ffn_hidden_size=40),
    "falcon-one-key": causal("falcon", multi_query=True, bias=True),
    "falcon-alibi": causal("falcon", multi_query=False, alibi=True, parallel_attn=False, ffn_hidden_size=40, num_attention_heads=4, bias=True),
    "opt": causal("opt", word_embed_proj_dim=32, ffn_dim=40),
    "opt-narrow": causal("opt", word_embed_proj_dim=16, ffn_dim=40, do_layer_norm_before=False),
    "opt-quick": causal("opt", word_embed_proj_dim=32, ffn_dim=40, activation_function="quick_gelu", num_hidden_layers=1),
    "bloom": causal("bloom"),
    "bloom-six": causal("bloom", num_hidden_layers=1, num_attention_heads=6, hidden_size=24, tie_word_embeddings=False),
    "gptj": causal("gptj", **GPT, rotary_dim=6),
    "gpt_neo": causal("gpt_neo", num_layers=2, num_heads=4, window_size=6,
                      attention_types=[[["global", "local"], 1]]),
    "gpt_bigcode": causal("gpt_bigcode", **GPT),
    "gpt_bigcode-keys": causal("gpt_bigcode", **GPT, multi_query=False),
    "mpt": causal("mpt", max_seq_len=tiny.POSITIONS, attn_config=dict(clip_qkv=0.8)),
    "mpt-three": causal("mpt", hidden_size=24, num_attention_heads=3, num_hidden_layers=1, max_seq_len=tiny.POSITIONS),
    "starcoder2": causal("starcoder2", **GROUPED, sliding_window=8),
    "mixtral": causal("mixtral", **GROUPED, **EXPERTS),
    "qwen2_moe": causal("qwen2_moe", **GROUPED, num_experts=5, num_experts_per_tok=2, moe_intermediate_size=16, num_hidden_layers=2,
                        shared_expert_intermediate_size=24, decoder_sparse_step=1, mlp_only_layers=[1]),
    "qwen3_moe": causal("qwen3_moe", **GROUPED, num_experts=6, num_experts_per_tok=3, moe_intermediate_size=16, norm_topk_prob=True, head_dim=12),
    "gpt_oss": causal("gpt_oss", **GROUPED, **EXPERTS, head_dim=8, sliding_window=6, rope_scaling=dict(YARN, beta_fast=32.0, beta_slow=1.0, truncate=False)),
    "deepseek_v2": causal("deepseek_v2", **LATENT, topk_method="group_limited_greedy", n_group=3, topk_group=2, routed_scaling_factor=1.5, head_dim=6),
    "deepseek_v2-lite": causal("deepseek_v2", **{**LATENT, "q_lora_rank": None, "v_head_dim": 16}, topk_method="greedy", head_dim=6,
                               rope_scaling=dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32, mscale=0.707, mscale_all_dim=0.707)),
    "deepseek_v3": causal("deepseek_v3", **LATENT, n_group=3, topk_group=2, rope_scaling=dict(rope_type="yarn", factor=4.0,
                          original_max_position_embeddings=32, mscale=1.0, mscale_all_dim=1.0, beta_fast=32, beta_slow=1)),
    "olmoe": causal("olmoe", **GROUPED, num_experts=5, num_experts_per_tok=2, intermediate_size=24),
    "olmoe-clipped": causal("olmoe", **GROUPED, num_experts=3, num_experts_per_tok=2, intermediate_size=24, clip_qkv=0.7),
    "granitemoe": causal("granitemoe", **GROUPED, **EXPERTS, embedding_multiplier=6.0, residual_multiplier=0.22, attention_multiplier=0.2,
                         logits_scaling=4.0, tie_word_embeddings=True),
}
EYE = dict(hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8, image_size=8, patch_size=4)
QWEN_EYE = dict(depth=1, hidden_size=8, embed_dim=8, num_heads=1, patch_size=4, intermediate_size=8, mlp_ratio=1, out_hidden_size=32)
SECTIONS = dict(rope_type="default", type="default", mrope_section=[2, 1, 1])
CHECKPOINTS.update({
    "gemma3-eyes": with_eyes("gemma3", EYE, dict(num_key_value_heads=1, head_dim=12, query_pre_attn_scalar=12, sliding_window=6, num_hidden_layers=3,
                                                 layer_types=["sliding_attention", "sliding_attention", "full_attention"],
                                                 rope_scaling=dict(rope_type="linear", factor=8.0)), mm_tokens_per_image=4),
    "mistral3": with_eyes("mistral3", dict(EYE, model_type="pixtral", head_dim=8), dict(model_type="mistral", num_key_value_heads=2, head_dim=12)),
    "qwen2_vl": with_eyes("qwen2_vl", QWEN_EYE, dict(num_key_value_heads=2, rope_scaling=dict(SECTIONS, type="mrope"), tie_word_embeddings=True)),
    "qwen2_5_vl": with_eyes("qwen2_5_vl", QWEN_EYE, dict(num_key_value_heads=2, rope_scaling=dict(SECTIONS, type="mrope"))),
    "qwen3_vl": with_eyes("qwen3_vl", dict(QWEN_EYE, deepstack_visual_indexes=[0]), dict(num_key_value_heads=2, head_dim=8, rope_scaling=dict(
        rope_type="default", mrope_section=[2, 1, 1], mrope_interleaved=True))),
    "llama4": with_eyes("llama4", dict(EYE, vision_output_dim=8, projector_input_dim=8, projector_output_dim=8, intermediate_size=32), dict(
        num_key_value_heads=2, head_dim=8, intermediate_size=24, intermediate_size_mlp=40, num_local_experts=4, num_experts_per_tok=1,
        interleave_moe_layer_step=2, num_hidden_layers=2, no_rope_layers=[1, 0])),
    "gpt_oss-four_bits": causal("gpt_oss", **GROUPED, **{**EXPERTS, "intermediate_size": 32}, head_dim=8, sliding_window=6, rope_scaling=dict(
        YARN, beta_fast=32.0, beta_slow=1.0, truncate=False)),
})
COPIES = dict(hidden_size=24, num_key_value_heads=2, head_dim=8, num_hidden_layers=5, num_kv_shared_layers=2, sliding_window=6, laurel_rank=6,
              layer_types=["sliding_attention", "full_attention", "sliding_attention", "sliding_attention", "full_attention"],
              hidden_size_per_layer_input=4, intermediate_size=[40, 24, 28, 24, 20], activation_sparsity_pattern=[0.9, 0.0, 0.3, 0.6, 0.0],
              rope_local_base_freq=300.0)
CHECKPOINTS.update({
    "gemma3n": lambda size: causal("gemma3n_text", **COPIES, vocab_size_per_layer_input=size)(size),
    "gemma3n-eyes": lambda size: causal("gemma3n_text", **dict(COPIES, altup_num_inputs=3, altup_active_idx=1, altup_correct_scale=False,
                                                                attention_bias=True, num_key_value_heads=1, final_logit_softcapping=5.0,
                                                                rope_scaling=dict(rope_type="linear", factor=8.0)),
                                        vocab_size_per_layer_input=size)(size),
})
# What the two generations of transformers read differently: the base of OLMo 3's windows, the width of Apertus' activation,
# the factor on the scores of DeepSeek-V2.
DIFFER = {"olmo3", "apertus", "deepseek_v2-lite"}
# Whose last hidden state is narrower than the layers.
WITHOUT_STATES = {"opt-narrow"}
# Eager attention of these counts the distances twice; what people run is the other.
ATTENTION = {"falcon-alibi": "sdpa"}


def plain_name(key):
    """4.57 writes `model.language_model` wherever a name has `model`."""
    return key.replace("model.language_model", "model")


def text_model_of_gemma3n(folder, config):
    """The text model, filled by hand; version 5 has no keys in layers that share them."""
    model = hf.Gemma3nForCausalLM._from_config(getattr(config, "text_config", config), attn_implementation="eager", dtype=torch.float32)
    tensors = {plain_name(key): tensor.float() for key, tensor in tiny.stored(folder).items()}
    report = model.load_state_dict(tensors, strict=False)
    return model, dict(missing_keys=[key for key in report.missing_keys if key != "lm_head.weight"], mismatched_keys=[])


class Judge(tiny.Judge):
    def __init__(self, folder, name, dtype=torch.float32):
        implementation = ATTENTION.get(name, "eager")
        config = hf.AutoConfig.from_pretrained(folder)
        with_eyes = hasattr(config, "vision_config")
        loader = hf.AutoModelForImageTextToText if with_eyes else hf.AutoModelForCausalLM
        if name.startswith("gemma3n"):  # whose eye comes from another library, and whose text model 4.57 writes under odd names
            self.model, report = text_model_of_gemma3n(folder, config)
        else:
            self.model, report = loader.from_pretrained(folder, dtype=dtype, attn_implementation=implementation, output_loading_info=True)
        assert not report["missing_keys"] and not report["mismatched_keys"], (folder, report)
        self.model = self.model.to(dtype).eval()  # experts in four bits are widened to bfloat16 only
        self.tokenizer = hf.AutoTokenizer.from_pretrained(folder)
        self.kind = "causal"
        self.name = name

    def body(self):
        return self.model.language_model.model if self.name == "llama4" else super().body()

    def some_states(self):
        if not self.name.startswith("gemma3n"):
            return super().some_states()
        ids = self.ids(tiny.JUDGED[1])  # between layers it has several states for each token
        with torch.no_grad():
            last = self.body()(torch.tensor([ids])).last_hidden_state[0]
        return [dict(text=tiny.JUDGED[1], ids=ids, layer_last=tiny.seven(last[0, :16]), content_mean=tiny.seven(last[1:-1].mean(0)[:16]))]

    def golden(self):
        made = f"torch {torch.__version__.split('+')[0]}, transformers {hf.__version__}"
        result = dict(kind="causal", made_with=made)
        result["causal"] = [self.next_word(template, sentence) for sentence in JUDGED for template in tiny.PROMPTS]
        result["sentence_log_likelihood"] = [self.likelihood(text) for text in JUDGED[:2]]
        result["logits"] = self.some_logits()
        if self.name not in WITHOUT_STATES:
            result["hidden"] = [{key: row[key] for key in ("text", "ids", "layer_last", "content_mean")} for row in self.some_states()[:1]]
        return result


def under_eyes(folder):
    """A text model's file as one that also sees and hears has it: longer names, a configuration inside another, an eye and an ear."""
    tensors = {plain_name(key).replace("model.", "model.language_model.", 1): tensor for key, tensor in tiny.stored(folder).items()}
    for part in ("vision_tower.timm_model.conv_stem.conv", "audio_tower.subsample_conv_projection.input_proj_linear", "embed_vision.embedding",
                 "embed_audio.embedding"):
        tensors[f"model.{part}.weight"] = torch.ones(2, 2)
    tiny.store(folder, tensors)
    path = os.path.join(folder, "config.json")
    text = json.load(open(path, encoding="utf-8"))
    version = text.pop("transformers_version")
    text.pop("architectures")
    whole = dict(architectures=["Gemma3nForConditionalGeneration"], model_type="gemma3n", text_config=text, audio_config=dict(model_type="gemma3n_audio"),
                 vision_config=dict(model_type="gemma3n_vision"), audio_soft_tokens_per_image=188, vision_soft_tokens_per_image=256,
                 transformers_version=version)
    tiny.write_json(path, whole, indent=2)


def save(root, name):
    folder = os.path.join(root, name)
    shutil.rmtree(folder, ignore_errors=True)
    tokenizer, roles = pieces()
    model = CHECKPOINTS[name](tokenizer.get_vocab_size())
    if name.startswith("gemma3n") or name == "opt-quick":  # two numbers for what is one would be stored twice
        model.tie_weights()
    tiny.fill(model, name)
    chance = np.random.default_rng([tiny.SEED, zlib.crc32(name.encode()), 1])
    for key, buffer in sorted(model.named_buffers()):
        if key.endswith("e_score_correction_bias"):
            buffer.copy_(torch.from_numpy(chance.standard_normal(tuple(buffer.shape), dtype=np.float32)) * 0.3)
    model = model.to(torch.float16 if zlib.crc32(name.encode()) % 2 else torch.bfloat16)
    model.save_pretrained(folder)
    if name == "gpt_oss-four_bits":
        tiny.store(folder, in_four_bits(tiny.stored(folder)))
        path = os.path.join(folder, "config.json")
        config = json.load(open(path, encoding="utf-8"))
        config["quantization_config"] = dict(quant_method="mxfp4", modules_to_not_convert=["model.layers.*.self_attn", "lm_head"])
        tiny.write_json(path, config, indent=2)
    if name == "gemma3n-eyes":
        under_eyes(folder)
    hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=tiny.POSITIONS, clean_up_tokenization_spaces=False,
                               **roles).save_pretrained(folder)
    path = os.path.join(folder, "tokenizer.json")
    tiny.write_json(path, json.load(open(path, encoding="utf-8")))
    tiny.tidy(folder)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--newer-configs", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    hf.logging.set_verbosity_error()
    for name in arguments.names or CHECKPOINTS:
        folder = os.path.join(arguments.folder, name)
        path = os.path.join(folder, "golden.json")
        if arguments.newer_configs:
            newer = hf.AutoConfig.from_pretrained(folder).to_diff_dict()
            if name not in DIFFER and "rope_parameters" in json.dumps(newer):
                tiny.write_json(os.path.join(folder, "config_transformers5.json"), newer, indent=2)
            continue
        if arguments.check:
            golden = json.load(open(path, encoding="utf-8"))
            print(f"{name}: largest difference {tiny.differences(golden, Judge(folder, name).golden()):.2e}", flush=True)
            continue
        save(arguments.folder, name)
        golden = Judge(folder, name).golden()
        tiny.write_golden(path, golden)
        try:
            exact = Judge(folder, name, torch.float64)
            worst = max((exact.logits(row["ids"])[row["positions"]] - torch.tensor(row["values"], dtype=torch.float64)).abs().max().item()
                        for row in golden["logits"])
        except RuntimeError:  # parts of MPT and DeepSeek-V3 know no float64
            worst = math.nan
        total = sum(os.path.getsize(os.path.join(folder, file)) for file in os.listdir(folder))
        assert total < 130_000, total
        print(f"{name}: {total / 1000:.0f} kB, {tiny.spread(golden)}, float32 within {worst:.1e} of float64", flush=True)


if __name__ == "__main__":
    sys.exit(main())
