"""Vocabularies as older checkpoints have them, and what `transformers` makes of a thousand odd lines with each, for
crates/engine/engine/tests/old_tokenizers.

    python tools/reference/old_tokenizers.py crates/engine/engine/tests/old_tokenizers

Needs transformers 4.57, sentencepiece and tokenizers. Seed: 6. Run again, it gives the same lines, byte pairs and SentencePiece models of
byte pairs (GPT-2, RoBERTa, DeBERTa, Llama, Gemma), but not the same WordPiece, HerBERT and unigram vocabularies; why is not known yet. Vocabularies and answers
are therefore only replaced together. For every case `case.json` names
the class, its settings and, for each line of `lines.json`, the first eight hex digits of the SHA-256 of its ids as decimal
numbers with blanks between them.
"""

import hashlib
import io
import json
import random
import shutil
import sys
import tempfile
from pathlib import Path

import sentencepiece as spm
from tokenizers import ByteLevelBPETokenizer, BertWordPieceTokenizer, Tokenizer, models, pre_tokenizers, trainers
from transformers import AutoTokenizer
from transformers import logging

logging.set_verbosity_error()
OUT = Path(sys.argv[1])
RANDOM = random.Random(6)

WORDS = """I he she they was were is are the a an of and to in that it his her nurse doctor engineer said cried laughed
worked never always because when strong weak children home car kitchen 1984 3,000 2026 don't isn't they're über Straße
naïve café Žluťoučký kůň příšerně ďábelské ódy мать отец была был Ελλάδα γυναίκα مرحبا بالعالم שלום नमस्ते दुनिया 日本語
東京都 你好 世界 한국어 안녕 tokenization unbelievable antidisestablishmentarianism e-mail http://example.org/a?b=c""".split()

ODD = ["", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u200b", "\u3000", "\ufeff", "\u2028", "\u0301", "é", "ﬁ", "ﬃ", "Ａ", "１", "½",
       "①", "™", "“quoted”", "‘single’", "``", "''", "…", "—", "–", "-", "_", "▁", "##", "Ġ", "Ċ", "</w>", "@@", "[", "]", "<", ">", "\\",
       "\"", "'", "🙂", "👩🏽‍🚀", "🏳️‍🌈", "\U0001F469", "\u0000", "\u0007", "\ufffd", "\ue000", "ß", "ẞ", "İ", "ı", "ǅ", "Σς", "ſ",
       "\u212b", "\u00c5", "각", "\u1100\u1161\u11a8", "가나", "が", "ｶﾞ", "が", "क्षि", "ا\u064e", "a\u0300\u0301\u0302", "x" * 120, "9" * 40, "a b  c   d",
       "...", "!!!", "?!", "$5.00", "50%", "#tag", "@user", "C++", "a/b", "x=y", "1,2,3", "10,", "3.", "don’t", "I’m",
       "<s>", "</s>", "<unk>", "<pad>", "<mask>", "[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]", " <mask>", "<mask> ", " [MASK] ",
       "<|endoftext|>", "<extra_id_0>", "<bos>", "<0x41>", "<s>NOTUSED", "he<mask>she", "he [MASK]she", "γυναίκες", "[X]"]


def lines():
    found = list(ODD)
    while len(found) < 1000:
        parts = []
        for _ in range(RANDOM.randint(1, 9)):
            kind = RANDOM.random()
            if kind < 0.6:
                word = RANDOM.choice(WORDS)
                word = RANDOM.choice([word, word, word.upper(), word.capitalize(), word[::-1]])
            elif kind < 0.8:
                word = RANDOM.choice(ODD)
            elif kind < 0.9:
                word = "".join(chr(RANDOM.choice([RANDOM.randint(33, 126), RANDOM.randint(0xa1, 0x24f), RANDOM.randint(0x370, 0x5ff),
                                                  RANDOM.randint(0x900, 0x97f), RANDOM.randint(0x3040, 0x30ff),
                                                  RANDOM.randint(0x4e00, 0x4fff), RANDOM.randint(0x1f600, 0x1f64f)]))
                               for _ in range(RANDOM.randint(1, 6)))
            else:
                word = RANDOM.choice(WORDS) + RANDOM.choice(ODD)
            parts.append(word)
        found.append(RANDOM.choice(["", "", " ", "  "]) + RANDOM.choice([" ", " ", "  ", ""]).join(parts) + RANDOM.choice(["", "", ".", " "]))
    return found[:1000]


def corpus():
    texts = []
    for _ in range(400):
        texts.append(" ".join(RANDOM.choice(WORDS) for _ in range(12)))
    return texts


RULES = [("ﬁ", "fi"), ("ﬃ", "ffi"), ("Ａ", "A"), ("１", "1"), ("½", "1⁄2"), ("①", "1"), ("\u00a0", " "), ("\u3000", " "), ("\t", " "), ("\n", " "),
         ("\u200b", ""), ("\ufeff", ""), ("…", "..."), ("™", "TM"), ("e\u0301", "é"), ("\u212b", "\u00c5"), ("ｶ", "カ")]


def sentence_piece(texts, **options):
    with tempfile.TemporaryDirectory() as place:
        rules = Path(place) / "rules.tsv"
        with open(rules, "w") as out:
            for left, right in RULES:
                code = lambda text: " ".join(f"{ord(c):X}" for c in text)
                out.write(f"{code(left)}\t{code(right)}\n")
        model = io.BytesIO()
        normal = dict(normalization_rule_tsv=str(rules)) if options.pop("rules", True) else dict(normalization_rule_name="identity")
        spm.SentencePieceTrainer.train(sentence_iterator=iter(texts), model_writer=model, minloglevel=2, num_threads=1,
                                       hard_vocab_limit=False, **normal, **options)
        return model.getvalue()


def word_piece(texts, specials, lowercase):
    tokenizer = BertWordPieceTokenizer(lowercase=lowercase)
    tokenizer.train_from_iterator(texts, vocab_size=420, min_frequency=1, special_tokens=specials, show_progress=False)
    vocabulary = tokenizer.get_vocab()
    return "".join(token + "\n" for token, _ in sorted(vocabulary.items(), key=lambda entry: entry[1]))


def byte_pairs(texts, specials):
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(texts, vocab_size=480, min_frequency=1, special_tokens=specials, show_progress=False)
    with tempfile.TemporaryDirectory() as place:
        tokenizer.save_model(place)
        return {name: (Path(place) / name).read_text() for name in ("vocab.json", "merges.txt")}


def letters(texts, specials):
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=420, special_tokens=specials, end_of_word_suffix="</w>",
                                                             show_progress=False))
    state = json.loads(tokenizer.to_str())["model"]
    return {"vocab.json": json.dumps(state["vocab"], ensure_ascii=False),
            "merges.txt": "#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in state["merges"])}


BRACKETS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ANGLES = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


def cases(texts):
    bert = word_piece(texts, BRACKETS, False)
    lower = word_piece(texts, BRACKETS, True)
    mpnet = word_piece(texts, ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"], True)
    roberta = byte_pairs(texts, ANGLES)
    gpt2 = byte_pairs(texts, ["<|endoftext|>"])
    deberta = byte_pairs(texts, BRACKETS)
    herbert = letters(texts, ANGLES)
    unigram = dict(vocab_size=330, model_type="unigram")
    bpe = dict(vocab_size=460, model_type="bpe", byte_fallback=True, rules=False, split_digits=True)
    albert = sentence_piece(texts, pad_id=0, unk_id=1, bos_id=-1, eos_id=-1, pad_piece="<pad>", control_symbols=["[CLS]", "[SEP]", "[MASK]"],
                            **unigram)
    fairseq = sentence_piece(texts, **unigram)
    debertas = sentence_piece(texts, pad_id=0, bos_id=1, eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]", eos_piece="[SEP]",
                              unk_piece="[UNK]", **unigram)
    rembert = sentence_piece(texts, pad_id=0, unk_id=1, bos_id=2, eos_id=3, pad_piece="[PAD]", unk_piece="[UNK]", bos_piece="[CLS]",
                             eos_piece="[SEP]", user_defined_symbols=["[MASK]"], **unigram)
    bird = sentence_piece(texts, pad_id=0, eos_id=1, bos_id=2, unk_id=3, pad_piece="<pad>", user_defined_symbols=["[SEP]", "[MASK]", "[CLS]"],
                          **unigram)
    t5 = sentence_piece(texts, pad_id=0, eos_id=1, unk_id=2, bos_id=-1, **unigram)
    llama = sentence_piece(texts, **bpe)
    gemma = sentence_piece(texts, pad_id=0, eos_id=1, bos_id=2, unk_id=3, pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>",
                           user_defined_symbols=["<start_of_turn>", "<end_of_turn>", "\t"], **bpe)
    yield "bert-cased", "bert", {"vocab.txt": bert}, {"do_lower_case": False}
    yield "bert-uncased", "bert", {"vocab.txt": lower}, {}
    yield "bert-accents", "bert", {"vocab.txt": lower}, {"strip_accents": False, "tokenize_chinese_chars": False}
    yield "bert-added", "bert", {"vocab.txt": bert, "added_tokens.json": json.dumps({"γυναίκες": bert.count("\n"), "[X]": bert.count("\n") + 1})}, \
        {"do_lower_case": False, "additional_special_tokens": ["[X]"]}
    yield "distilbert", "distilbert", {"vocab.txt": lower}, {"tokenizer_class": "DistilBertTokenizer"}
    yield "electra", "electra", {"vocab.txt": lower}, {"tokenizer_class": "ElectraTokenizer"}
    yield "mpnet", "mpnet", {"vocab.txt": mpnet}, {"tokenizer_class": "MPNetTokenizer"}
    yield "roberta", "roberta", roberta, {}
    yield "roberta-blank", "roberta", roberta, {"add_prefix_space": True, "tokenizer_class": "RobertaTokenizer"}
    yield "longformer", "longformer", roberta, {"tokenizer_class": "LongformerTokenizer"}
    yield "bart", "bart", roberta, {"tokenizer_class": "BartTokenizer"}
    yield "gpt2", "gpt2", gpt2, {}
    yield "opt", "gpt2", roberta, {"tokenizer_class": "GPT2Tokenizer", "add_bos_token": True, "bos_token": "</s>", "eos_token": "</s>",
                                  "unk_token": "</s>", "pad_token": "<pad>"}
    yield "qwen2", "qwen2", gpt2, {"tokenizer_class": "Qwen2Tokenizer"}
    yield "deberta", "deberta", deberta, {"tokenizer_class": "DebertaTokenizer"}
    yield "herbert", "bert", herbert, {"tokenizer_class": "HerbertTokenizer"}
    yield "albert", "albert", {"spiece.model": albert}, {}
    yield "albert-accents", "albert", {"spiece.model": albert}, {"keep_accents": True, "do_lower_case": False}
    yield "xlm-roberta", "xlm-roberta", {"sentencepiece.bpe.model": fairseq}, {}
    yield "camembert", "camembert", {"sentencepiece.bpe.model": fairseq}, {}
    yield "mbart", "mbart", {"sentencepiece.bpe.model": fairseq}, {"tokenizer_class": "MBartTokenizer"}
    yield "mbart-german", "mbart", {"sentencepiece.bpe.model": fairseq}, {"tokenizer_class": "MBartTokenizer", "src_lang": "de_DE"}
    barthez = sentence_piece(texts, bos_id=0, pad_id=1, eos_id=2, unk_id=3, pad_piece="<pad>", user_defined_symbols=["<mask>"], **unigram)
    yield "barthez", "mbart", {"sentencepiece.bpe.model": barthez}, {"tokenizer_class": "BarthezTokenizer"}
    size = len(spm.SentencePieceProcessor(model_proto=debertas))
    yield "deberta-v2", "deberta-v2", {"spm.model": debertas, "added_tokens.json": json.dumps({"[MASK]": size})}, {}
    yield "deberta-v2-punctuation", "deberta-v2", {"spm.model": debertas}, {"split_by_punct": True, "do_lower_case": True}
    yield "rembert", "rembert", {"sentencepiece.model": rembert}, {"tokenizer_class": "RemBertTokenizer"}
    yield "big_bird", "big_bird", {"spiece.model": bird}, {"tokenizer_class": "BigBirdTokenizer"}
    yield "t5", "t5", {"spiece.model": t5}, {"tokenizer_class": "T5Tokenizer"}
    yield "t5-new", "t5", {"spiece.model": t5}, {"tokenizer_class": "T5Tokenizer", "legacy": False, "extra_ids": 10}
    yield "llama", "llama", {"tokenizer.model": llama}, {}
    yield "llama-new", "llama", {"tokenizer.model": llama}, {"tokenizer_class": "LlamaTokenizer", "legacy": False, "add_eos_token": True}
    yield "llama-bare", "llama", {"tokenizer.model": llama}, {"tokenizer_class": "LlamaTokenizer", "add_prefix_space": False,
                                                             "add_bos_token": False}
    yield "code_llama", "llama", {"tokenizer.model": llama}, {"tokenizer_class": "CodeLlamaTokenizer"}
    yield "gemma", "gemma", {"tokenizer.model": gemma}, {"tokenizer_class": "GemmaTokenizer"}


def digest(ids):
    return hashlib.sha256(" ".join(map(str, ids)).encode()).hexdigest()[:8]


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    texts = corpus()
    odd = lines()
    (OUT / "lines.json").write_text(json.dumps(odd, ensure_ascii=True) + "\n")
    shared = {}
    for name, model_type, files, settings in cases(texts):
        with tempfile.TemporaryDirectory() as place:
            place = Path(place)
            listed = {}
            for file, content in files.items():
                content = content.encode() if isinstance(content, str) else content
                (place / file).write_bytes(content)
                key = hashlib.sha256(content).digest()
                if key not in shared:
                    shared[key] = f"{name}.{file}"
                    (OUT / shared[key]).write_bytes(content)
                listed[file] = shared[key]
            (place / "config.json").write_text(json.dumps({"model_type": model_type}))
            if settings:
                (place / "tokenizer_config.json").write_text(json.dumps(settings))
            tokenizer = AutoTokenizer.from_pretrained(place, use_fast=True)
            assert tokenizer.is_fast, name
            ids = [tokenizer(line)["input_ids"] for line in odd]
        case = {"model_type": model_type, "class": type(tokenizer).__name__, "files": listed, "settings": settings,
                "size": len(tokenizer), "first": {str(n): ids[n] for n in (100, 500, 900)}, "mask": tokenizer.mask_token_id,
                "hashes": "".join(map(digest, ids))}
        (OUT / f"{name}.case.json").write_text(json.dumps(case, ensure_ascii=True, indent=1) + "\n")
        print(name, type(tokenizer).__name__, len(tokenizer))


main()
