#!/usr/bin/env python3
"""Checkpoints that say something unusual about themselves, and what two generations of `transformers` make of them: the
judge of `crates/engine/engine/tests/it/odd_checkpoints/`.

An odd checkpoint is one of the tiny ones (`tiny_checkpoints.py`, `tiny_seq2seq.py`) with a few fields and tensors changed.
Only the recipe is kept, in `odd.json`, with the results of both generations; the test makes the files anew.

    P4=VENV4/bin/python P5=VENV5/bin/python      # transformers 4.57.6 and 5.22.2, both with safetensors, sentencepiece, numpy
    $P4 tools/reference/odd_checkpoints.py golden crates/engine/engine/tests --four $P4 --five $P5
    $P4 tools/reference/odd_checkpoints.py sweep  crates/engine/engine/tests --four $P4 --five $P5 --epicene target/debug/epicene

`golden` writes `crates/engine/engine/tests/odd.json`. `sweep` asks the program about every recipe, and about every field of
every configuration class with another value than its default, and prints one line for each: |Δ| against version 4 and
against version 5, or the refusal. `--only TEXT` takes those whose name contains the text. Nothing is drawn at random: a
changed tensor is another one scaled and turned round, so that the same files come out every time.

A result that `transformers` makes up (weights that a file lacks are drawn at random) is no result.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
from safetensors.numpy import load_file, save_file

# ---------------------------------------------------------------------------------------------------------------
# Recipes. `tensors` are steps: ["copy", to, from, scale, turned] (rows in reverse order), ["drop", name],
# ["part", to, from, rows, columns, scale] (the first rows and columns).

CASES = []


def case(name, base, config=None, drop=(), tensors=(), tokenizer=None, generation=None, without=(), adapter=None,
         special=None, added=None, saved=None, refused=None, kept=True):
    config = dict(config or {})
    if saved:
        config["transformers_version"] = {4: "4.57.6", 5: "5.22.2"}[saved]
    CASES.append(dict(name=name, base=base, config=config, drop=list(drop), tensors=[list(step) for step in tensors],
                      tokenizer=tokenizer, generation=generation, without=list(without), adapter=adapter, special=special,
                      added=added, refused=refused, kept=kept))


# Head and embeddings of every architecture; the two names of the head's bias, and whether version 4 takes the second.
HEADS = {
    "bert": ("cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight",
             "cls.predictions.bias", "cls.predictions.decoder.bias", False),
    "roberta": ("lm_head.decoder.weight", "roberta.embeddings.word_embeddings.weight", "lm_head.bias", "lm_head.decoder.bias", True),
    "xlm-roberta": ("lm_head.decoder.weight", "roberta.embeddings.word_embeddings.weight", "lm_head.bias", "lm_head.decoder.bias", True),
    "xlm-roberta-xl": ("lm_head.decoder.weight", "roberta.embeddings.word_embeddings.weight", "lm_head.bias", "lm_head.decoder.bias", True),
    "albert": ("predictions.decoder.weight", "albert.embeddings.word_embeddings.weight", "predictions.bias", "predictions.decoder.bias", True),
    "distilbert": ("vocab_projector.weight", "distilbert.embeddings.word_embeddings.weight", None, None, False),
    "electra": ("generator_lm_head.weight", "electra.embeddings.word_embeddings.weight", None, None, False),
    "convbert": ("generator_lm_head.weight", "convbert.embeddings.word_embeddings.weight", None, None, False),
    "xlm": ("pred_layer.proj.weight", "transformer.embeddings.weight", None, None, False),
    "deberta-v2": ("cls.predictions.decoder.weight", "deberta.embeddings.word_embeddings.weight",
                   "cls.predictions.bias", "cls.predictions.decoder.bias", False),
    "modernbert": ("decoder.weight", "model.embeddings.tok_embeddings.weight", None, None, False),
    "gpt2": ("lm_head.weight", "transformer.wte.weight", None, None, False),
    "gpt_neox": ("embed_out.weight", "gpt_neox.embed_in.weight", None, None, False),
    **{name: ("lm_head.weight", "model.embed_tokens.weight", None, None, False)
       for name in ("llama", "mistral", "qwen2", "qwen3", "phi", "gemma2", "gemma3")},
}
KEPT_HEADS = {"bert", "roberta", "albert", "deberta-v2", "modernbert", "gpt2", "gpt_neox", "llama", "gemma3"}

for name, (head, table, bias, own, wins) in HEADS.items():
    kept = name in KEPT_HEADS
    other = ["copy", head, table, -0.5, True]
    equal = ["copy", head, table, 1.0, False]
    case(f"{name}: tied, another head stored, of 5", name, dict(tie_word_embeddings=True), tensors=[other], saved=5, kept=kept)
    case(f"{name}: tied, another head stored, of 4", name, dict(tie_word_embeddings=True), tensors=[other], saved=4, kept=kept,
         refused="differ, but the configuration makes them one")
    case(f"{name}: tied, the same head stored", name, dict(tie_word_embeddings=True), tensors=[equal], saved=5, kept=False)
    case(f"{name}: not tied, a head stored", name, dict(tie_word_embeddings=False), tensors=[other], saved=4, kept=kept)
    case(f"{name}: not tied, no head stored", name, dict(tie_word_embeddings=False), tensors=[["drop", head]], saved=4, kept=kept,
         refused="unexpected tensors in the checkpoint: `lm_head.bias`" if name == "phi" else "no tensor" if name in ("bert", "roberta", "xlm-roberta", "xlm-roberta-xl", "albert", "distilbert", "electra", "convbert",
                                         "xlm", "deberta-v2", "modernbert") else "saved without its language-model head")
    if bias:
        both = [["copy", own, bias, -1.0, False]]
        case(f"{name}: two biases, of 5", name, tensors=both, saved=5, kept=kept)
        case(f"{name}: two biases, of 4", name, tensors=both, saved=4, kept=kept,
             refused=None if wins else "differ, but the configuration makes them one")
        case(f"{name}: the decoder's bias alone, of 5", name, tensors=both + [["drop", bias]], saved=5, kept=kept)
        case(f"{name}: not tied, two biases, of 5", name, dict(tie_word_embeddings=False), tensors=both + [other], saved=5, kept=kept)
        case(f"{name}: not tied, the plain bias alone, of 5", name, dict(tie_word_embeddings=False), tensors=[other], saved=5,
             refused="decoder.bias", kept=kept)
        case(f"{name}: not tied, the plain bias alone, of 4", name, dict(tie_word_embeddings=False), tensors=[other], saved=4, kept=kept)

# Sources, targets and outputs of translation models.
T5 = dict(shared="shared.weight", source="encoder.embed_tokens.weight", target="decoder.embed_tokens.weight", output="lm_head.weight")
BART = {key: ("model." if key != "output" else "") + value for key, value in T5.items()}
FIRST = dict(t5="shared.weight", marian="model.shared.weight", m2m_100="model.shared.weight", mbart50="model.shared.weight",
             nllb="model.shared.weight")
CHANGE = dict(source=(-0.5, True), target=(0.5, False), output=(1.0, True))
TIED = "differ, but the configuration makes them one"
for name, names in (("t5", T5), ("marian", BART), ("m2m_100", BART), ("mbart50", BART), ("nllb", BART)):
    base = f"seq2seq/{name}"
    part = lambda which: ["copy", names[which], FIRST[name], *CHANGE[which]]
    kept = name != "nllb"
    for parts in (["output"], ["source"], ["target"], ["source", "target", "output"]):
        steps = [part(which) for which in parts]
        case(f"{name}: tied, own {'+'.join(parts)} stored, of 5", base, dict(tie_word_embeddings=True), tensors=steps, saved=5, kept=kept)
        case(f"{name}: tied, own {'+'.join(parts)} stored, of 4", base, dict(tie_word_embeddings=True), tensors=steps, saved=4, refused=TIED,
             kept=kept and len(parts) > 1)
    all_parts = [part(which) for which in ("source", "target", "output")]
    case(f"{name}: not tied, all stored, of 5", base, dict(tie_word_embeddings=False), tensors=all_parts, saved=5, kept=kept)
    case(f"{name}: not tied, all stored, of 4", base, dict(tie_word_embeddings=False), tensors=all_parts, saved=4, kept=kept,
         refused=TIED if name in ("t5", "marian") else None)
    case(f"{name}: not tied, an output stored, of 4", base, dict(tie_word_embeddings=False), tensors=[part("output")], saved=4, kept=kept,
         refused=None if name in ("t5", "marian") else "no tensor `model.encoder.embed_tokens.weight`")
    case(f"{name}: not tied, an output stored, of 5", base, dict(tie_word_embeddings=False), tensors=[part("output")], saved=5, kept=kept,
         refused=None if name == "t5" else "no tensor `model.encoder.embed_tokens.weight`")

case("t5 v1.1 of 5: tied by name, not scaled", "seq2seq/t5-gated", dict(tie_word_embeddings=True, scale_decoder_outputs=False), saved=5)
case("t5 v1.1 of 4", "seq2seq/t5-gated", saved=4)
case("t5 of 5, scaled", "seq2seq/t5", dict(tie_word_embeddings=True, scale_decoder_outputs=True), saved=5)
case("t5 of 5, not scaled", "seq2seq/t5", dict(tie_word_embeddings=True, scale_decoder_outputs=False), saved=5)
case("t5 of 4 with a scale of 5", "seq2seq/t5", dict(scale_decoder_outputs=False), saved=4, refused="`scale_decoder_outputs`")
case("mt5 of 5", "seq2seq/t5-gated", dict(model_type="mt5", architectures=["MT5ForConditionalGeneration"], tie_word_embeddings=True), saved=5)
case("mt5 of 4", "seq2seq/t5-gated", dict(model_type="mt5", architectures=["MT5ForConditionalGeneration"]), saved=4)
case("mt5 of 4 without the flag", "seq2seq/t5-gated", dict(model_type="mt5", architectures=["MT5ForConditionalGeneration"]),
     drop=["tie_word_embeddings"], saved=4)
case("t5: another activation beside its name", "seq2seq/t5-gated", dict(dense_act_fn="relu"), refused="`dense_act_fn`")

# Settings of the tokenizer.
for name in ("bert", "distilbert", "electra"):
    for settings in (dict(do_lower_case=False), dict(do_lower_case=True), dict(strip_accents=False), dict(strip_accents=True),
                     dict(tokenize_chinese_chars=False), dict(do_lower_case=False, strip_accents=True), {}):
        for saved in (4, 5):
            case(f"{name}: BertTokenizer {settings}, of {saved}", name, tokenizer=dict(settings, tokenizer_class="BertTokenizer"), saved=saved,
                 kept=saved == 4 and name != "electra")
    case(f"{name}: do_lower_case of a plain class", name, tokenizer=dict(do_lower_case=False), saved=4, kept=name == "bert")
for name, own in (("roberta", "RobertaTokenizer"), ("gpt2", "GPT2Tokenizer"), ("gpt_neox", "GPTNeoXTokenizer"), ("phi", "CodeGenTokenizer"),
                  ("qwen2", "Qwen2Tokenizer"), ("modernbert", "PreTrainedTokenizerFast"), ("llama-rope-scaling", "PreTrainedTokenizerFast")):
    for saved in (4, 5):
        for settings in (dict(add_prefix_space=True), dict(add_prefix_space=False), dict(add_bos_token=True), dict(add_eos_token=True),
                         dict(add_bos_token=False), {}):
            case(f"{name}: {own} {settings}, of {saved}", name, tokenizer=dict(settings, tokenizer_class=own), saved=saved,
                 kept=bool(settings) and name in ("roberta", "gpt2", "gpt_neox", "qwen2", "modernbert")
                 and not (name == "roberta" and "add_prefix_space" not in settings))
for name, own in (("llama", "LlamaTokenizer"), ("mistral", "LlamaTokenizer"), ("gemma2", "GemmaTokenizer"), ("gemma3", "GemmaTokenizer")):
    for saved in (4, 5):
        for settings in (dict(add_bos_token=False), dict(add_eos_token=True), dict(add_bos_token=True), dict(legacy=True), dict(legacy=False), {}):
            case(f"{name}: {own} {settings}, of {saved}", name, tokenizer=dict(settings, tokenizer_class=own), saved=saved,
                 kept=name in ("llama", "gemma3"))
        case(f"{name}: {own} without a blank in front, of {saved}", name, tokenizer=dict(add_prefix_space=False, tokenizer_class=own), saved=saved,
             refused="`add_prefix_space`" if name in ("llama", "mistral") else None, kept=name == "llama")
for name, own, settings in (("albert", "AlbertTokenizer", dict(do_lower_case=False)), ("albert", "AlbertTokenizer", dict(keep_accents=True)),
                            ("deberta-v2", "DebertaV2Tokenizer", dict(do_lower_case=True)),
                            ("deberta-v2", "DebertaV2Tokenizer", dict(split_by_punct=True)),
                            ("xlm-roberta", "XLMRobertaTokenizer", dict(add_prefix_space=False))):
    field = next(iter(settings))
    case(f"{name}: {own} {settings}, of 4", name, tokenizer=dict(settings, tokenizer_class=own), saved=4,
         refused="`add_prefix_space`" if field == "add_prefix_space" else None)
    case(f"{name}: {own} {settings}, of 5", name, tokenizer=dict(settings, tokenizer_class=own), saved=5, refused=f"`{field}`")
    case(f"{name}: {own}", name, tokenizer=dict(tokenizer_class=own), saved=5)
case("bert: a class of another tokenizer", "bert", tokenizer=dict(tokenizer_class="XLNetTokenizer"), refused="`tokenizer_class`")
case("bert: a setting that no class takes", "bert", tokenizer=dict(fold_digits=True, clean_text=False, max_seq_length=4), saved=4)
case("bert: a setting that another class takes", "bert", tokenizer=dict(do_lowercase=True), refused="`do_lowercase`")
case("bert: special tokens of a text split", "bert", tokenizer=dict(split_special_tokens=True), refused="`split_special_tokens`")
case("distilbert: no tokenizer_config.json", "distilbert", without=["tokenizer_config.json"], saved=4)

# Tokens that files beside tokenizer.json add, or find otherwise.
def found(text, **flags):
    return dict(dict(content=text, lstrip=False, rstrip=False, normalized=False, single_word=False, special=True), **flags)


ADDED = dict(bert=("BertTokenizer", "he", 67), roberta=("RobertaTokenizer", "he", 260), llama=("PreTrainedTokenizerFast", "he", 304),
             gpt2=("GPT2Tokenizer", "he", 256))
for name, (own, word, number) in ADDED.items():
    named = dict(tokenizer_class=own)
    typed = dict(found(word, single_word=True), __type="AddedToken")
    for saved in (4, 5):
        for what, tokens in (
                ("additional", dict(additional_special_tokens=[word])), ("of the padding", dict(pad_token=word)),
                ("named", dict(extra_special_tokens=dict(x_token=word))), ("of its own name", dict(x_token=word)),
                ("specific", dict(model_specific_special_tokens=dict(x_token=word))),
                ("an object", dict(additional_special_tokens=[typed])),
                ("found otherwise", dict(added_tokens_decoder={str(number): found(word, rstrip=True)})),
                ("in a list", dict(extra_special_tokens=[word]))):
            lost = saved == 5 and what == "found otherwise" and name != "llama"
            case(f"{name}: a token more, {what}, of {saved}", name, tokenizer=dict(named, **tokens), saved=saved,
                 refused="which tokenizer.json adds" if lost else None,
                 kept=not (saved == 4 and what == "in a list") and (name in ("bert", "roberta") or what in ("additional", "found otherwise")))
    for what, settings in (("numbers in the settings", {}), ("none", dict(added_tokens_decoder=None))):
        case(f"{name}: a token more by special_tokens_map.json, {what}", name, tokenizer=dict(named, **settings),
             special=dict(additional_special_tokens=[word]), saved=4, kept=name != "llama")
case("bert: a token more by added_tokens.json", "bert", tokenizer=dict(added_tokens_decoder=None), added={"he": 67}, saved=4)
case("bert: a new token that no text has", "bert", tokenizer=dict(additional_special_tokens=["[NEW]"]), saved=4)

# Fields of config.json.
case("bert: is_decoder", "bert", dict(is_decoder=True), refused="`is_decoder`")
case("bert: relative positions", "bert", dict(position_embedding_type="relative_key"), refused="`position_embedding_type`")
case("bert: pruned heads", "bert", dict(pruned_heads={"0": [1]}), refused="`pruned_heads`")
case("bert: quantised", "bert", dict(quantization_config=dict(load_in_8bit=True)), refused="`quantization_config`")
case("bert: a field nobody knows", "bert", dict(use_special_attention=True), refused="`use_special_attention`")
case("bert: harmless fields", "bert", dict(gradient_checkpointing=True, hidden_dropout_prob=0.7, output_past=True, num_labels=7,
                                           torch_dtype="float32", id2label={"0": "x"}, label2id={"x": 0}, max_length=5, unsloth_fixed=True), saved=4)
case("bert: segments left out of the file's fields", "bert", drop=["type_vocab_size", "layer_norm_eps", "hidden_act"], saved=4)
case("gpt2: hidden_size by its other name", "gpt2", dict(hidden_size=32, num_attention_heads=4), drop=["n_embd", "n_head"], saved=4)
case("gpt2: two names that differ", "gpt2", dict(hidden_size=64), saved=4, refused="`hidden_size`")
case("gpt2: cross attention", "gpt2", dict(add_cross_attention=True), refused="`add_cross_attention`")
case("gpt2: scaled by layer", "gpt2", dict(scale_attn_by_inverse_layer_idx=True, reorder_and_upcast_attn=True), saved=4)
case("mistral: layer_types", "mistral", dict(layer_types=["full_attention", "sliding_attention"]), refused="`layer_types`")
case("mistral: no window", "mistral", dict(sliding_window=None), saved=4)
case("qwen2: windows from the second layer", "qwen2", dict(use_sliding_window=True, sliding_window=6, max_window_layers=1), drop=["layer_types"], saved=4)
case("qwen2: layer_types, windows on", "qwen2", dict(use_sliding_window=True, sliding_window=6, layer_types=["sliding_attention", "full_attention"]),
     saved=5)
case("qwen2: layer_types, windows off", "qwen2", dict(use_sliding_window=False, layer_types=["sliding_attention", "full_attention"]),
     refused="`layer_types`")
case("qwen3: layer_types of another length", "qwen3", dict(layer_types=["full_attention"]), refused="`layer_types`")
case("qwen3: chunks", "qwen3", dict(layer_types=["chunked_attention", "full_attention"]), refused="`layer_types`")
case("llama: dynamic positions within the trained length", "llama", dict(rope_scaling=dict(rope_type="dynamic", factor=4.0)), saved=4)
case("llama: dynamic positions beyond the trained length", "llama", dict(rope_scaling=dict(rope_type="dynamic", factor=4.0), max_position_embeddings=8),
     saved=4, refused="the model reads at most 8")
case("llama: rope_parameters, linear", "llama", dict(rope_parameters=dict(rope_type="linear", factor=3.0, rope_theta=5000.0)),
     drop=["rope_theta", "rope_scaling"], saved=5)
case("llama: rope_parameters in a file of 4", "llama", dict(rope_parameters=dict(rope_type="linear", factor=3.0, rope_theta=5000.0)), saved=4,
     refused="`rope_parameters`")
case("llama: both kinds of positions", "llama", dict(rope_parameters=dict(rope_type="default", rope_theta=5000.0), rope_theta=10000.0),
     drop=["rope_scaling"], saved=5, refused="`rope_theta`")
case("llama: yarn", "llama", dict(rope_scaling=dict(rope_type="yarn", factor=4.0)), saved=4)
case("llama: yarn, of 5", "llama", dict(rope_parameters=dict(rope_type="yarn", factor=4.0, rope_theta=10000.0, beta_fast=16.0,
                                                            original_max_position_embeddings=16, attention_factor=0.9)),
     drop=["rope_scaling", "rope_theta"], saved=5)
case("llama: yarn with a field nobody knows", "llama", dict(rope_scaling=dict(rope_type="yarn", factor=4.0, beta_middle=3.0)), refused="`beta_middle`")
case("phi3: longrope beyond the trained length", "phi3-longrope", dict(original_max_position_embeddings=8), saved=4, refused="tokens")

# Causal models of 2021 to 2025.
for name, table in (("phi3", "model.embed_tokens.weight"), ("mixtral", "model.embed_tokens.weight"), ("opt", "model.decoder.embed_tokens.weight"),
                    ("falcon", "transformer.word_embeddings.weight")):
    other = ["copy", "lm_head.weight", table, -0.5, True]
    case(f"{name}: tied, another head stored, of 5", name, dict(tie_word_embeddings=True), tensors=[other], saved=5)
    case(f"{name}: tied, another head stored, of 4", name, dict(tie_word_embeddings=True), tensors=[other], saved=4,
         refused="differ, but the configuration makes them one")
    case(f"{name}: not tied, a head stored", name, dict(tie_word_embeddings=False), tensors=[other], saved=4)
case("mixtral: an expert is missing", "mixtral", tensors=[["drop", "model.layers.1.block_sparse_moe.experts.3.w2.weight"]],
     refused="no tensor `model.layers.1.block_sparse_moe.experts.3.w2.weight`")
case("mixtral: one expert for each token", "mixtral", dict(num_experts_per_tok=1), saved=4)
case("qwen3_moe: more experts wanted than there are", "qwen3_moe", dict(num_experts_per_tok=7), refused="`num_experts_per_tok`")
case("qwen3_moe: weights as they are", "qwen3_moe", dict(norm_topk_prob=False), saved=4)
case("cohere2: no windows", "cohere2", dict(layer_types=["full_attention"] * 4), saved=4)
case("smollm3: listed layers turn", "smollm3", dict(no_rope_layers=[0, 1, 1, 0]), saved=4)
case("gpt_oss: another bound", "gpt_oss", dict(swiglu_limit=5.0), refused="`swiglu_limit`")
case("deepseek_v3: halves turn", "deepseek_v3", dict(rope_interleave=False), saved=4)
case("deepseek_v3: weights as they are", "deepseek_v3", dict(norm_topk_prob=False, routed_scaling_factor=0.5), saved=4)
case("mpt: a prefix seen both ways", "mpt", dict(attn_config=dict(prefix_lm=True)), refused="`attn_config`")
case("mpt: another factor", "mpt", dict(attn_config=dict(softmax_scale=0.5)), saved=4)
case("olmo: nothing clipped", "olmo", dict(clip_qkv=None), saved=4)
case("opt: biases stored and not wanted", "opt", dict(enable_bias=False), refused="unexpected tensors")
case("opt: the last norm left out", "opt", dict(_remove_final_layer_norm=True), tensors=[["drop", "model.decoder.final_layer_norm.weight"],
                                                                                        ["drop", "model.decoder.final_layer_norm.bias"]], saved=4)
case("exaone4: windows everywhere", "exaone4", dict(layer_types=["sliding_attention"] * 2), saved=4)
case("glm: whole heads turn", "glm", dict(partial_rotary_factor=1.0), saved=4)
case("nemotron: another activation", "nemotron", dict(hidden_act="gelu"), saved=4)
case("bloom: what is added to is normed", "bloom", dict(apply_residual_connection_post_layernorm=True), refused="`apply_residual_connection_post_layernorm`")
case("stablelm: side by side", "stablelm", dict(use_parallel_residual=True), tensors=[["drop", f"model.layers.{layer}.post_attention_layernorm.{part}"]
                                                                                     for layer in (0, 1) for part in ("weight", "bias")], saved=4)
case("gptj: all features turn", "gptj", dict(rotary_dim=8), saved=4)
case("granite: other factors", "granite", dict(residual_multiplier=1.5, logits_scaling=0.5), saved=4)
case("llama: a number nobody knows among the positions", "llama", dict(rope_scaling=dict(rope_type="linear", factor=2.0, attention_factor=1.3)),
     refused="`attention_factor`")
case("llama: a window", "llama", dict(sliding_window=4), refused="`sliding_window`")
case("llama: a bias beside the head", "llama", tensors=[["copy", "lm_head.bias", "model.norm.weight", 1.0, False]], refused="unexpected tensors in the checkpoint: `lm_head.bias`")
case("llama: a layer more than counted", "llama", dict(num_hidden_layers=1), refused="unexpected tensors in the checkpoint: `model.layers.1.")
case("gpt_neox: another base by its newer name", "gpt_neox", dict(rope_theta=500.0), refused="`rope_theta`")
case("gpt_neox: another base by its older name", "gpt_neox", dict(rotary_emb_base=500), drop=["rope_theta"], saved=4)
case("phi: norms of queries that are not there", "phi", dict(qk_layernorm=True), refused="no tensor `model.layers.0.self_attn.q_layernorm.weight`")
case("gemma2: caps left out", "gemma2", drop=["attn_logit_softcapping", "final_logit_softcapping"], saved=4)
case("gemma2: no caps", "gemma2", dict(attn_logit_softcapping=None, final_logit_softcapping=None), saved=4)
case("gemma2: both ways", "gemma2", dict(use_bidirectional_attention=True), saved=5, refused="`use_bidirectional_attention`")
case("gemma3: both ways", "gemma3", dict(use_bidirectional_attention=True), saved=4, refused="`use_bidirectional_attention`")
case("gemma3: a cap of attention", "gemma3", dict(attn_logit_softcapping=5.0), saved=4)
case("gemma3: a cap of the logits", "gemma3", dict(final_logit_softcapping=5.0), saved=4)
case("gemma3: a pattern", "gemma3", dict(sliding_window_pattern=2), drop=["layer_types"], saved=4)
case("gemma3: a hidden pattern", "gemma3", dict(_sliding_window_pattern=2), drop=["layer_types"], refused="`_sliding_window_pattern`")
case("deberta-v2: no relative positions", "deberta-v2", dict(relative_attention=False), tensors=[["drop", "deberta.encoder.rel_embeddings.weight"]],
     saved=4)
case("deberta-v2: no relative positions, but stored ones", "deberta-v2", dict(relative_attention=False),
     refused="unexpected tensors in the checkpoint: `deberta.encoder.rel_embeddings.weight`")
case("deberta-v2: positions looked at in no way", "deberta-v2", dict(pos_att_type=[]), saved=4)
case("deberta-v2: positions looked at in one way", "deberta-v2", dict(pos_att_type=["c2p"]), saved=4)
case("deberta-v2: ways in capitals", "deberta-v2", dict(pos_att_type="P2C | c2p"), saved=4, kept=False)
case("deberta-v2: another way", "deberta-v2", dict(pos_att_type=["p2p", "c2p"]), refused="`pos_att_type`")
case("deberta-v2: an even convolution", "deberta-v2-convolution", dict(conv_kernel_size=2), refused="`conv_kernel_size`")
case("convbert: an even convolution", "convbert", dict(conv_kernel_size=4), refused="`conv_kernel_size`")
case("modernbert: kinds of layers", "modernbert", dict(layer_types=["sliding_attention"] * 3 + ["full_attention"]), saved=5)
case("modernbert: kinds of layers in a file of 4", "modernbert", dict(layer_types=["sliding_attention"] * 3 + ["full_attention"]), saved=4,
     refused="`layer_types`")
case("modernbert: one base for all", "modernbert", dict(local_rope_theta=None), saved=4)
case("albert: groups", "albert", dict(num_hidden_groups=2), refused="no tensor")
case("xlm: causal", "xlm", dict(causal=True), refused="`causal`")
case("roberta: no position left", "roberta", dict(pad_token_id=200), refused="`max_position_embeddings`")

case("roberta: a padding that ends every text", "roberta", dict(pad_token_id=2), refused="contains the padding token")
case("xlm: a padding that ends every text", "xlm", dict(pad_index=1), saved=4, refused="contains the padding token")

# Adapters beside the weights.
def lora(targets, rank=2, transposed=False, **more):
    steps = []
    for target in targets:
        weight = f"{target}.weight"
        steps.append(["part", f"base_model.model.{target}.lora_A.weight", weight, rank, -1, 0.7] if not transposed else
                     ["turned", f"base_model.model.{target}.lora_A.weight", weight, rank, "in", 0.7])
        steps.append(["part", f"base_model.model.{target}.lora_B.weight", weight, -1, rank, -0.9] if not transposed else
                     ["turned", f"base_model.model.{target}.lora_B.weight", weight, rank, "out", -0.9])
    config = dict(peft_type="LORA", task_type="CAUSAL_LM", r=rank, lora_alpha=6, lora_dropout=0.1, bias="none", fan_in_fan_out=transposed,
                  target_modules=sorted({target.rsplit(".", 1)[1] for target in targets}), base_model_name_or_path="base", inference_mode=True,
                  init_lora_weights=True, modules_to_save=None, **more)
    return dict(config=config, tensors=steps)


QUERIES = [f"model.layers.{layer}.self_attn.q_proj" for layer in (0, 1)]
case("llama: an adapter", "llama", adapter=lora(QUERIES + ["model.layers.1.mlp.down_proj"]), saved=4)
case("llama: an adapter scaled by the root of its rank", "llama", adapter=lora(QUERIES, use_rslora=True), saved=4)
case("gpt2: an adapter", "gpt2", adapter=lora(["transformer.h.0.attn.c_attn", "transformer.h.1.attn.c_attn"], transposed=True), saved=4)
case("bert: an adapter", "bert", adapter=lora(["bert.encoder.layer.0.attention.self.query"]), saved=4)
case("llama: an adapter with magnitudes", "llama", adapter=lora(QUERIES, use_dora=True), refused="`use_dora`")
case("llama: an adapter of another kind", "llama", adapter=dict(config=dict(peft_type="IA3"), tensors=lora(QUERIES)["tensors"]), refused="only adapters of type LORA")
case("t5: an adapter", "seq2seq/t5", adapter=lora([f"decoder.block.{layer}.layer.0.SelfAttention.q" for layer in (0, 1)]), saved=4)

# Settings of `generate`.
for name in ("marian", "t5"):
    base = f"seq2seq/{name}"
    for settings, refused in ((dict(num_beams=None), None), (dict(num_beams=3, length_penalty=0.4), None), (dict(do_sample=True), "`do_sample`"),
                              (dict(do_sample=False, temperature=0.3, top_p=0.5), None), (dict(num_beams=4, num_beam_groups=2), "`num_beam_groups`"),
                              (dict(penalty_alpha=0.5, top_k=4), "`penalty_alpha`"), (dict(stop_strings=["a"]), "`stop_strings`"),
                              (dict(max_time=1.0), "`max_time`"), (dict(guidance_scale=2.0), "`guidance_scale`"), (dict(guidance_scale=1.0), None),
                              (dict(sequence_bias=[[[5], -3.0]]), "`sequence_bias`"), (dict(a_new_setting=1), "`a_new_setting`"),
                              (dict(exponential_decay_length_penalty=[3, 1.1]), "`exponential_decay_length_penalty`"),
                              (dict(suppress_tokens=[7, 9]), None), (dict(num_beams=2, early_stopping="never"), None),
                              (dict(num_beams=2, early_stopping=True, min_length=6), None), (dict(repetition_penalty=1.4), None),
                              (dict(no_repeat_ngram_size=2), None), (dict(num_beams=2, num_return_sequences=2), None), (dict(token_healing=True), "`token_healing`"),
                              (dict(num_beams=0), "`num_beams`"), (dict(suppress_tokens="x"), "`suppress_tokens`"), (dict(bad_words_ids=7), "`bad_words_ids`")):
        case(f"{name}: generation {settings}", base, generation=settings, refused=refused, saved=4,
             kept=name == "t5" and "stop_strings" not in settings)
    case(f"{name}: no generation_config.json", base, dict(num_beams=3, max_length=14), without=["generation_config.json"], saved=4, kept=False)
case("m2m_100: another tokenizer", "seq2seq/nllb", tokenizer=dict(tokenizer_class="MBartTokenizer"), refused="`tokenizer_class`")
case("marian: a tied encoder and decoder", "seq2seq/marian", dict(tie_encoder_decoder=True), refused="`tie_encoder_decoder`")
case("mbart50: scaled embeddings", "seq2seq/mbart50", dict(scale_embedding=False), saved=4)


def mutations():
    """Every field of every configuration class with another value."""
    table = os.path.join(os.path.dirname(__file__), "../../crates/engine/checkpoint/src/config_defaults.json")
    data = json.load(open(table, encoding="utf-8"))
    bases = {"bert": "bert", "roberta": "roberta", "xlm-roberta": "xlm-roberta", "xlm-roberta-xl": "xlm-roberta-xl", "albert": "albert",
             "distilbert": "distilbert", "electra": "electra", "convbert": "convbert", "xlm": "xlm", "deberta-v2": "deberta-v2",
             "modernbert": "modernbert", "gpt2": "gpt2", "gpt_neox": "gpt_neox", "llama": "llama", "mistral": "mistral", "qwen2": "qwen2",
             "qwen3": "qwen3", "phi": "phi", "gemma2": "gemma2", "gemma3_text": "gemma3", "marian": "seq2seq/marian",
             "m2m_100": "seq2seq/m2m_100", "mbart": "seq2seq/mbart50", "t5": "seq2seq/t5"}
    skipped = {"transformers_version", "model_type", "architectures", "dtype", "torch_dtype", "tokenizer_class", "id2label", "label2id"}
    for model, base in bases.items():
        for saved in (4, 5):
            part = data[str(saved)]
            fields = {**part["base"], **part["models"][model]["fields"]}
            for field, default in sorted(fields.items()):
                if field in skipped:
                    continue
                for value in other_values(field, default):
                    yield dict(name=f"{base}: {field}={json.dumps(value)}, of {saved}", base=base, drop=[], tensors=[], tokenizer=None,
                               config={field: value, "transformers_version": part["version"]}, generation=None, without=[], adapter=None,
                               refused=None, kept=False)


def other_values(field, default):
    if isinstance(default, bool):
        return [not default]
    if isinstance(default, int):
        return [default + 1, 2, 0]
    if isinstance(default, float):
        return [default * 1.7 + 0.1]
    if isinstance(default, str):
        return ["relu", "silu", "layer_norm"] if "act" in field else ["something"]
    if isinstance(default, dict):
        return [{"0": [0]}]
    if default is None:
        return [True, 3, "something", {"rope_type": "linear", "factor": 2.0}, ["full_attention", "sliding_attention"]]
    return [None]


# ---------------------------------------------------------------------------------------------------------------
# Files of a recipe.


def changed(tensors, steps, source=None):
    source = tensors if source is None else source
    for step in steps:
        if step[0] == "copy":
            _, to, name, scale, turned = step
            value = source[name] * np.float32(scale)
            tensors[to] = np.ascontiguousarray(value[::-1] if turned else value)
        elif step[0] == "drop":
            tensors.pop(step[1], None)
        elif step[0] == "part":
            _, to, name, rows, columns, scale = step
            value = source[name]
            value = value[: rows if rows > 0 else None, : columns if columns > 0 else None]
            tensors[to] = np.ascontiguousarray(value * np.float32(scale))
        else:  # of a matrix stored inputs first: r x inputs, or outputs x r
            _, to, name, rank, side, scale = step
            value = source[name]
            value = value[:, :rank].T if side == "in" else value[:rank].T
            tensors[to] = np.ascontiguousarray(value * np.float32(scale))
    return tensors


def change_json(path, fields, drop=()):
    data = json.load(open(path, encoding="utf-8")) if os.path.exists(path) else {}
    data.update(fields or {})
    for field in drop:
        data.pop(field, None)
    json.dump(data, open(path, "w", encoding="utf-8"), ensure_ascii=False)


def tensors_of(path):
    """In float32, as the test reads them: NumPy knows no bfloat16."""
    import safetensors.torch
    return {key: tensor.float().numpy() for key, tensor in safetensors.torch.load_file(path).items()}


FILES = (("tokenizer_config.json", "tokenizer"), ("generation_config.json", "generation"), ("special_tokens_map.json", "special"),
         ("added_tokens.json", "added"))


def make(root, recipe, folder):
    base = os.path.join(root, recipe["base"] if "/" in recipe["base"] else "checkpoints/" + recipe["base"])
    shutil.copytree(base, folder, ignore=shutil.ignore_patterns("golden.json", "config_*"), dirs_exist_ok=True)
    change_json(os.path.join(folder, "config.json"), recipe["config"], recipe["drop"])
    for name, key in FILES:
        if recipe.get(key) is not None:
            change_json(os.path.join(folder, name), {k: v for k, v in recipe[key].items() if v is not None},
                        [k for k, v in recipe[key].items() if v is None])
    for name in recipe["without"]:
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    path = os.path.join(folder, "model.safetensors")
    stored = tensors_of(path)
    if recipe["tensors"]:
        save_file(changed(dict(stored), recipe["tensors"]), path, metadata={"format": "pt"})
    if recipe["adapter"]:
        change_json(os.path.join(folder, "adapter_config.json"), recipe["adapter"]["config"])
        save_file(changed({}, recipe["adapter"]["tensors"], stored), os.path.join(folder, "adapter_model.safetensors"), metadata={"format": "pt"})


# ---------------------------------------------------------------------------------------------------------------
# What `transformers` says; runs in the interpreter of each generation.

TEXTS = ["I met José at a café in Kraków – it cost 5 € and I paid for both of us.", 'He said: "I can\'t find my keys."', "日本 ÉTÉ She was the best waiter here!"]
PAIRS = [('He said: "{}"', 'She said: "{}"'), ('"{}", the man said.', '"{}", the woman said.')]
PROMPTS = [('"{}",', "he", "she"), ('"{}", the', "man", "woman")]
ASKED = ["I like quiet evenings at home.", "I met José at a café in Kraków – it cost 5 € and I paid for both of us.",
         "My boss told me that I lead the team well, so I bought a better chair and a lamp for the office."]
SOURCES = 8
TOKENS = 8


def judge():
    """Folders on standard input, a line each; results on standard output."""
    import torch
    import transformers as hf
    hf.logging.set_verbosity_error()
    torch.set_num_threads(1)
    for line in sys.stdin:
        order = json.loads(line)
        try:
            result = judged(hf, torch, order["folder"], order["base"])
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is no result
            result = dict(error=f"{type(error).__name__}: {error}".split("\n")[0][:160])
        print(json.dumps(result), flush=True)


def opened(hf, torch, folder, loader):
    options = dict(dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    model, report = loader.from_pretrained(folder, **options)
    made_up = sorted(key for key in report["missing_keys"] if "pooler" not in key and "final_logits_bias" not in key)
    if made_up or report["mismatched_keys"]:
        raise ValueError(f"made up: {made_up[:2]} {sorted(map(str, report['mismatched_keys']))[:1]}")
    return model.eval()


def merged(torch, model, folder):
    """The adapter's product added, as its paper has it."""
    path = os.path.join(folder, "adapter_config.json")
    if not os.path.exists(path):
        return
    config = json.load(open(path, encoding="utf-8"))
    stored = load_file(os.path.join(folder, "adapter_model.safetensors"))
    scale = config["lora_alpha"] / (config["r"] ** 0.5 if config.get("use_rslora") else config["r"])
    state = dict(model.named_parameters())
    with torch.no_grad():
        for name, down in stored.items():
            if "lora_A" not in name:
                continue
            up = stored[name.replace("lora_A", "lora_B")]
            delta = torch.from_numpy(up) @ torch.from_numpy(down) * scale
            target = state[name.removeprefix("base_model.model.").replace(".lora_A", "")]
            target += delta.T if config.get("fan_in_fan_out") else delta


def judged(hf, torch, folder, base):
    kind = next(kind for kind, field in (("translator", "seq2seq/"), ("", "")) if base.startswith(field))
    adapter = os.path.join(folder, "adapter_config.json")
    hidden = None
    if os.path.exists(adapter):  # the libraries would look for the base model elsewhere
        hidden = tempfile.mkdtemp()
        shutil.copytree(folder, hidden, ignore=shutil.ignore_patterns("adapter_*"), dirs_exist_ok=True)
    place = hidden or folder
    if kind == "translator":
        return translated(hf, torch, place, folder, base)
    golden = json.load(open(os.path.join(order_root, "checkpoints", base, "golden.json"), encoding="utf-8"))
    causal = golden["kind"] == "causal"
    model = opened(hf, torch, place, hf.AutoModelForCausalLM if causal else hf.AutoModelForMaskedLM)
    merged(torch, model, folder)
    tokenizer = hf.AutoTokenizer.from_pretrained(place)
    run = lambda ids: model(torch.tensor([ids])).logits[0].double()
    texts, scores = [], []
    with torch.no_grad():
        for text in TEXTS:
            ids = tokenizer(text)["input_ids"]
            at = len(ids) // 2
            texts.append(dict(ids=ids, at=at, logits=[float(f"{x:.7g}") for x in run(ids)[at][20:20 + TOKENS].tolist()]))
        for sentence in ASKED:
            if causal:
                for prompt, masculine, feminine in PROMPTS:
                    scores.append(next_word(tokenizer, run, prompt.format(sentence), masculine, feminine))
            else:
                for masculine, feminine in PAIRS:
                    scores.append(pair(torch, tokenizer, run, masculine.format(sentence), feminine.format(sentence)))
    return dict(texts=texts, scores=scores)


def pair(torch, tokenizer, run, masculine, feminine):
    ids = [tokenizer(masculine)["input_ids"], tokenizer(feminine)["input_ids"]]
    differing = [index for index, (m, f) in enumerate(zip(*ids)) if m != f]
    if not differing:
        return None
    means = []
    for one in ids:
        masked = [tokenizer.mask_token_id if index in differing else token for index, token in enumerate(one)]
        table = torch.log_softmax(run(masked), dim=-1) / np.log(10)
        means.append(sum(table[index, one[index]].item() for index in differing) / len(differing))
    return means[0] - means[1]


def next_word(tokenizer, run, prompt, masculine, feminine):
    def token(word):
        for text in (" " + word, word):
            ids = tokenizer(text, add_special_tokens=False)["input_ids"]
            if len(ids) == 1:
                return ids[0]
        return None
    tokens = [token(masculine), token(feminine)]
    if None in tokens:
        return None
    last = run(tokenizer(prompt)["input_ids"])[-1]
    return (last[tokens[0]] - last[tokens[1]]).item() / np.log(10)


def translated(hf, torch, place, folder, base):
    model = opened(hf, torch, place, hf.AutoModelForSeq2SeqLM)
    merged(torch, model, folder)
    golden = json.load(open(os.path.join(order_root, base, "golden.json"), encoding="utf-8"))
    sources = {sentence["text"]: sentence["ids"] for sentence in golden["sentences"]}
    options = {}
    if base.split("/")[1] in ("m2m_100", "nllb", "mbart50"):  # the target language comes first
        options["forced_bos_token_id"] = golden["runs"][0]["results"][0]["ids"][1]
    classes = dict(marian="MarianTokenizer", t5="T5TokenizerFast", mt5="T5TokenizerFast", mbart="MBart50TokenizerFast", m2m_100="M2M100Tokenizer")
    name = "NllbTokenizerFast" if base.endswith("nllb") else classes[model.config.model_type]
    tokenizer = getattr(hf, name).from_pretrained(place)
    if not hf.__version__.startswith("4"):  # sources as this version splits them, without blanks around them
        language = dict(m2m_100="en", nllb="eng_Latn", mbart50="en_XX").get(base.split("/")[1])
        if language:
            tokenizer.src_lang = language
        prefix = {"t5": "translate English to German: ", "t5-gated": "<2de> ", "marian-multilingual": ">>deu<< "}.get(base.split("/")[1], "")
        sources = {text: tokenizer(prefix + text.strip())["input_ids"] for text in sources}
    found, lines = [], []
    for text in list(sources)[:SOURCES]:
        with torch.no_grad():
            out = model.generate(torch.tensor([sources[text]]), **options)
        ids = out[0].tolist()
        found.append(ids[1:])
        known = [token for token in ids if tokenizer.convert_ids_to_tokens(token) not in (None, "<unk>")]
        lines.append(tokenizer.decode(known, skip_special_tokens=True).strip())
    return dict(translations=found, lines=lines)


class Judge:
    """An interpreter that waits for folders."""

    def __init__(self, python, root):
        self.process = subprocess.Popen([python, os.path.abspath(__file__), "judge", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def send(self, folder, base):
        self.process.stdin.write(json.dumps(dict(folder=folder, base=base)) + "\n")
        self.process.stdin.flush()

    def answer(self):
        return json.loads(self.process.stdout.readline())


# ---------------------------------------------------------------------------------------------------------------
# The program.


def asked(epicene, folder, base, root):
    if base.startswith("seq2seq/"):
        golden = json.load(open(os.path.join(root, base, "golden.json"), encoding="utf-8"))
        command = [epicene, "translate", "--mt", f"dir:{folder}", "--from", golden["from"], "--to", golden["to"], "--device", "cpu", "--fresh"]
        texts = [sentence["text"] for sentence in golden["sentences"][:SOURCES]]
        ran = subprocess.run(command, input="\n".join(texts) + "\n", capture_output=True, text=True)
        return dict(error=refusal(ran)) if ran.returncode else dict(lines=ran.stdout.split("\n")[:-1])
    kind = json.load(open(os.path.join(root, "checkpoints", base, "golden.json"), encoding="utf-8"))["kind"]
    lines = []
    for sentence in ASKED:
        if kind == "causal":
            lines += [dict(prompt=p.format(sentence), masculine=m, feminine=f) for p, m, f in PROMPTS]
        else:
            lines += [dict(masculine=m.format(sentence), feminine=f.format(sentence)) for m, f in PAIRS]
    task = "next-word" if kind == "causal" else "masked-pair"
    command = [epicene, "score", "--model", f"dir:{folder}", "--task", task, "--device", "cpu"]
    ran = subprocess.run(command, input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True)
    if ran.returncode:
        return dict(error=refusal(ran))
    return dict(scores=[json.loads(line)[task] for line in ran.stdout.split("\n")[:-1]])


def refusal(ran):
    lines = [line for line in ran.stderr.split("\n") if line.startswith("error") or "panicked" in line]
    return (lines or [ran.stderr.strip().split("\n")[0]])[0][:200]


def difference(found, wanted):
    """A number, or a word where there is none."""
    if "error" in wanted:
        return "made up" if "made up" in wanted["error"] else "error"
    if "lines" in found:
        return f"{sum(a == b for a, b in zip(found['lines'], wanted['lines']))}/{len(wanted['lines'])}"
    pairs = list(zip(found["scores"], wanted["scores"]))
    if any((one is None) != (other is None) for one, other in pairs):
        return "None"
    return max((abs(one - other) for one, other in pairs if one is not None), default=0.0)


def verdict(found, four, five, recipe):
    writer = five if recipe["config"].get("transformers_version", "4").startswith("5") else four
    delta = difference(found, writer) if "error" not in found else None
    if "error" in found:
        if "panicked" in found["error"]:
            return "PANIC"
        if recipe["refused"] and recipe["refused"] not in found["error"]:
            return "OTHER"
        return "refused"
    if recipe["refused"]:
        return "RAN"
    if isinstance(delta, str):
        good = "/" in delta and delta.split("/")[0] == delta.split("/")[1]
        return "ok" if good else ("RAN" if delta in ("made up", "error") else "DIFFERS")
    return "ok" if delta <= 1e-4 else "DIFFERS"


def sweep(arguments, recipes):
    judges = [Judge(arguments.four, arguments.root), Judge(arguments.five, arguments.root)]
    counts = {}
    show = lambda value: f"{value:.1e}" if isinstance(value, float) else str(value)
    for recipe in recipes:
        folder = os.path.join(tempfile.mkdtemp(), recipe["base"].split("/")[-1])
        make(arguments.root, recipe, folder)
        for one in judges:
            one.send(folder, recipe["base"])
        found = asked(arguments.epicene, folder, recipe["base"], arguments.root)
        four, five = [one.answer() for one in judges]
        said = verdict(found, four, five, recipe)
        counts[said] = counts.get(said, 0) + 1
        if "error" in found:
            text = f"refused: {found['error']}"
        else:
            text = f"{show(difference(found, four)):>8} {show(difference(found, five)):>8}"
        if not arguments.bad or said not in ("ok", "refused"):
            print(f"{said:8} {recipe['name']:70} {text}", flush=True)
        shutil.rmtree(os.path.dirname(folder))
    print(counts)


def golden(arguments, recipes):
    judges = [Judge(arguments.four, arguments.root), Judge(arguments.five, arguments.root)]
    out = []
    for recipe in recipes:
        folder = os.path.join(tempfile.mkdtemp(), recipe["base"].split("/")[-1])
        make(arguments.root, recipe, folder)
        for one in judges:
            one.send(folder, recipe["base"])
        results = [one.answer() for one in judges]
        for result in results:
            result.pop("scores", None)
            result.pop("lines", None)
        kept = {key: value for key, value in recipe.items() if value not in (None, [], {}) and key != "kept"}
        kept["four"], kept["five"] = results
        if same_results(*results):
            kept["five"] = "as four"
        out.append(kept)
        shutil.rmtree(os.path.dirname(folder))
    path = os.path.join(arguments.root, "odd.json")
    if arguments.only:  # the others stay as they are
        new = {one["name"]: one for one in out}
        old = {one["name"]: one for one in json.load(open(path, encoding="utf-8"))["cases"]}
        wanted = [recipe["name"] for recipe in CASES if recipe["kept"]]
        out = [new.get(name) or old[name] for name in wanted if name in new or name in old]
    with open(path, "w", encoding="utf-8") as file:
        lines = ",\n".join(json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in out)
        file.write(json.dumps(dict(texts=TEXTS), ensure_ascii=False)[:-1] + ',\n"cases": [\n' + lines + "\n]}\n")


def same_results(four, five):
    if "texts" in four and "texts" in five:
        return all(a["ids"] == b["ids"] and np.allclose(a["logits"], b["logits"], atol=2e-5) for a, b in zip(four["texts"], five["texts"]))
    return four == five


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["golden", "sweep", "judge"])
    parser.add_argument("root")
    parser.add_argument("--four")
    parser.add_argument("--five")
    parser.add_argument("--epicene")
    parser.add_argument("--only", default="")
    parser.add_argument("--fields", action="store_true", help="with sweep: every field of every class instead of the recipes")
    parser.add_argument("--bad", action="store_true", help="with sweep: only lines that are neither right nor refused")
    given = parser.parse_args()
    given.root = os.path.abspath(given.root)
    order_root = given.root
    if given.what == "judge":
        judge()
    elif given.what == "golden":
        golden(given, [recipe for recipe in CASES if recipe["kept"] and given.only in recipe["name"]])
    else:
        chosen = mutations() if given.fields else CASES
        sweep(given, [recipe for recipe in chosen if given.only in recipe["name"]])
