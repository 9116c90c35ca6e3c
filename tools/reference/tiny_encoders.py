#!/usr/bin/env python3
"""Tiny random checkpoints of the encoders that came later, as tools/reference/tiny_checkpoints.py makes the others: the same
seed, the same rules, fewer sentences and narrower layers. `--check` recomputes the golden values.

    python tools/reference/tiny_encoders.py crates/engine/engine/tests/checkpoints [NAME…]

is run with transformers 4.57.6, and once more with 5.22.2, which alone has EuroBERT and NomicBERT; each makes what it can.
NeoBERT is in neither: its layers stand below, as its authors describe them and name their tensors. `flaubert-moses` and `xlm-moses` are read by
the tokenizers that published checkpoints have, which want sacremoses.
"""
import json
import os
import sys

import tiny_checkpoints as tiny
import torch
import transformers as hf
from torch import nn
from transformers.modeling_outputs import BaseModelOutput, MaskedLMOutput

FIVE = int(hf.__version__.split(".")[0]) >= 5
P = tiny.POSITIONS
ENCODER = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24, max_position_embeddings=P)
BEHIND = dict(ENCODER, max_position_embeddings=P + 2)


class NeoConfig(hf.PretrainedConfig):
    model_type = "neobert"

    def __init__(self, hidden_size=768, num_hidden_layers=28, num_attention_heads=12, intermediate_size=3072, norm_eps=1e-6,
                 vocab_size=30522, pad_token_id=0, max_length=1024, **kwargs):
        super().__init__(pad_token_id=pad_token_id, **kwargs)
        self.hidden_size, self.num_hidden_layers, self.num_attention_heads = hidden_size, num_hidden_layers, num_attention_heads
        self.intermediate_size, self.norm_eps, self.vocab_size, self.max_length = intermediate_size, norm_eps, vocab_size, max_length


class NeoNetwork(nn.Module):
    def __init__(self, config):
        super().__init__()
        inner = (int(2 * config.intermediate_size / 3) + 7) // 8 * 8
        self.w12 = nn.Linear(config.hidden_size, 2 * inner, bias=False)
        self.w3 = nn.Linear(inner, config.hidden_size, bias=False)

    def forward(self, x):
        gate, value = self.w12(x).chunk(2, dim=-1)
        return self.w3(nn.functional.silu(gate) * value)


class NeoLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads, self.size = config.num_attention_heads, config.hidden_size // config.num_attention_heads
        self.qkv = nn.Linear(config.hidden_size, 3 * config.hidden_size, bias=False)
        self.wo = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
        self.ffn = NeoNetwork(config)
        self.attention_norm = nn.RMSNorm(config.hidden_size, config.norm_eps)
        self.ffn_norm = nn.RMSNorm(config.hidden_size, config.norm_eps)

    def turned(self, x):
        """Neighbouring features turn together, as complex numbers."""
        frequencies = 10000.0 ** (-torch.arange(0, self.size, 2, dtype=torch.float64) / self.size)
        angles = torch.outer(torch.arange(x.shape[1], dtype=torch.float64), frequencies)[None, :, None, :].to(x.dtype)
        even, odd = x[..., 0::2], x[..., 1::2]
        pair = torch.stack((even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()), dim=-1)
        return pair.flatten(-2)

    def forward(self, x):
        query, key, value = self.qkv(self.attention_norm(x)).view(*x.shape[:2], self.heads, 3 * self.size).chunk(3, dim=-1)
        query, key = self.turned(query), self.turned(key)
        scores = torch.einsum("bqhd,bkhd->bhqk", query, key) / self.size ** 0.5
        weights = scores.softmax(-1)
        x = x + self.wo(torch.einsum("bhqk,bkhd->bqhd", weights, value).flatten(-2))
        return x + self.ffn(self.ffn_norm(x)), weights


class NeoModel(hf.PreTrainedModel):
    config_class = NeoConfig
    base_model_prefix = "model"

    def __init__(self, config):
        super().__init__(config)
        self.encoder = nn.Embedding(config.vocab_size, config.hidden_size)
        self.transformer_encoder = nn.ModuleList(NeoLayer(config) for _ in range(config.num_hidden_layers))
        self.layer_norm = nn.RMSNorm(config.hidden_size, config.norm_eps)
        self.post_init()

    def forward(self, input_ids, output_hidden_states=False, output_attentions=False):
        x, states, attentions = self.encoder(input_ids), [], []
        for layer in self.transformer_encoder:
            states.append(x)
            x, weights = layer(x)
            attentions.append(weights)
        return BaseModelOutput(last_hidden_state=self.layer_norm(x), hidden_states=tuple(states + [x]), attentions=tuple(attentions))


class NeoForMaskedLM(hf.PreTrainedModel):
    config_class = NeoConfig
    base_model_prefix = "model"
    _supports_attention_backend = True

    def __init__(self, config):
        super().__init__(config)
        self.model = NeoModel(config)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def forward(self, input_ids, output_hidden_states=False, output_attentions=False):
        output = self.model(input_ids)
        return MaskedLMOutput(logits=self.decoder(output.last_hidden_state), hidden_states=output.hidden_states,
                              attentions=output.attentions)


WHOLE = tiny.Judge.golden


def fewer(judge):
    """Every third pair."""
    golden = WHOLE(judge)
    return {**golden, "masked": golden["masked"][::3]}


ATTENTION = tiny.Judge.some_attention


def attention(judge):
    """Longformer gives its attention by windows, FlauBERT with norms in front none at all."""
    config = judge.model.config
    return [] if config.model_type == "longformer" or getattr(config, "pre_norm", False) else ATTENTION(judge)


tiny.Judge.golden = fewer
tiny.Judge.some_attention = attention
hf.AutoConfig.register("neobert", NeoConfig)
hf.AutoModelForMaskedLM.register(NeoConfig, NeoForMaskedLM)


def deberta(size, **more):
    options = dict(relative_attention=True, pos_att_type="c2p|p2c", max_relative_positions=-1, position_biased_input=False,
                   type_vocab_size=0, layer_norm_eps=1e-7, pad_token_id=0)
    return hf.DebertaForMaskedLM(hf.DebertaConfig(vocab_size=size, **{**ENCODER, **options, **more}))


def bracketed_pairs(size):
    """DeBERTa's: bytes, with BERT's special tokens around them."""
    tokenizer = tiny.byte_pairs(size, ["[PAD]", "[CLS]", "[SEP]", "[UNK]"])
    tiny.special(tokenizer, "[MASK]", lstrip=True)
    tiny.framed(tokenizer, "[CLS]", "[SEP]")
    return tokenizer, dict(bos_token="[CLS]", eos_token="[SEP]", cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]",
                           pad_token="[PAD]", mask_token=tiny.AddedToken("[MASK]", lstrip=True))


def begun_pairs(size):
    """EuroBERT's: a begin and an end token."""
    tokenizer = tiny.byte_pairs(size, [], split=tiny.WORD_SPLIT)
    for name in ["<|begin_of_text|>", "<|end_of_text|>", "<|mask|>"]:
        tiny.special(tokenizer, name)
    tiny.framed(tokenizer, "<|begin_of_text|>", "<|end_of_text|>")
    return tokenizer, dict(bos_token="<|begin_of_text|>", eos_token="<|end_of_text|>", mask_token="<|mask|>",
                           pad_token="<|end_of_text|>")


def mpnet_words(size):
    """BERT's pieces under MPNet's special tokens: the padding has number 1."""
    tokenizer, _ = tiny.word_piece(size, True)
    pieces = sorted(tokenizer.get_vocab(with_added_tokens=False).items(), key=lambda piece: piece[1])
    names = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"]
    pieces = names + [piece for piece, _ in pieces if not piece.startswith("[") or len(piece) == 1]
    tokenizer = tiny.Tokenizer(tiny.models.WordPiece(vocab={piece: number for number, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = tiny.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = tiny.pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = tiny.decoders.WordPiece()
    for name in names[:4]:
        tiny.special(tokenizer, name)
    tiny.special(tokenizer, "<mask>", lstrip=True)
    tiny.framed(tokenizer, "<s>", "</s>")
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", unk_token="[UNK]", pad_token="<pad>",
                           mask_token=tiny.AddedToken("<mask>", lstrip=True))


ROBERTA = lambda: tiny.byte_pairs_roberta(400)
WORDS = lambda: tiny.word_piece(340, True)
PIECES = lambda: tiny.unigram_albert(340)
DEBERTA = lambda: bracketed_pairs(400)

FOUR_CHECKPOINTS = {
    "deberta": ("masked", DEBERTA, deberta),
    "deberta-odd": ("masked", DEBERTA, lambda size: deberta(
        size, max_relative_positions=9, pos_att_type=["p2c"], position_biased_input=True, type_vocab_size=2, hidden_act="relu",
        num_attention_heads=4)),
    "deberta-new-head": ("masked", DEBERTA, lambda size: deberta(size, legacy=False, tie_word_embeddings=False, pos_att_type="c2p")),
    "mpnet": ("masked", lambda: mpnet_words(340), lambda size: hf.MPNetForMaskedLM(hf.MPNetConfig(
        vocab_size=size, pad_token_id=1, layer_norm_eps=1e-5, **BEHIND))),
    "roberta-prelayernorm": ("masked", ROBERTA, lambda size: hf.RobertaPreLayerNormForMaskedLM(hf.RobertaPreLayerNormConfig(
        vocab_size=size, type_vocab_size=1, **BEHIND))),
    "flaubert": ("masked", lambda: tiny.word_end_pairs(340), lambda size: hf.FlaubertWithLMHeadModel(hf.FlaubertConfig(
        vocab_size=size, emb_dim=16, n_layers=2, n_heads=2, pre_norm=True, max_position_embeddings=P, bos_index=0, eos_index=1,
        pad_index=2, unk_index=3, mask_index=5, bos_token_id=0, pad_token_id=2, mask_token_id=5, use_lang_emb=False))),
    "flaubert-after": ("masked", lambda: tiny.word_end_pairs(340), lambda size: hf.FlaubertWithLMHeadModel(hf.FlaubertConfig(
        vocab_size=size, emb_dim=16, n_layers=2, n_heads=4, pre_norm=False, gelu_activation=False, max_position_embeddings=P,
        bos_index=0, eos_index=1, pad_index=2, unk_index=3, mask_index=5, bos_token_id=0, pad_token_id=2, mask_token_id=5,
        use_lang_emb=False))),
    "flaubert-moses": ("masked", lambda: tiny.word_end_pairs(340), lambda size: hf.FlaubertWithLMHeadModel(hf.FlaubertConfig(
        vocab_size=size, emb_dim=12, n_layers=2, n_heads=3, pre_norm=True, max_position_embeddings=P, bos_index=0, eos_index=1,
        pad_index=2, unk_index=3, mask_index=5, bos_token_id=0, pad_token_id=2, mask_token_id=5))),
    "xlm-moses": ("masked", lambda: tiny.word_end_pairs(340), lambda size: hf.XLMWithLMHeadModel(hf.XLMConfig(
        vocab_size=size, emb_dim=12, n_layers=2, n_heads=2, n_langs=3, use_lang_emb=True, sinusoidal_embeddings=True,
        max_position_embeddings=P, bos_index=0, eos_index=1, pad_index=2, unk_index=3, mask_index=5, bos_token_id=0, pad_token_id=2,
        mask_token_id=5, lang2id=dict(en=0, de=1, fr=2), id2lang={0: "en", 1: "de", 2: "fr"}))),
    "rembert": ("masked", PIECES, lambda size: hf.RemBertForMaskedLM(hf.RemBertConfig(
        vocab_size=size, input_embedding_size=8, output_embedding_size=20, **ENCODER))),
    "big_bird": ("masked", PIECES, lambda size: hf.BigBirdForMaskedLM(hf.BigBirdConfig(
        vocab_size=size, rescale_embeddings=True, block_size=8, num_random_blocks=2, **ENCODER))),
    "longformer": ("masked", ROBERTA, lambda size: hf.LongformerForMaskedLM(hf.LongformerConfig(
        vocab_size=size, attention_window=[4, 8], type_vocab_size=1, pad_token_id=1, bos_token_id=0, eos_token_id=2, sep_token_id=2,
        **BEHIND))),
    "luke": ("masked", ROBERTA, lambda size: hf.LukeForMaskedLM(hf.LukeConfig(
        vocab_size=size, entity_vocab_size=6, entity_emb_size=4, type_vocab_size=1, pad_token_id=1, **BEHIND))),
    "neobert": ("masked", WORDS, lambda size: NeoForMaskedLM(NeoConfig(
        vocab_size=size, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=44, norm_eps=1e-5, max_length=P))),
}
FIVE_CHECKPOINTS = {
    "eurobert": ("masked", lambda: begun_pairs(400), lambda size: hf.EuroBertForMaskedLM(hf.EuroBertConfig(
        vocab_size=size, num_key_value_heads=1, rope_parameters=dict(rope_type="default", rope_theta=250000.0), pad_token_id=1, bos_token_id=size - 3,
        eos_token_id=size - 2, mask_token_id=size - 1, **ENCODER))),
    "eurobert-biases": ("masked", lambda: begun_pairs(400), lambda size: hf.EuroBertForMaskedLM(hf.EuroBertConfig(
        vocab_size=size, attention_bias=True, mlp_bias=True, tie_word_embeddings=True, pad_token_id=1, bos_token_id=size - 3,
        eos_token_id=size - 2, mask_token_id=size - 1, **ENCODER))),
    "nomic_bert": ("masked", WORDS, lambda size: hf.NomicBertForMaskedLM(hf.NomicBertConfig(vocab_size=size, **ENCODER))),
}


def published_nomic(root):
    """The same weights under the beginning of names and the fields of the published files."""
    folder = tiny.copy_folder(root, "nomic_bert", "nomic_bert-published")
    tensors = {key.replace("nomic_bert.", "bert."): tensor for key, tensor in tiny.stored(folder).items()}
    tiny.store(folder, tensors)
    config = dict(model_type="nomic_bert", architectures=["NomicBertForPreTraining"], activation_function="swiglu", attn_pdrop=0.0,
                  causal=False, dense_seq_output=True, embd_pdrop=0.1, fused_bias_fc=True, fused_dropout_add_ln=True,
                  initializer_range=0.02, layer_norm_epsilon=1e-12, mlp_fc1_bias=False, mlp_fc2_bias=False, n_embd=16, n_head=2,
                  n_inner=24, n_layer=2, n_positions=P, pad_vocab_size_multiple=64, parallel_block=False, prenorm=False,
                  qkv_proj_bias=False, resid_pdrop=0.0, rotary_emb_base=1000, rotary_emb_fraction=1.0, rotary_emb_interleaved=False,
                  rotary_emb_scale_base=None, rotary_scaling_factor=None, scale_attn_by_inverse_layer_idx=False, scale_attn_weights=True,
                  tie_word_embeddings=True, torch_dtype="float32", transformers_version="4.34.0", type_vocab_size=2, use_cache=True,
                  use_flash_attn=True, use_rms_norm=False, use_xentropy=True, vocab_size=tensors["bert.embeddings.word_embeddings.weight"].shape[0])
    tiny.write_json(os.path.join(folder, "config.json"), config, indent=2)
    os.remove(os.path.join(folder, "golden.json"))


SETTINGS = {
    "flaubert-moses": dict(do_lowercase=True, model_max_length=P),
    "xlm-moses": dict(do_lowercase_and_remove_accent=True, lang2id=dict(en=0, de=1, fr=2), id2lang={"0": "en", "1": "de", "2": "fr"}, model_max_length=P),
}
FAST = tiny.save


def save(root, name):
    """Some with a vocabulary and pairs instead of tokenizer.json, as they were published."""
    folder, kind = FAST(root, name)
    if name in SETTINGS:
        path = os.path.join(folder, "tokenizer.json")
        model = json.load(open(path, encoding="utf-8"))["model"]
        for file in ("tokenizer.json", "special_tokens_map.json"):
            os.remove(os.path.join(folder, file))
        tiny.write_json(os.path.join(folder, "vocab.json"), model["vocab"])
        tiny.write_json(os.path.join(folder, "tokenizer_config.json"), SETTINGS[name])
        with open(os.path.join(folder, "merges.txt"), "w", encoding="utf-8") as out:
            out.writelines(f"{left} {right} {len(model['merges']) - n}\n" for n, (left, right) in enumerate(model["merges"]))
    return folder, kind


if __name__ == "__main__":
    tiny.save = save
    tiny.CHECKPOINTS = FIVE_CHECKPOINTS if FIVE else FOUR_CHECKPOINTS
    tiny.COPIES = {}
    tiny.main()
    root = [argument for argument in sys.argv[1:] if not argument.startswith("-")][0]
    if FIVE and "--check" not in sys.argv:
        published_nomic(root)
