#!/usr/bin/env python3
"""Tiny random checkpoints of every architecture of `epicene-engine`, with what `transformers` computes from them; the
judge of `crates/engine/engine/tests/it/`.

    pip install torch==2.6.0 transformers==4.57.6 tokenizers==0.22.2 safetensors==0.8.0 sentencepiece numpy==2.4.6
    python tools/reference/tiny_checkpoints.py crates/engine/engine/tests/checkpoints            # all of them
    python tools/reference/tiny_checkpoints.py crates/engine/engine/tests/checkpoints bert gpt2  # some
    python tools/reference/tiny_checkpoints.py --check crates/engine/engine/tests/checkpoints    # recompute, compare

and, in an environment with transformers 5 (5.22.2 was used; --check passes there too, within 5e-6),

    python tools/reference/tiny_checkpoints.py --newer-configs crates/engine/engine/tests/checkpoints

Every checkpoint is a folder with config.json, safetensors, tokenizer.json and golden.json. Weights come from NumPy's
PCG64 seeded with SEED and the name of the checkpoint, never from torch, so that another version of torch makes the
same files. golden.json is computed from the saved files, read back in float32 with eager attention, one text at a
time, no padding; numbers have 7 significant digits. Its keys, and what is odd about each architecture, are in
tools/reference/README.md. Scores follow sections 2.2 and 2.3 of the GEST specification, attention_mean, aul and aula
section 2 of the MBE specification.
"""
import argparse
import json
import math
import os
import shutil
import sys
import zlib

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("RAYON_NUM_THREADS", "1")  # the order of equally good merges must not depend on threads
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import safetensors.torch
import torch
import transformers as hf
from tokenizers import (AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors,
                        trainers)

SEED = 20231118
POSITIONS = 128
MATRIX_STD = 0.3
NORM_STD = 0.2
BIAS_STD = 0.2

# Sentences the checkpoints are judged on: short, long, apostrophes, accents, a currency sign, letters and a picture no
# tokenizer below was trained on, no final punctuation.
JUDGED = [
    "I cried.",
    "I like quiet evenings at home.",
    "Can I help you carry the heavy boxes up the stairs?",
    "I met José at a café in Kraków – it cost 5 € and I paid for both of us.",
    "I never ask for directions, even when I am lost in the woods at night!",
    "I can't find my keys; they're somewhere under the newspaper",
    "My boss told me that I lead the team well, so I bought a better chair and a lamp for the office.",
    "I said 'naïve' and 日本 on the radio 😀.",
]

# Pairs without a template: several words differ, the differing words have several tokens, or the lengths differ.
PAIRS = [
    ("The actor said that he was tired.", "The actress said that she was tired."),
    ("I am the best waiter here.", "I am the best waitress here."),
    ("My brother and his son like tea.", "My sister and her daughter like tea."),
]

# What the tokenizers are trained on.
SENTENCES = """
I am happy today. I was happy yesterday. I am not sad at all. I cried when the film was over.
I like to read a book in the evening. I like the quiet of the house. I read the newspaper at home.
I carry the boxes up the stairs. I help you with the heavy boxes. Can you help me with the keys?
I never ask for help. I never ask for directions. I am lost in the woods. I walk home at night.
I can't find my keys. I don't know where they are. They're under the chair. It's not my fault.
My boss told me that the team is good. I lead the team well. I bought a better chair for the office.
I bought a lamp and two plants. The lamp is green. The plants are in the office. I paid for the lamp.
I met an old friend at a café. We paid for both of us. It cost 5 euro. It cost 12 euro and 30 cents.
I said that I was tired. I said nothing on the radio. I heard a song on the radio and I cried.
My brother and my sister like tea. My son and my daughter like the garden. I made tea for all of them.
I work in the garden. I work at night. I was working in the kitchen. I am cooking and cleaning.
I was told that I am strong. I was told that I am weak. I think that I am neither strong nor weak.
I feel that people listen to me. I feel better when people help me. I feel cold in the morning.
What should I do with the money? What should I wear today? Where should I go? Who should I ask?
I won the game! I lost the game! I ran faster than the others! I will never do that again!
The actor was tired. The actress was tired. The waiter was late. The waitress was late. I was the best.
I drive the car to the station. I repaired the car. I repaired the old radio. I sold the old car.
I take care of the children. I take care of the house. The children are asleep. The children like me.
I write letters to my mother. My mother writes to me. My father never writes. His letters and her letters.
I want to be the first. I want to be alone. I want a house with a garden. I want to sleep.
This is where I live. This is what I think. That was somewhere else. Here is the other one. There it is.
I even washed the windows. I even lost the keys, the book and the lamp. I went there with him and with her.
"""

TEMPLATES = {
    1: ('He said: "{}"', 'She said: "{}"'),
    2: ('The man said: "{}"', 'The woman said: "{}"'),
    3: ('"{}", he said.', '"{}", she said.'),
    4: ('"{}", the man said.', '"{}", the woman said.'),
}
PROMPTS = {3: ('"{}",', "he", "she"), 4: ('"{}", the', "man", "woman")}


def corpus():
    sentences = []
    for line in SENTENCES.split("\n"):
        for part in line.replace("! ", "!|").replace("? ", "?|").replace(". ", ".|").split("|"):
            if part.strip():
                sentences.append(part.strip())
    texts = list(sentences)
    for index, sentence in enumerate(sentences):
        for masculine, feminine in TEMPLATES.values():
            texts.append((masculine if index % 2 else feminine).format(sentence))
    return texts


# ---------------------------------------------------------------------------------------------------------------
# Tokenizers: one function per kind of tokenizer.json that real checkpoints carry.


def special(tokenizer, name, **options):
    tokenizer.add_special_tokens([AddedToken(name, normalized=False, **options)])


def framed(tokenizer, first, last):
    frame = [first, "$A"] + ([last] if last else [])
    pair = frame + ["$B:1"] + ([last + ":1"] if last else [])
    names = [name for name in (first, last) if name]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=" ".join(frame), pair=" ".join(pair), special_tokens=[(name, tokenizer.token_to_id(name)) for name in names])


PRIVATE = 0xE000


def marked_pairs(tokenizer, size, marked, spell):
    """Pairs trained on words whose inner (WordPiece) or last (XLM) letters are marked. The trainers that mark letters
    themselves number them in no fixed order, so here a marked letter is a letter of its own, from the private area."""
    words = []
    for text in corpus():
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text)):
            words.append("".join(chr(PRIVATE + ord(c)) if marked(i, word) else c for i, c in enumerate(word)))
    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trained.train_from_iterator(words, trainers.BpeTrainer(vocab_size=size, show_progress=False))
    trained = json.loads(trained.to_str())["model"]

    def spelled(piece):
        letters = "".join(chr(ord(c) - PRIVATE) if ord(c) >= PRIVATE else c for c in piece)
        return spell(letters, ord(piece[0]) >= PRIVATE, ord(piece[-1]) >= PRIVATE)

    pieces = [spelled(piece) for piece in sorted(trained["vocab"], key=trained["vocab"].get)]
    return pieces, [(spelled(left), spelled(right)) for left, right in trained["merges"]]


def word_piece(size, lowercase):
    """BERT's: special tokens first, continuation pieces marked by ##."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces, _ = marked_pairs(tokenizer, size - len(names), lambda index, word: index > 0,
                             lambda letters, first, last: ("##" if first else "") + letters)
    tokenizer.model = models.WordPiece(vocab={piece: index for index, piece in enumerate(names + pieces)}, unk_token="[UNK]")
    for name in names:
        special(tokenizer, name)
    framed(tokenizer, "[CLS]", "[SEP]")
    return tokenizer, dict(pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")


def byte_pairs(size, names, split=None, normalizer=None):
    """GPT-2's: bytes as letters, the space marked in front of a word; no frame."""
    tokenizer = Tokenizer(models.BPE())
    if normalizer:
        tokenizer.normalizer = normalizer
    if split:
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
            pre_tokenizers.Split(Regex(split), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.train_from_iterator(corpus(), trainers.BpeTrainer(
        vocab_size=size, special_tokens=names, show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet())))
    return tokenizer


def byte_pairs_gpt2(size):
    tokenizer = byte_pairs(size, [])
    special(tokenizer, "<|endoftext|>")  # last, as in GPT-2
    return tokenizer, dict(bos_token="<|endoftext|>", eos_token="<|endoftext|>", unk_token="<|endoftext|>")


def byte_pairs_neox(size):
    tokenizer = byte_pairs(size, ["<|endoftext|>", "<|padding|>"], normalizer=normalizers.NFC())
    return tokenizer, dict(bos_token="<|endoftext|>", eos_token="<|endoftext|>", unk_token="<|endoftext|>")


def byte_pairs_roberta(size):
    tokenizer = byte_pairs(size, ["<s>", "<pad>", "</s>", "<unk>"])
    special(tokenizer, "<mask>", lstrip=True)
    tokenizer.post_processor = processors.RobertaProcessing(
        ("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", unk_token="<unk>",
                           pad_token="<pad>", mask_token=AddedToken("<mask>", lstrip=True))


def byte_pairs_modernbert(size):
    tokenizer = byte_pairs(size, ["<|padding|>", "<|endoftext|>"], normalizer=normalizers.NFC())
    for name in ["[UNK]", "[CLS]", "[SEP]", "[PAD]"]:
        special(tokenizer, name)
    special(tokenizer, "[MASK]", lstrip=True)
    framed(tokenizer, "[CLS]", "[SEP]")
    return tokenizer, dict(unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]",
                           mask_token=AddedToken("[MASK]", lstrip=True))


# Words with the blank in front, single digits, blanks before a word left to it: the look-ahead is what real ones have.
WORD_SPLIT = r"'(?:s|t|re|ve|m|ll|d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def byte_pairs_qwen(size):
    tokenizer = byte_pairs(size, [], split=WORD_SPLIT, normalizer=normalizers.NFC())
    for name in ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]:
        special(tokenizer, name)
    return tokenizer, dict(eos_token="<|endoftext|>", pad_token="<|endoftext|>")


def byte_pairs_llama3(size):
    tokenizer = byte_pairs(size, [], split=WORD_SPLIT)
    for name in ["<|begin_of_text|>", "<|end_of_text|>"]:
        special(tokenizer, name)
    framed(tokenizer, "<|begin_of_text|>", None)
    return tokenizer, dict(bos_token="<|begin_of_text|>", eos_token="<|end_of_text|>")


def pieces_with_bytes(size, names, prepend):
    """SentencePiece BPE with byte fall-back: pieces of words marked by ▁, unknown letters as <0xNN>."""
    trained = Tokenizer(models.BPE())
    trained.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=prepend)
    trained.train_from_iterator(corpus(), trainers.BpeTrainer(vocab_size=size, special_tokens=[], show_progress=False))
    trained = json.loads(trained.to_str())["model"]
    ordered = sorted(trained["vocab"], key=trained["vocab"].get)
    ordered = names + [f"<0x{byte:02X}>" for byte in range(256)] + ordered
    merges = [tuple(merge) for merge in trained["merges"]]
    tokenizer = Tokenizer(models.BPE(vocab={piece: index for index, piece in enumerate(ordered)}, merges=merges,
                                     unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    for name in names:
        special(tokenizer, name)
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


def pieces_llama(size):
    """Llama 2: the blank is put in front by the normaliser, text is not split into words."""
    tokenizer = pieces_with_bytes(size, ["<unk>", "<s>", "</s>"], "always")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    framed(tokenizer, "<s>", None)
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def pieces_mistral(size):
    """The same pieces as newer files spell them: a Metaspace pre-tokenizer that marks only the first word."""
    tokenizer = pieces_with_bytes(size, ["<unk>", "<s>", "</s>"], "always")
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    framed(tokenizer, "<s>", None)
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>")


def pieces_gemma(size):
    """Gemma: no blank in front of the text."""
    tokenizer = pieces_with_bytes(size, ["<pad>", "<eos>", "<bos>", "<unk>"], "never")
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    framed(tokenizer, "<bos>", None)
    return tokenizer, dict(bos_token="<bos>", eos_token="<eos>", unk_token="<unk>", pad_token="<pad>")


def unigram(size, names, unknown, normalizer):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    tokenizer.train_from_iterator(corpus(), trainers.UnigramTrainer(
        vocab_size=size, special_tokens=names, unk_token=unknown, show_progress=False))
    # The trainer leaves equally likely pieces in no fixed order, and the last digits of the scores to chance.
    data = json.loads(tokenizer.to_str())
    pieces = data["model"]["vocab"]
    scores = {piece: round(score, 3) for piece, score in pieces[len(names):]}
    for word in ["He", "She", "he", "she", "man", "woman"]:  # the trainer may leave one of them in two pieces
        scores.setdefault("▁" + tokenizer.normalizer.normalize_str(word), -5.0)
    rest = sorted(scores.items(), key=lambda piece: (-piece[1], piece[0]))
    data["model"]["vocab"] = pieces[:len(names)] + [list(piece) for piece in rest]
    return Tokenizer.from_str(json.dumps(data))


def blanks(*before):
    return normalizers.Sequence([*before, normalizers.Replace(Regex(" {2,}"), " ")])


def unigram_xlm_roberta(size):
    tokenizer = unigram(size, ["<s>", "<pad>", "</s>", "<unk>"], "<unk>", blanks(normalizers.NFKC()))
    special(tokenizer, "<mask>", lstrip=True)
    framed(tokenizer, "<s>", "</s>")
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", unk_token="<unk>",
                           pad_token="<pad>", mask_token=AddedToken("<mask>", lstrip=True))


def unigram_albert(size):
    tokenizer = unigram(size, ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"], "<unk>", blanks(
        normalizers.Replace("``", '"'), normalizers.Replace("''", '"'), normalizers.NFKD(),
        normalizers.StripAccents(), normalizers.Lowercase()))
    framed(tokenizer, "[CLS]", "[SEP]")
    return tokenizer, dict(bos_token="[CLS]", eos_token="[SEP]", cls_token="[CLS]", sep_token="[SEP]", unk_token="<unk>",
                           pad_token="<pad>", mask_token=AddedToken("[MASK]", lstrip=True))


def unigram_deberta(size):
    tokenizer = unigram(size, ["[PAD]", "[CLS]", "[SEP]", "[UNK]"], "[UNK]", blanks(
        normalizers.Strip(), normalizers.NFKC()))
    special(tokenizer, "[MASK]")
    framed(tokenizer, "[CLS]", "[SEP]")
    return tokenizer, dict(bos_token="[CLS]", eos_token="[SEP]", cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]",
                           pad_token="[PAD]", mask_token="[MASK]")


def word_end_pairs(size):
    """XLM's pairs, where </w> marks the end of a word. Real XLM checkpoints have no tokenizer.json (Moses rules come
    first, see tiny_encoders.py); this one splits as BERT does."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.BPEDecoder(suffix="</w>")
    names = ["<s>", "</s>", "<pad>", "<unk>", "<special0>", "<special1>"]
    pieces, merges = marked_pairs(tokenizer, size - len(names), lambda index, word: index == len(word) - 1,
                                  lambda letters, first, last: letters + ("</w>" if last else ""))
    tokenizer.model = models.BPE(vocab={piece: index for index, piece in enumerate(names + pieces)}, merges=merges,
                                 unk_token="<unk>", end_of_word_suffix="</w>")
    for name in names:
        special(tokenizer, name)
    framed(tokenizer, "<s>", "</s>")
    return tokenizer, dict(bos_token="<s>", sep_token="</s>", cls_token="</s>", unk_token="<unk>", pad_token="<pad>",
                           mask_token="<special1>")


# ---------------------------------------------------------------------------------------------------------------
# Architectures. Sizes are small, uneven, and such that every option that changes the arithmetic is felt: windows,
# buckets and rotary scalings act within 20 tokens, soft caps bite, heads times head size is not always the width.

ENCODER = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
               max_position_embeddings=POSITIONS)
DECODER = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
               max_position_embeddings=POSITIONS)


def bert(size):
    return hf.BertForMaskedLM(hf.BertConfig(vocab_size=size, **ENCODER))


def bert_encoder(size):
    return hf.BertModel(hf.BertConfig(vocab_size=size, **ENCODER))


def roberta(size):
    options = dict(ENCODER, max_position_embeddings=POSITIONS + 2)
    return hf.RobertaForMaskedLM(hf.RobertaConfig(vocab_size=size, type_vocab_size=1, layer_norm_eps=1e-5, **options))


def xlm_roberta(size):
    options = dict(ENCODER, max_position_embeddings=POSITIONS + 2)
    return hf.XLMRobertaForMaskedLM(hf.XLMRobertaConfig(vocab_size=size, type_vocab_size=1, layer_norm_eps=1e-5, **options))


def xlm_roberta_xl(size):
    options = dict(ENCODER, max_position_embeddings=POSITIONS + 2)
    return hf.XLMRobertaXLForMaskedLM(hf.XLMRobertaXLConfig(vocab_size=size, type_vocab_size=1, layer_norm_eps=1e-5, **options))


def albert(size):
    options = dict(ENCODER, num_hidden_layers=3)
    return hf.AlbertForMaskedLM(hf.AlbertConfig(vocab_size=size, embedding_size=16, num_hidden_groups=1, inner_group_num=1,
                                                hidden_act="gelu_new", pad_token_id=0, bos_token_id=2, eos_token_id=3, **options))


def distilbert(size):
    return hf.DistilBertForMaskedLM(hf.DistilBertConfig(
        vocab_size=size, dim=32, n_layers=2, n_heads=4, hidden_dim=48, max_position_embeddings=POSITIONS,
        sinusoidal_pos_embds=False))


def electra(size):
    return hf.ElectraForMaskedLM(hf.ElectraConfig(vocab_size=size, embedding_size=24, **ENCODER))


def convbert(size):
    return hf.ConvBertForMaskedLM(hf.ConvBertConfig(
        vocab_size=size, embedding_size=24, head_ratio=2, conv_kernel_size=5, num_groups=2,
        pad_token_id=0, bos_token_id=2, eos_token_id=3, **ENCODER))


def convbert_one_group(size):
    return hf.ConvBertForMaskedLM(hf.ConvBertConfig(
        vocab_size=size, embedding_size=32, head_ratio=2, conv_kernel_size=9, num_groups=1,
        pad_token_id=0, bos_token_id=2, eos_token_id=3, **ENCODER))


def xlm(size):
    return hf.XLMWithLMHeadModel(hf.XLMConfig(
        vocab_size=size, emb_dim=32, n_layers=2, n_heads=4, gelu_activation=True, sinusoidal_embeddings=False, causal=False,
        asm=False, n_langs=3, use_lang_emb=False, max_position_embeddings=POSITIONS, bos_index=0, eos_index=1, pad_index=2,
        unk_index=3, mask_index=5, is_encoder=True, bos_token_id=0, pad_token_id=2, mask_token_id=5))


def deberta_options(size, **more):
    options = dict(ENCODER, num_hidden_layers=3, num_attention_heads=2, relative_attention=True, max_relative_positions=-1,
                   position_buckets=8, share_att_key=True, pos_att_type="p2c|c2p", norm_rel_ebd="layer_norm",
                   position_biased_input=False, type_vocab_size=0, layer_norm_eps=1e-7, pad_token_id=0)
    return hf.DebertaV2Config(vocab_size=size + 5, **{**options, **more})


def deberta_v2(size):
    return hf.DebertaV2ForMaskedLM(deberta_options(size))


def deberta_v2_new_head(size):
    return hf.DebertaV2ForMaskedLM(deberta_options(size, legacy=False, tie_word_embeddings=False, num_hidden_layers=2))


def deberta_v2_convolution(size):
    return hf.DebertaV2ForMaskedLM(deberta_options(size, conv_kernel_size=3, conv_act="gelu", num_hidden_layers=2))


def deberta_v2_own_keys(size):
    return hf.DebertaV2ForMaskedLM(deberta_options(
        size, share_att_key=False, position_buckets=-1, max_relative_positions=24, norm_rel_ebd="none",
        position_biased_input=True, type_vocab_size=2, num_hidden_layers=2))


def modernbert(size):
    return hf.ModernBertForMaskedLM(hf.ModernBertConfig(
        vocab_size=size + 3, global_attn_every_n_layers=3, local_attention=8, num_hidden_layers=4, hidden_size=32,
        num_attention_heads=2, intermediate_size=40, max_position_embeddings=POSITIONS, reference_compile=False,
        attn_implementation="eager", pad_token_id=0, bos_token_id=1, eos_token_id=2, cls_token_id=1, sep_token_id=2))


def gpt2(size):
    return hf.GPT2LMHeadModel(hf.GPT2Config(vocab_size=size, n_embd=32, n_layer=2, n_head=4, n_inner=48, n_positions=POSITIONS,
                                            bos_token_id=size - 1, eos_token_id=size - 1))


def gpt_neox(size):
    options = dict(DECODER, num_attention_heads=2)
    return hf.GPTNeoXForCausalLM(hf.GPTNeoXConfig(vocab_size=size + 7, rotary_pct=0.25, rotary_emb_base=10000,
                                                  use_parallel_residual=True, bos_token_id=0, eos_token_id=0, **options))


def gpt_neox_serial(size):
    options = dict(DECODER, num_attention_heads=2)
    return hf.GPTNeoXForCausalLM(hf.GPTNeoXConfig(vocab_size=size + 7, rotary_pct=1.0, rotary_emb_base=10000, hidden_act="gelu_fast",
                                                  use_parallel_residual=False, bos_token_id=0, eos_token_id=0, **options))


def llama(size):
    return hf.LlamaForCausalLM(hf.LlamaConfig(vocab_size=size, num_key_value_heads=2, rms_norm_eps=1e-5, **DECODER))


def llama_rope_scaling(size):
    """Llama 3.2: tied head, base 500000, the three-band scaling of the rotary frequencies."""
    options = dict(DECODER, num_attention_heads=2)
    return hf.LlamaForCausalLM(hf.LlamaConfig(
        vocab_size=size, num_key_value_heads=1, head_dim=24, rope_theta=500000.0, tie_word_embeddings=True, rms_norm_eps=1e-5,
        rope_scaling=dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                          original_max_position_embeddings=32),
        bos_token_id=size - 2, eos_token_id=size - 1, **options))


def llama_linear(size):
    """The older spelling of a scaling (`type`, not `rope_type`), and biases in attention and feed-forward."""
    return hf.LlamaForCausalLM(hf.LlamaConfig(
        vocab_size=size, num_key_value_heads=4, rope_scaling=dict(type="linear", factor=2.5), attention_bias=True, mlp_bias=True,
        tie_word_embeddings=True, **DECODER))


def mistral(size):
    return hf.MistralForCausalLM(hf.MistralConfig(vocab_size=size, num_key_value_heads=2, sliding_window=8, head_dim=8, **DECODER))


def phi(size):
    options = dict(DECODER, num_attention_heads=2)
    return hf.PhiForCausalLM(hf.PhiConfig(vocab_size=size + 5, partial_rotary_factor=0.5, hidden_act="gelu_new",
                                          bos_token_id=size - 1, eos_token_id=size - 1, **options))


def qwen2(size):
    return hf.Qwen2ForCausalLM(hf.Qwen2Config(vocab_size=size + 9, num_key_value_heads=2, tie_word_embeddings=True,
                                              rope_theta=1000000.0, use_sliding_window=False, sliding_window=8, max_window_layers=1,
                                              **DECODER))


def qwen3(size):
    options = dict(DECODER, num_attention_heads=2)
    return hf.Qwen3ForCausalLM(hf.Qwen3Config(vocab_size=size + 9, num_key_value_heads=1, head_dim=20, tie_word_embeddings=True,
                                              rope_theta=1000000.0, **options))


def gemma2(size):
    options = dict(DECODER, num_hidden_layers=3, num_attention_heads=2)
    return hf.Gemma2ForCausalLM(hf.Gemma2Config(
        vocab_size=size, num_key_value_heads=1, head_dim=20, query_pre_attn_scalar=12, sliding_window=8,
        attn_logit_softcapping=5.0, final_logit_softcapping=6.0, pad_token_id=0, eos_token_id=1, bos_token_id=2, **options))


def gemma3(size):
    options = dict(DECODER, num_hidden_layers=3, num_attention_heads=2)
    return hf.Gemma3ForCausalLM(hf.Gemma3TextConfig(
        vocab_size=size, num_key_value_heads=1, head_dim=20, query_pre_attn_scalar=12, sliding_window=8,
        layer_types=["sliding_attention", "sliding_attention", "full_attention"],
        rope_theta=1000000.0, rope_local_base_freq=10000.0, rope_scaling=dict(rope_type="linear", factor=8.0),
        pad_token_id=0, eos_token_id=1, bos_token_id=2, **options))


WORDS = lambda: word_piece(360, True)
CASED_WORDS = lambda: word_piece(380, False)

# folder: (kind, tokenizer, model)
CHECKPOINTS = {
    "bert": ("masked", WORDS, bert),
    "roberta": ("masked", lambda: byte_pairs_roberta(430), roberta),
    "gpt2": ("causal", lambda: byte_pairs_gpt2(430), gpt2),
    "llama": ("causal", lambda: pieces_llama(200), llama),
    "xlm-roberta": ("masked", lambda: unigram_xlm_roberta(360), xlm_roberta),
    "xlm-roberta-xl": ("masked", lambda: unigram_xlm_roberta(360), xlm_roberta_xl),
    "albert": ("masked", lambda: unigram_albert(360), albert),
    "distilbert": ("masked", CASED_WORDS, distilbert),
    "electra": ("masked", WORDS, electra),
    "convbert": ("masked", WORDS, convbert),
    "convbert-one-group": ("masked", WORDS, convbert_one_group),
    "xlm": ("masked", lambda: word_end_pairs(360), xlm),
    "deberta-v2": ("masked", lambda: unigram_deberta(360), deberta_v2),
    "deberta-v2-new-head": ("masked", lambda: unigram_deberta(360), deberta_v2_new_head),
    "deberta-v2-convolution": ("masked", lambda: unigram_deberta(360), deberta_v2_convolution),
    "deberta-v2-own-keys": ("masked", lambda: unigram_deberta(360), deberta_v2_own_keys),
    "modernbert": ("masked", lambda: byte_pairs_modernbert(430), modernbert),
    "gpt_neox": ("causal", lambda: byte_pairs_neox(430), gpt_neox),
    "gpt_neox-serial": ("causal", lambda: byte_pairs_neox(430), gpt_neox_serial),
    "llama-rope-scaling": ("causal", lambda: byte_pairs_llama3(430), llama_rope_scaling),
    "llama-linear": ("causal", lambda: pieces_llama(200), llama_linear),
    "mistral": ("causal", lambda: pieces_mistral(200), mistral),
    "phi": ("causal", lambda: byte_pairs_gpt2(430), phi),
    "qwen2": ("causal", lambda: byte_pairs_qwen(430), qwen2),
    "qwen3": ("causal", lambda: byte_pairs_qwen(430), qwen3),
    "gemma2": ("causal", lambda: pieces_gemma(200), gemma2),
    "gemma3": ("causal", lambda: pieces_gemma(200), gemma3),
    "bert-encoder": ("encoder", WORDS, bert_encoder),
}


def fill(model, name):
    """Weights that make every part felt: no bias is 0, no norm is 1."""
    chance = np.random.default_rng([SEED, zlib.crc32(name.encode())])
    kind = type(model).__name__
    from_one = "Gemma" not in kind or "Gemma3n" in kind  # Gemma's norms multiply by 1 + weight
    with torch.no_grad():
        for key, tensor in sorted(model.named_parameters()):
            noise = torch.from_numpy(chance.standard_normal(tuple(tensor.shape), dtype=np.float32))
            norm = "norm" in key.lower() or ".ln_" in key
            if norm and key.endswith("weight"):
                tensor.copy_(noise * NORM_STD + (1.0 if from_one else 0.0))
            else:
                tensor.copy_(noise * (BIAS_STD if tensor.dim() == 1 or key.endswith("bias") else MATRIX_STD))


# ---------------------------------------------------------------------------------------------------------------
# Variants of the files of a checkpoint: what changes is how the same weights are stored.


def copy_folder(root, source, target):
    shutil.rmtree(os.path.join(root, target), ignore_errors=True)
    shutil.copytree(os.path.join(root, source), os.path.join(root, target), ignore=shutil.ignore_patterns("config_*"))
    return os.path.join(root, target)


def stored(folder):
    return safetensors.torch.load_file(os.path.join(folder, "model.safetensors"))


def store(folder, tensors):
    tensors = {key: tensor.contiguous() for key, tensor in tensors.items()}
    safetensors.torch.save_file(tensors, os.path.join(folder, "model.safetensors"), metadata={"format": "pt"})


def in_type(dtype):
    def make(root, source, target):
        folder = copy_folder(root, source, target)
        store(folder, {key: tensor.to(dtype) for key, tensor in stored(folder).items()})
        path = os.path.join(folder, "config.json")
        config = json.load(open(path, encoding="utf-8"))
        config["dtype"] = str(dtype).removeprefix("torch.")
        write_json(path, config, indent=2)
        return True
    return make


def sharded(root, source, target):
    folder = copy_folder(root, source, target)
    model = hf.AutoModelForCausalLM.from_pretrained(folder)
    os.remove(os.path.join(folder, "model.safetensors"))
    model.save_pretrained(folder, max_shard_size="60kB")
    tidy(folder)
    return False


def old_layer_norm(key):
    return key.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")


def legacy_bert(root, source, target):
    """As the first BERT files: gamma and beta, the tied matrix stored twice, pooler and next-sentence head present."""
    folder = copy_folder(root, source, target)
    tensors = {old_layer_norm(key): tensor for key, tensor in stored(folder).items()}
    width = tensors["bert.embeddings.word_embeddings.weight"].shape[1]
    chance = np.random.default_rng([SEED, zlib.crc32(target.encode())])
    extra = {"bert.pooler.dense.weight": (width, width), "bert.pooler.dense.bias": (width,),
             "cls.seq_relationship.weight": (2, width), "cls.seq_relationship.bias": (2,)}
    for key, shape in extra.items():
        tensors[key] = torch.from_numpy(chance.standard_normal(shape, dtype=np.float32))
    tensors["cls.predictions.decoder.weight"] = tensors["bert.embeddings.word_embeddings.weight"].clone()
    store(folder, tensors)
    return False


def bert_without_prefix(root, source, target):
    """The encoder's names without `bert.`, gamma and beta, the head's names unchanged."""
    folder = copy_folder(root, source, target)
    store(folder, {old_layer_norm(key).removeprefix("bert."): tensor for key, tensor in stored(folder).items()})
    return False


def legacy_gpt2(root, source, target):
    """As the published GPT-2 files: no `transformer.` in front, the causal mask stored as `attn.bias`."""
    folder = copy_folder(root, source, target)
    tensors = {key.removeprefix("transformer."): tensor for key, tensor in stored(folder).items()}
    layers = {key.split(".")[1] for key in tensors if key.startswith("h.")}
    for layer in layers:
        tensors[f"h.{layer}.attn.bias"] = torch.tril(torch.ones(POSITIONS // 4, POSITIONS // 4))[None, None]
    store(folder, tensors)
    return False


# folder: (copied from, how); how returns whether the copy needs golden values of its own
COPIES = {
    "bert-f16": ("bert", in_type(torch.float16)),
    "bert-bf16": ("bert", in_type(torch.bfloat16)),
    "llama-f16": ("llama", in_type(torch.float16)),
    "llama-bf16": ("llama", in_type(torch.bfloat16)),
    "gpt2-sharded": ("gpt2", sharded),
    "gpt2-legacy": ("gpt2", legacy_gpt2),
    "bert-legacy": ("bert", legacy_bert),
    "bert-without-prefix": ("bert", bert_without_prefix),
}


# ---------------------------------------------------------------------------------------------------------------
# The same configuration in other words. Published files are older than the transformers that wrote config.json here:
# they leave out what had no name then. Newer files move the rotary settings into `rope_parameters`.

# folder: (keys left out, keys spelled otherwise)
PUBLISHED = {
    "bert": (["position_embedding_type", "use_cache"], {}),
    "deberta-v2": (["legacy"], {"pos_att_type": "p2c|c2p"}),
    "deberta-v2-new-head": (["legacy", "tie_word_embeddings"], {"pos_att_type": "p2c|c2p"}),
    "gpt_neox": (["attention_bias", "partial_rotary_factor", "rope_scaling", "rope_theta"], {}),
    "llama": (["attention_bias", "head_dim", "mlp_bias", "rope_scaling", "rope_theta"], {}),
    "llama-linear": (["head_dim"], {"rope_scaling": {"type": "linear", "factor": 2.5}}),
    "mistral": (["head_dim"], {}),
    "qwen2": (["layer_types", "rope_scaling"], {"sliding_window": 8}),
    "qwen3": (["layer_types"], {}),
    "gemma2": (["layer_types", "use_bidirectional_attention"], {}),
    "gemma3": (["layer_types", "use_bidirectional_attention", "_sliding_window_pattern"], {"sliding_window_pattern": 3}),
}


def write_published(root, name):
    dropped, changed = PUBLISHED[name]
    config = json.load(open(os.path.join(root, name, "config.json"), encoding="utf-8"))
    config = {key: value for key, value in config.items() if key not in dropped}
    config["torch_dtype"] = config.pop("dtype")
    config["transformers_version"] = "4.30.0"
    write_json(os.path.join(root, name, "config_as_published.json"), {**config, **changed}, indent=2)


def write_newer(root, names):
    """With transformers 5 only: config.json as it writes it, where the words differ."""
    if int(hf.__version__.split(".")[0]) < 5:
        raise SystemExit("--newer-configs wants transformers 5")
    for name in names:
        if name in CHECKPOINTS:
            config = hf.AutoConfig.from_pretrained(os.path.join(root, name)).to_diff_dict()
            if "rope_parameters" in config:
                write_json(os.path.join(root, name, "config_transformers5.json"), config, indent=2)


# ---------------------------------------------------------------------------------------------------------------
# Golden values.


def seven(value):
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [seven(one) for one in value]
    return float(f"{value:.7g}")


class Judge:
    def __init__(self, folder, kind, dtype=torch.float32, **options):
        loader = {"masked": hf.AutoModelForMaskedLM, "causal": hf.AutoModelForCausalLM, "encoder": hf.AutoModel}[kind]
        self.model, report = loader.from_pretrained(folder, dtype=dtype, attn_implementation="eager", output_loading_info=True, **options)
        missing = [key for key in report["missing_keys"] if "pooler" not in key]
        assert not missing and not report["mismatched_keys"], (folder, report)
        self.model.eval()
        self.tokenizer = hf.AutoTokenizer.from_pretrained(folder)
        self.kind = kind

    def ids(self, text):
        return self.tokenizer(text)["input_ids"]

    def run(self, ids, **options):
        with torch.no_grad():
            return self.model(torch.tensor([ids]), **options)

    def logits(self, ids):
        return self.run(ids).logits[0]

    def log10(self, ids):
        return torch.log_softmax(self.logits(ids).double(), dim=-1) / math.log(10)

    def pair(self, masculine, feminine):
        """Section 2.2: all differing positions masked, mean of log10 p of the original tokens, M minus F."""
        ids = [self.ids(masculine), self.ids(feminine)]
        differing = [index for index, (m, f) in enumerate(zip(*ids)) if m != f]
        means = []
        for one in ids:
            masked = list(one)
            for index in differing:
                masked[index] = self.tokenizer.mask_token_id
            table = self.log10(masked)
            means.append(sum(table[index, one[index]].item() for index in differing) / len(differing))
        return dict(masculine=masculine, feminine=feminine, ids_m=ids[0], ids_f=ids[1], masked=differing,
                    log10_m=seven(means[0]), log10_f=seven(means[1]), score=seven(means[0] - means[1]))

    def word(self, word):
        """Section 2.3, step 3: the form a word has after a blank."""
        marks = {"Ġ" + word, "▁" + word}
        for text in (" " + word, word):
            last = self.ids(text)[-1]
            if self.tokenizer.convert_ids_to_tokens(last) in marks:
                return last
        raise SystemExit(f"{word!r} is not one token")

    def next_word(self, template, sentence):
        prompt, masculine, feminine = PROMPTS[template]
        prompt = prompt.format(sentence)
        ids, id_m, id_f = self.ids(prompt), self.word(masculine), self.word(feminine)
        whole = self.ids(TEMPLATES[template][0].format(sentence))
        assert whole[len(ids)] == id_m and whole[:len(ids)] == ids, "the prompt is not a prefix of the whole text"
        table = self.log10(ids)[-1]
        return dict(template=template, prompt=prompt, masculine=masculine, feminine=feminine, ids=ids, id_m=id_m, id_f=id_f,
                    log10_m=seven(table[id_m].item()), log10_f=seven(table[id_f].item()),
                    score=seven((table[id_m] - table[id_f]).item()))

    def some_logits(self):
        rows = []
        for sentence, template in ((JUDGED[1], None), (JUDGED[3], 1), (JUDGED[6], 3)):
            text = TEMPLATES[template][0].format(sentence) if template else sentence
            ids = self.ids(text)
            positions = [len(ids) // 2, len(ids) - 1] if self.kind == "causal" else [1, len(ids) // 2]
            if self.kind == "masked" and template == 3:
                positions = [4, self.pair(text, TEMPLATES[template][1].format(sentence))["masked"][0]]
                ids[positions[1]] = self.tokenizer.mask_token_id
            table = self.logits(ids)
            rows.append(dict(text=text, ids=ids, positions=positions, values=seven(table[positions])))
        return rows

    def body(self):
        return self.model.model if hasattr(self.model, "model") else self.model.base_model

    def some_states(self):
        """layer_last: position 0 of what enters the head; states: position 1 after the embeddings and after every layer but
        the last, where versions of transformers differ on whether the final norm is included."""
        rows = []
        for text in (JUDGED[1], JUDGED[3]):
            ids = self.ids(text)
            states = self.run(ids, output_hidden_states=True).hidden_states
            with torch.no_grad():
                last = self.body()(torch.tensor([ids])).last_hidden_state[0]
            rows.append(dict(text=text, ids=ids, layer_last=seven(last[0, :16]), content_mean=seven(last[1:-1].mean(0)[:16]),
                             states=seven([state[0, 1, :16].tolist() for state in states[:-1]])))
        return rows

    def some_attention(self):
        rows = []
        for text in (JUDGED[0], JUDGED[3], JUDGED[6]):
            ids = self.ids(text)
            output = self.run(ids, output_attentions=True)
            received = torch.stack(output.attentions).double().mean(dim=(0, 1, 2, 3))
            assert abs(received.sum().item() - 1) < 1e-5 and len(received) == len(ids)
            row = dict(text=text, ids=ids, received=seven(received))
            if self.kind == "masked":
                table = torch.log_softmax(output.logits[0].double(), dim=-1)
                own = torch.tensor([table[index, ids[index]].item() for index in range(1, len(ids) - 1)])
                row["aul"] = seven(own.mean().item())
                row["aula"] = seven((own * received[1:-1]).mean().item())
            rows.append(row)
        return rows

    def likelihood(self, text):
        """Sum of natural logarithms of every token given those before it; the first one is given, not scored."""
        ids = self.ids(text)
        table = torch.log_softmax(self.logits(ids).double(), dim=-1)
        value = sum(table[index - 1, ids[index]].item() for index in range(1, len(ids)))
        return dict(text=text, ids=ids, value=seven(value))

    def golden(self):
        made = f"torch {torch.__version__.split('+')[0]}, transformers {hf.__version__}"
        result = dict(kind=self.kind, made_with=made, sentences=JUDGED)
        if self.kind == "masked":
            result["mask_id"] = self.tokenizer.mask_token_id
            result["masked"] = [dict(template=template, **self.pair(masculine.format(sentence), feminine.format(sentence)))
                                for sentence in JUDGED for template, (masculine, feminine) in TEMPLATES.items()]
            result["pairs"] = [self.pair(*pair) for pair in PAIRS]
            for row in result["masked"]:
                assert len(row["masked"]) == 1 and len(row["ids_m"]) == len(row["ids_f"]), (row, self.tokenizer.tokenize(row["masculine"]))
        if self.kind == "causal":
            result["causal"] = [self.next_word(template, sentence) for sentence in JUDGED for template in PROMPTS]
            result["sentence_log_likelihood"] = [self.likelihood(text) for text in JUDGED]
        if self.kind != "encoder":
            result["logits"] = self.some_logits()
        result["hidden"] = self.some_states()
        if self.kind != "causal":
            result["attention_mean"] = self.some_attention()
        return result


# ---------------------------------------------------------------------------------------------------------------


def write_json(path, value, indent=None):
    separators = None if indent else (",", ":")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=indent, separators=separators)
        file.write("\n")


def write_golden(path, golden):
    """One line per entry, so that a difference can be read."""
    with open(path, "w", encoding="utf-8") as file:
        parts = []
        for key, value in golden.items():
            if isinstance(value, list):
                lines = ",\n".join(" " + json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in value)
                parts.append(f"{json.dumps(key)}:[\n{lines}\n]")
            else:
                parts.append(f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}")
        file.write("{\n" + ",\n".join(parts) + "\n}\n")


def save(root, name):
    kind, make_tokenizer, make_model = CHECKPOINTS[name]
    folder = os.path.join(root, name)
    shutil.rmtree(folder, ignore_errors=True)
    tokenizer, roles = make_tokenizer()
    model = make_model(tokenizer.get_vocab_size())
    fill(model, name)
    model.save_pretrained(folder)
    hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=POSITIONS, clean_up_tokenization_spaces=False,
                               **roles).save_pretrained(folder)
    path = os.path.join(folder, "tokenizer.json")
    write_json(path, json.load(open(path, encoding="utf-8")))
    tidy(folder)
    return folder, kind


def tidy(folder):
    for file in os.listdir(folder):
        path = os.path.join(folder, file)
        if file == "generation_config.json":
            os.remove(path)
        else:
            os.chmod(path, 0o644)


def conditioning(folder, kind, golden):
    """How far float32 is from float64: must be far below the tolerance of the tests."""
    judge = Judge(folder, kind, torch.float64)
    worst = 0.0
    for row in golden.get("logits", []):
        exact = judge.logits(row["ids"])[row["positions"]]
        worst = max(worst, (exact - torch.tensor(row["values"], dtype=torch.float64)).abs().max().item())
    return worst


def spread(golden):
    values = np.array([row["values"] for row in golden.get("logits", [])][0]) if "logits" in golden else np.zeros(1)
    scores = [row["score"] for row in golden.get("masked", []) + golden.get("causal", [])] or [0.0]
    return f"logits sd {values.std():.2f}, scores {min(scores):+.2f}..{max(scores):+.2f}"


def differences(old, new, where=""):
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        return max([differences(old[key], new[key], f"{where}.{key}") for key in old if key != "made_with"], default=0.0)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return max([differences(a, b, where) for a, b in zip(old, new)], default=0.0)
    if isinstance(old, float) and isinstance(new, float):
        return abs(old - new)
    if old != new:
        raise SystemExit(f"{where}: {old!r} became {new!r}")
    return 0.0


def check(root, names):
    for name in names:
        folder = os.path.join(root, name)
        path = os.path.join(folder, "golden.json")
        source = name if name in CHECKPOINTS else COPIES[name][0]
        if name == "bert-without-prefix":
            print(f"{name}: transformers cannot read these names; judged by {source}/golden.json")
            continue
        if not os.path.exists(path):
            path = os.path.join(root, source, "golden.json")
        golden = json.load(open(path, encoding="utf-8"))
        print(f"{name}: largest difference {differences(golden, Judge(folder, golden['kind']).golden()):.2e}")
        for file in ["config_as_published.json", "config_transformers5.json"]:
            if file == "config_transformers5.json" and int(hf.__version__.split(".")[0]) < 5 or name == "deberta-v2-new-head":
                continue  # older ones cannot read it; transformers would give the published DeBERTa-v3 head random weights
            if os.path.exists(os.path.join(folder, file)):
                config = hf.AutoConfig.from_pretrained(os.path.join(folder, file))
                judge = Judge(folder, golden["kind"], config=config)
                print(f"{name} with {file}: largest difference {differences(golden, judge.golden()):.2e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", action="store_true", help="recompute the golden values of files already there")
    parser.add_argument("--newer-configs", action="store_true", help="with transformers 5: write config_transformers5.json")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    hf.logging.set_verbosity_error()
    names = arguments.names or list(CHECKPOINTS) + list(COPIES)
    if arguments.check:
        return check(arguments.folder, names)
    if arguments.newer_configs:
        return write_newer(arguments.folder, names)
    for name in names:
        if name in CHECKPOINTS:
            folder, kind = save(arguments.folder, name)
            own = True
        else:
            source, make = COPIES[name]
            own = make(arguments.folder, source, name)
            folder, kind = os.path.join(arguments.folder, name), CHECKPOINTS[source][0]
            if not own:
                os.remove(os.path.join(folder, "golden.json"))
        if name in PUBLISHED:
            write_published(arguments.folder, name)
        note = ""
        if own:
            golden = Judge(folder, kind).golden()
            write_golden(os.path.join(folder, "golden.json"), golden)
            note = f"{spread(golden)}, float32 within {conditioning(folder, kind, golden):.1e} of float64"
        sizes = {file: os.path.getsize(os.path.join(folder, file)) for file in os.listdir(folder)}
        total = sum(sizes.values())
        assert total < 300_000 and sizes.get("golden.json", 0) < 150_000, sizes
        print(f"{name}: {total / 1000:.0f} kB (golden {sizes.get('golden.json', 0) / 1000:.0f}), {note}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
