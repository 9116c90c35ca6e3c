#!/usr/bin/env python3
"""Random checkpoints of every architecture, odd but legal, and what the version of `transformers` that wrote them computes
from them: whether the program agrees, refuses, or is confidently wrong.

    P4=VENV4/bin/python P5=VENV5/bin/python      # transformers 4.57.6 and 5.22.2
    cargo build -p epicene-engine --example logits
    $P4 tools/reference/random_checkpoints.py sweep --logits target/debug/examples/logits --count 6 --seed 1
    $P5 tools/reference/random_checkpoints.py sweep --logits target/debug/examples/logits --count 6 --seed 1

Sizes, heads, groups of heads, windows, kinds of layers, positions and their scalings, ties, biases, activations, widths of
numbers and shards are drawn (NumPy's PCG64 from the seed, the model type and the number). The version writes the checkpoint,
reads its own file back in float32 with eager attention and gives logits of two texts; logits are compared relative to their
own size. What the library itself cannot make or read is no checkpoint and is drawn again. `--only TYPE[,TYPE]` takes some types,
`--keep FOLDER` keeps the checkpoints that differ, `--all` prints every line. `make --made FOLDER` only leaves checkpoints and what
their version says in a folder, `sweep --made FOLDER` asks about those.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import torch
import transformers as hf
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

FIVE = int(hf.__version__.split(".")[0]) >= 5
POSITIONS = 96
LENGTHS = (9, 47)
TOLERANCE = 1e-4

ACTIVATIONS = ["silu", "gelu", "gelu_new", "relu", "gelu_pytorch_tanh", "gelu_fast", "quick_gelu", "swish", "relu2"]


class Draw:
    """One checkpoint's chances."""

    def __init__(self, seed, kind, number):
        self.chance = np.random.default_rng([seed, zlib.crc32(kind.encode()), number])

    def one(self, *values):
        return values[self.chance.integers(len(values))]

    def often(self, share=0.5):
        return bool(self.chance.random() < share)

    def factors(self, count):
        return [round(1.0 + 0.5 * float(self.chance.random()) + 0.3 * place, 3) for place in range(count)]


def scaling(draw, turned, positions):
    """A scaling of rotary positions, or none."""
    kind = draw.one(None, None, "linear", "dynamic", "yarn", "yarn", "llama3", "longrope", "longrope")
    trained = draw.one(32, 64, positions)
    if kind is None:
        return None
    if kind in ("linear", "dynamic"):
        return dict(rope_type=kind, factor=draw.one(1.0, 2.0, 4.5))
    if kind == "llama3":
        return dict(rope_type=kind, factor=draw.one(2.0, 8.0), low_freq_factor=1.0, high_freq_factor=draw.one(2.0, 4.0),
                    original_max_position_embeddings=draw.one(16, 32))
    if kind == "yarn":
        more = {}
        if draw.often():
            more["original_max_position_embeddings"] = trained
        if draw.often(0.4):
            more.update(beta_fast=draw.one(8.0, 32.0), beta_slow=draw.one(0.5, 1.0))
        if draw.often(0.3):
            more["attention_factor"] = draw.one(0.8, 1.3)
        elif draw.often(0.3):
            more.update(mscale=draw.one(0.7, 1.0), mscale_all_dim=draw.one(0.5, 1.0))
        if draw.often(0.3):
            more["truncate"] = draw.often()
        return dict(rope_type=kind, factor=draw.one(2.0, 4.0), **more)
    more = {}
    if draw.often():
        more["original_max_position_embeddings"] = trained
    if draw.often():
        more["factor"] = draw.one(1.5, 4.0)
    if draw.often(0.3):
        more["attention_factor"] = draw.one(0.8, 1.2)
    return dict(rope_type=kind, short_factor=draw.factors(turned // 2), long_factor=draw.factors(turned // 2), **more)


def layer_types(draw, layers):
    return [draw.one("sliding_attention", "full_attention") for _ in range(layers)]


# Fields that several configurations have, and what they may be. Each is drawn only where a class has the field.
def shared(draw, known, sizes):
    layers, heads = sizes["layers"], sizes["heads"]
    pools = dict(
        attention_bias=lambda: draw.often(), mlp_bias=lambda: draw.often(), use_bias=lambda: draw.often(0.7), bias=lambda: draw.often(),
        tie_word_embeddings=lambda: draw.often(), hidden_act=lambda: draw.one(*ACTIVATIONS), hidden_activation=lambda: draw.one(*ACTIVATIONS),
        activation_function=lambda: draw.one(*ACTIVATIONS), activation=lambda: draw.one("gelu", "relu"),
        rms_norm_eps=lambda: draw.one(1e-5, 1e-6, 1e-3), layer_norm_eps=lambda: draw.one(1e-5, 1e-12, 1e-3),
        layer_norm_epsilon=lambda: draw.one(1e-5, 1e-3), norm_eps=lambda: draw.one(1e-5, 1e-3), norm_epsilon=lambda: draw.one(1e-5, 1e-3),
        sliding_window=lambda: draw.one(None, 2, 4, 7), use_sliding_window=lambda: draw.often(), max_window_layers=lambda: draw.one(0, 1, layers, 28),
        layer_types=lambda: draw.one(None, layer_types(draw, layers)), partial_rotary_factor=lambda: draw.one(0.5, 1.0),
        rotary_pct=lambda: draw.one(0.5, 1.0), use_parallel_residual=lambda: draw.often(), qk_layernorm=lambda: draw.often(0.4),
        use_qk_norm=lambda: draw.often(), clip_qkv=lambda: draw.one(None, 0.5, 2.0), logit_scale=lambda: draw.one(0.0625, 0.7, 1.0),
        norm_topk_prob=lambda: draw.often(), use_qkv_bias=lambda: draw.often(), qkv_bias=lambda: draw.often(),
        query_pre_attn_scalar=lambda: draw.one(8, 20, 256), attn_logit_softcapping=lambda: draw.one(None, 5.0, 50.0),
        final_logit_softcapping=lambda: draw.one(None, 3.0, 30.0), scale_attn_weights=lambda: draw.often(0.8),
        scale_attn_by_inverse_layer_idx=lambda: draw.often(0.3), multi_query=lambda: draw.often(), parallel_attn=lambda: draw.often(),
        alibi=lambda: draw.often(0.4), new_decoder_architecture=lambda: draw.often(), do_layer_norm_before=lambda: draw.often(0.7),
        enable_bias=lambda: draw.often(0.7), layer_norm_elementwise_affine=lambda: draw.often(0.7),
        embedding_multiplier=lambda: draw.one(1.0, 3.5), residual_multiplier=lambda: draw.one(1.0, 0.3), attention_multiplier=lambda: draw.one(1.0, 0.2),
        logits_scaling=lambda: draw.one(1.0, 3.0), sinusoidal_embeddings=lambda: draw.often(0.3), gelu_activation=lambda: draw.often(),
        n_langs=lambda: 1, use_lang_emb=lambda: False, pre_norm=lambda: draw.often(), type_vocab_size=lambda: draw.one(1, 2, 3),
        sliding_window_pattern=lambda: draw.one(1, 2, 3), no_rope_layer_interval=lambda: draw.one(2, 3), rope_theta=lambda: draw.one(10000.0, 500.0, 1e6),
        rope_local_base_freq=lambda: draw.one(10000.0, 300.0), global_rope_theta=lambda: draw.one(160000.0, 700.0), rotary_emb_base=lambda: draw.one(10000, 300),
        local_rope_theta=lambda: draw.one(10000.0, 200.0), norm_bias=lambda: draw.often(), local_attention=lambda: draw.one(4, 6, 128),
        global_attn_every_n_layers=lambda: draw.one(1, 2, 3), decoder_bias=lambda: draw.often(), classifier_bias=lambda: draw.often(),
        rope_interleave=lambda: draw.often(), routed_scaling_factor=lambda: draw.one(1.0, 2.5), rescale_embeddings=lambda: draw.often(),
        position_biased_input=lambda: draw.often(),
    )
    chosen = {field: pool() for field, pool in pools.items() if field in known and draw.often(0.75)}
    if "num_key_value_heads" in known:
        chosen["num_key_value_heads"] = draw.one(*[count for count in range(1, heads + 1) if heads % count == 0])
    return chosen


def experts(draw, kind, sizes):
    """What mixtures of experts have, each under its own names."""
    inner = draw.one(8, 12, 20)
    if kind in ("mixtral", "granitemoe"):
        count = draw.one(2, 3, 5, 8)
        return dict(num_local_experts=count, num_experts_per_tok=draw.one(*range(1, min(count, 4) + 1)))
    if kind == "gpt_oss":
        count = draw.one(2, 3, 5)
        return dict(num_local_experts=count, num_experts_per_tok=draw.one(*range(1, count + 1)), hidden_act="silu")
    if kind in ("qwen2_moe", "qwen3_moe"):
        count = draw.one(2, 3, 5, 8)
        more = dict(num_experts=count, num_experts_per_tok=draw.one(*range(1, min(count, 4) + 1)), moe_intermediate_size=inner,
                    decoder_sparse_step=draw.one(1, 2), mlp_only_layers=draw.one([], [0], [1]))
        # The third generation has no shared expert.
        return more | (dict(shared_expert_intermediate_size=draw.one(8, 16)) if kind == "qwen2_moe" else {})
    if kind == "olmoe":
        count = draw.one(2, 3, 5)
        return dict(num_experts=count, num_experts_per_tok=draw.one(*range(1, count + 1)))
    if kind in ("deepseek_v2", "deepseek_v3"):
        groups = draw.one(1, 2, 3, 5)
        size = draw.one(2, 3, 4)
        turning = draw.one(4, 6)
        more = dict(n_routed_experts=groups * size, n_group=groups, topk_group=draw.one(*range(1, groups + 1)),
                    num_experts_per_tok=draw.one(1, 2, 3), moe_intermediate_size=inner, n_shared_experts=draw.one(1, 2), first_k_dense_replace=draw.one(0, 1),
                    q_lora_rank=draw.one(None, 10), kv_lora_rank=draw.one(8, 14), qk_rope_head_dim=turning, qk_nope_head_dim=draw.one(4, 10),
                    v_head_dim=draw.one(4, 8, 20), num_key_value_heads=sizes["heads"])
        if kind == "deepseek_v2":
            more.update(topk_method=draw.one("greedy", "group_limited_greedy"), norm_topk_prob=False, head_dim=turning)
        return more
    return {}


def special(draw, kind, sizes):
    """What only one kind has, or must not have."""
    heads, hidden, head_size, layers = (sizes[name] for name in ("heads", "hidden", "head_size", "layers"))
    if kind == "falcon":
        return dict(num_kv_heads=draw.one(*[count for count in range(1, heads + 1) if heads % count == 0]), ffn_hidden_size=draw.one(20, 4 * hidden),
                    num_ln_in_parallel_attn=draw.one(None, 1, 2))
    if kind == "opt":
        return dict(word_embed_proj_dim=draw.one(hidden, 12), ffn_dim=sizes["inner"])
    if kind == "gptj":
        return dict(rotary_dim=draw.one(2, head_size), n_inner=draw.one(None, 20))
    if kind == "gpt_neo":
        return dict(attention_types=[[[draw.one("global", "local") for _ in range(layers)], 1]], window_size=draw.one(3, 8), num_layers=layers,
                    num_heads=heads, hidden_size=hidden)
    if kind == "gpt2":
        return dict(n_inner=draw.one(None, 20), reorder_and_upcast_attn=draw.often())
    if kind == "gpt_bigcode":
        return dict(n_inner=draw.one(None, 20))
    if kind == "mpt":
        return dict(d_model=hidden, n_heads=heads, n_layers=layers, max_seq_len=POSITIONS, expansion_ratio=draw.one(4, 4, 2, 3),
                    attn_config=dict(clip_qkv=draw.one(None, 0.8), softmax_scale=draw.one(None, 0.4), alibi=draw.often(0.8)), no_bias=draw.one(True, True, False),
                    logit_scale=draw.one(None, None, 0.5))
    if kind == "nemotron":
        return dict(hidden_act=draw.one("relu2", "gelu", "silu"))
    if kind == "apertus":
        return dict(hidden_act="xielu")
    if kind == "gpt_neox":
        return dict(rotary_pct=draw.one(0.5, 1.0))
    if kind == "llama4_text":
        count = draw.one(2, 3)
        return dict(num_local_experts=count, num_experts_per_tok=1, interleave_moe_layer_step=draw.one(1, 2), intermediate_size_mlp=20,
                    no_rope_layers=draw.one(None, [draw.one(0, 1) for _ in range(layers)]), use_qk_norm=draw.often(), attn_temperature_tuning=draw.often(),
                    layer_types=None, hidden_act="silu")
    if kind == "gemma3_text":
        return dict(sliding_window=draw.one(3, 6, 512))
    if kind == "gemma3n_text":
        copies = draw.one(1, 2, 4)
        return dict(sliding_window=draw.one(3, 6, 512), vocab_size_per_layer_input=180, hidden_size_per_layer_input=draw.one(2, 4, 6), laurel_rank=draw.one(2, 6),
                    altup_num_inputs=copies, altup_active_idx=draw.one(*range(copies)), altup_correct_scale=draw.often(),
                    num_kv_shared_layers=draw.one(*range(layers)), activation_sparsity_pattern=[draw.one(0.0, 0.3, 0.5, 0.95) for _ in range(layers)],
                    intermediate_size=draw.one(sizes["inner"], [draw.one(12, 20) for _ in range(layers)]))
    if kind in ("gemma2", "cohere2", "olmo3", "ministral"):
        return dict(sliding_window=draw.one(3, 6))
    if kind == "smollm3":
        return dict(no_rope_layers=draw.one(None, [draw.one(0, 1) for _ in range(layers)]))
    if kind == "albert":
        groups = draw.one(1, 1, 2)
        return dict(embedding_size=draw.one(8, hidden), num_hidden_groups=min(groups, layers), inner_group_num=draw.one(1, 1, 2))
    if kind in ("electra",):
        return dict(embedding_size=draw.one(8, hidden))
    if kind == "convbert":
        return dict(embedding_size=draw.one(8, hidden), conv_kernel_size=draw.one(3, 5, 9), head_ratio=draw.one(1, 2), num_groups=draw.one(1, 2))
    if kind == "rembert":
        return dict(input_embedding_size=draw.one(8, 12), output_embedding_size=draw.one(10, hidden))
    if kind in ("deberta", "deberta-v2"):
        more = dict(relative_attention=draw.often(0.8), pos_att_type=draw.one(["c2p", "p2c"], "c2p|p2c", ["c2p"], ["p2c"]),
                    max_relative_positions=draw.one(-1, 9, 40))
        if kind == "deberta-v2":
            more.update(position_buckets=draw.one(-1, 8, 16), share_att_key=draw.often(), norm_rel_ebd=draw.one("none", "layer_norm"),
                        conv_kernel_size=draw.one(0, 0, 3), conv_act=draw.one("tanh", "gelu"))
        return more
    if kind == "big_bird":
        return dict(attention_type=draw.one("original_full", "block_sparse"), block_size=8, num_random_blocks=draw.one(1, 2), use_bias=True)
    if kind == "longformer":
        return dict(attention_window=draw.one(4, [draw.one(2, 4, 8) for _ in range(layers)]))
    if kind == "luke":
        return dict(entity_vocab_size=6, entity_emb_size=4)
    if kind in ("xlm", "flaubert"):
        return dict(emb_dim=hidden, n_layers=layers, n_heads=heads, pad_index=2, pad_token_id=2, bos_index=0, eos_index=1, unk_index=3, mask_index=5,
                    asm=False, causal=False, is_encoder=True)
    if kind == "distilbert":
        return dict(dim=hidden, n_heads=heads, n_layers=layers, hidden_dim=sizes["inner"], sinusoidal_pos_embds=draw.often(0.3))
    if kind == "modernbert":
        return dict(layer_types=None) if FIVE else {}
    return {}


CAUSAL = """gpt2 gpt_neox llama mistral qwen2 qwen3 phi phi3 gemma gemma2 gemma3_text gemma3n_text ministral olmo olmo2 olmo3 granite smollm3 cohere
cohere2 glm glm4 stablelm exaone4 nemotron apertus falcon opt bloom gptj gpt_neo mpt gpt_bigcode starcoder2 llama4_text mixtral
qwen2_moe qwen3_moe gpt_oss deepseek_v2 deepseek_v3 olmoe granitemoe""".split()
MASKED = """bert roberta xlm-roberta camembert xlm-roberta-xl albert distilbert electra convbert xlm flaubert deberta-v2 deberta modernbert
mpnet roberta-prelayernorm rembert big_bird longformer luke eurobert nomic_bert""".split()
POSITIONS_BEHIND = {"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "mpnet", "roberta-prelayernorm", "longformer", "luke"}


def fields(draw, kind, cls):
    """A configuration's fields."""
    known = set(cls().to_dict()) | set(getattr(cls, "attribute_map", {}))
    heads = draw.one(1, 2, 3, 4, 6)
    head_size = draw.one(4, 8, 12)
    hidden = heads * head_size
    own_head = "head_dim" in known and draw.often()
    if own_head:
        hidden = draw.one(16, 20, 28)
    sizes = dict(layers=draw.one(1, 2, 3, 4), heads=heads, head_size=head_size, hidden=hidden, inner=draw.one(12, 20, 36))
    vocabulary = draw.one(152, 160, 177)
    usual = dict(hidden_size=hidden, num_hidden_layers=sizes["layers"], num_attention_heads=heads, intermediate_size=sizes["inner"],
                 max_position_embeddings=POSITIONS + (4 if kind in POSITIONS_BEHIND else 0), vocab_size=vocabulary, bos_token_id=1, eos_token_id=2,
                 pad_token_id=0 if kind not in POSITIONS_BEHIND else 1)
    chosen = {field: value for field, value in usual.items() if field in known}
    if "head_dim" in known and not kind.startswith("deepseek"):
        chosen["head_dim"] = head_size
    chosen.update(shared(draw, known, sizes))
    chosen.update({field: value for field, value in {**experts(draw, kind, sizes), **special(draw, kind, sizes)}.items()})
    turned = head_size
    share = chosen.get("partial_rotary_factor", chosen.get("rotary_pct"))
    if share is None and {"partial_rotary_factor", "rotary_pct"} & known:
        share = getattr(cls(), "partial_rotary_factor", None) or getattr(cls(), "rotary_pct", None)
        chosen["partial_rotary_factor" if "partial_rotary_factor" in known else "rotary_pct"] = share = 0.5
    if share:
        turned = int(head_size * share)
    if kind.startswith("deepseek"):
        turned = chosen["qk_rope_head_dim"]
    if "rope_scaling" in known or "rope_parameters" in known or "rope_theta" in known:
        scaled = scaling(draw, turned, POSITIONS)
        if kind == "phi3":
            chosen["original_max_position_embeddings"] = draw.one(32, 64, POSITIONS)
            scaled = scaled if scaled and scaled["rope_type"] == "longrope" else None
            if not scaled and draw.often():
                scaled = dict(rope_type="longrope", short_factor=draw.factors(turned // 2), long_factor=draw.factors(turned // 2))
        if FIVE:
            theta = chosen.pop("rope_theta", 10000.0)
            more = {} if share is None else dict(partial_rotary_factor=share)
            parameters = {"rope_type": "default", "rope_theta": theta, **(scaled or {}), **more}
            if kind in ("gemma3_text", "gemma3n_text"):
                chosen.pop("rope_local_base_freq", None)
                parameters = dict(full_attention=parameters, sliding_attention=dict(rope_type="default", rope_theta=300.0))
            if kind == "modernbert":
                parameters = dict(full_attention=dict(rope_type="default", rope_theta=700.0), sliding_attention=dict(rope_type="default", rope_theta=300.0))
            if draw.often(0.8):
                chosen["rope_parameters"] = parameters
        elif scaled and "rope_scaling" in known:
            if kind in ("phi3", "olmo"):  # they know the older name alone
                scaled = dict(scaled, type=scaled.pop("rope_type"))
            chosen["rope_scaling"] = scaled
    return chosen


def filled(model, draw, gemma):
    with torch.no_grad():
        everything = [*model.named_parameters(), *((key, value) for key, value in model.named_buffers() if key.endswith("e_score_correction_bias"))]
        for key, tensor in everything:
            noise = torch.from_numpy(draw.chance.standard_normal(tuple(tensor.shape), dtype=np.float32))
            norm = ("norm" in key.lower() or ".ln_" in key or "ln_f" in key) and key.endswith("weight") and tensor.dim() <= 2 and "proj" not in key
            if norm:
                noise = noise * 0.2 + (0.0 if gemma else 1.0)
            elif tensor.dim() < 2 or key.endswith("bias"):
                noise = noise * 0.3
            else:
                noise = noise * 0.35
            tensor.copy_(noise)


def build(kind, number, seed, folder):
    """Writes a checkpoint; gives what its own version reads from it."""
    draw = Draw(seed, kind, number)
    cls = CONFIG_MAPPING[kind]
    chosen = fields(draw, kind, cls)
    config = cls(**chosen)
    loader = hf.AutoModelForCausalLM if kind in CAUSAL else hf.AutoModelForMaskedLM
    model = loader.from_config(config).float()
    filled(model, draw, kind.startswith("gemma") and kind != "gemma3n_text")
    width = draw.one(torch.float32, torch.float32, torch.bfloat16, torch.float16)
    model = model.to(width)
    model.save_pretrained(folder, max_shard_size=draw.one("5GB", "8KB"))
    implementation = "sdpa" if kind == "falcon" else "eager"
    model, report = loader.from_pretrained(folder, dtype=torch.float32, attn_implementation=implementation, output_loading_info=True)
    missing = [key for key in report["missing_keys"] if "pooler" not in key]
    if missing or report["mismatched_keys"]:
        raise ValueError(f"made up: {missing[:2]}")
    model = model.eval()
    size = config.vocab_size
    ids = [[1] + [int(token) for token in draw.chance.integers(10, size, length - 1)] for length in LENGTHS]
    if kind in POSITIONS_BEHIND or kind in MASKED:
        ids = [[7] + one[1:] for one in ids]
    at = [[len(one) // 2, len(one) - 1] for one in ids]
    logits = []
    with torch.no_grad():
        for one, places in zip(ids, at):
            logits.append(model(torch.tensor([one])).logits[0][places].double().numpy())
    if not all(np.isfinite(part).all() for part in logits):
        raise ValueError("not finite")
    return dict(kind=kind, chosen=chosen, width=str(width).split(".")[1], ids=ids, at=at, logits=[part.tolist() for part in logits])


def compared(logits, found):
    """The largest difference, of the size of the logits; nothing where all texts are too long for the program."""
    worst, read = 0.0, 0
    for wanted, rows in zip(logits, found):
        if not rows:
            continue
        read += 1
        rows = np.array(rows)[:, :wanted.shape[1]]
        worst = max(worst, float(np.abs(rows - wanted).max() / max(1.0, np.abs(wanted).max())))
    return worst if read else None


def drawn(arguments, kinds):
    """Checkpoints with what their version says, made one by one, or those that `make` has left in a folder."""
    import tiny_causal
    if arguments.made and arguments.what == "sweep":
        for name in sorted(os.listdir(arguments.made)):
            folder = os.path.join(arguments.made, name)
            told = json.load(open(os.path.join(folder, "judged.json"), encoding="utf-8"))
            if told["kind"] in kinds:
                yield folder, told
        return
    tokenizer, _ = tiny_causal.pieces(150)
    for kind in kinds:
        made = number = 0
        while made < arguments.count and number < 12 * arguments.count:
            number += 1
            folder = os.path.join(arguments.made or tempfile.mkdtemp(), f"{kind}-{number:03}")
            try:
                told = build(kind, number, arguments.seed, folder)
            except Exception as error:  # noqa: BLE001 - no checkpoint
                if arguments.all:
                    print(f"{'none':8} {kind:20} {number:3} {type(error).__name__}: {str(error)[:120]}", flush=True)
                shutil.rmtree(folder, ignore_errors=True)
                continue
            made += 1
            tokenizer.save(os.path.join(folder, "tokenizer.json"))
            json.dump(dict(tokenizer_class="PreTrainedTokenizerFast"), open(os.path.join(folder, "tokenizer_config.json"), "w"))
            if arguments.what == "make":
                json.dump(told, open(os.path.join(folder, "judged.json"), "w"))
            yield folder, told
            if not arguments.made:
                shutil.rmtree(os.path.dirname(folder))
        if made < arguments.count:
            print(f"{'few':8} {kind:20} only {made} could be made", flush=True)


def sweep(arguments):
    kinds = [kind for kind in CAUSAL + MASKED if kind in CONFIG_MAPPING and (not arguments.only or kind in arguments.only.split(","))]
    if arguments.what == "make":
        print(sum(1 for _ in drawn(arguments, kinds)), "checkpoints")
        return
    program = subprocess.Popen([arguments.logits], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    counts = dict(agree=0, refused=0, DIFFER=0, PANIC=0)
    for folder, told in drawn(arguments, kinds):
        program.stdin.write(json.dumps(dict(folder=folder, ids=told["ids"], at=told["at"])) + "\n")
        program.stdin.flush()
        found = json.loads(program.stdout.readline())
        text = ""
        if "refused" in found:
            said, text = "refused", found["refused"][:150]
        elif "panicked" in found:
            said = "PANIC"
        else:
            worst = compared([np.array(part) for part in told["logits"]], found["logits"])
            said = "refused" if worst is None else "agree" if worst <= TOLERANCE else "DIFFER"
            text = "all texts are too long" if worst is None else f"{worst:.1e}"
        counts[said] += 1
        if arguments.all or said.isupper() or (said == "refused" and arguments.refused):
            fields = json.dumps(told["chosen"]) if said.isupper() else ""
            print(f"{said:8} {os.path.basename(folder):24} {text} {told['width']} {fields}", flush=True)
        if arguments.keep and said.isupper():
            shutil.copytree(folder, os.path.join(arguments.keep, os.path.basename(folder)), dirs_exist_ok=True)
    print(f"transformers {hf.__version__}, seed {arguments.seed}: {sum(counts.values())} checkpoints of {len(kinds)} types: {counts}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["sweep", "make"])
    parser.add_argument("--logits", help="with sweep: the example program")
    parser.add_argument("--made", help="with make: where checkpoints are left; with sweep: those left there are taken")
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--refused", action="store_true", help="print refusals too")
    hf.logging.set_verbosity_error()
    torch.set_num_threads(1)
    import warnings
    warnings.filterwarnings("ignore")
    sweep(parser.parse_args())
