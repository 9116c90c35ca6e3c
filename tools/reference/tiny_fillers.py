#!/usr/bin/env python3
"""BART, mBART and T5 as fillers of blanks: what `transformers` thinks of pairs of sentences.

    python tools/reference/tiny_fillers.py crates/engine/engine/tests            # with 4.57.6
    python tools/reference/tiny_fillers.py --check crates/engine/engine/tests    # with 4.57.6 and with 5.22.2

makes `fillers/bart`, `t5` and `mt5` by the rules of tiny_checkpoints.py, and writes filler.json beside the translation model
mbart50 (tiny_seq2seq.py), whose weights are used as they are.

BART and mBART are asked as AutoModelForMaskedLM asks them: the masked text goes in, the decoder reads it one place later, and the
logits at a place are those of the token there. T5 has sentinels: every run of neighbouring blanks is one, the decoder is given its
first token, the sentinel and what filled the blank so far. `score` is GEST's: the mean over the differing tokens of
log10 p, masculine minus feminine.
"""
import json
import math
import os
import sys

import tiny_checkpoints as tiny
import torch
import transformers as hf

PAIRS = [("He said: \"I was tired.\"", "She said: \"I was tired.\""), ("The man was late.", "The woman was late."),
         ("The doctor told him that he was early.", "The doctor told her that she was early."),
         ("My brother takes care of the garden.", "My sister takes care of the garden."),
         ("The manager is the father of the boy.", "The manager is the mother of the girl."),
         ("I met the waiter.", "I met the old waitress there.")]
SENTINELS = 6


def bart(size):
    return hf.BartForConditionalGeneration(hf.BartConfig(
        vocab_size=size, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=4,
        encoder_ffn_dim=24, decoder_ffn_dim=20, max_position_embeddings=tiny.POSITIONS, scale_embedding=True))


def with_sentinels(size):
    """T5's pieces: an end behind a text, and sentinels, the first of them last."""
    tokenizer = tiny.unigram(size, ["<pad>", "</s>", "<unk>"], "<unk>", tiny.blanks(tiny.normalizers.NFKC()))
    for number in reversed(range(SENTINELS)):
        tiny.special(tokenizer, f"<extra_id_{number}>")
    tokenizer.post_processor = tiny.processors.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)])
    return tokenizer, dict(eos_token="</s>", unk_token="<unk>", pad_token="<pad>")


def t5(cls, config, **more):
    return lambda size: cls(config(vocab_size=size + 2, d_model=16, d_kv=6, d_ff=24, num_layers=2, num_decoder_layers=1, num_heads=3,
                                   relative_attention_num_buckets=8, relative_attention_max_distance=12, decoder_start_token_id=0, **more))


class Filler:
    """A model that writes what stands in blanks."""

    def __init__(self, folder, tokenizer=None):
        self.model, report = hf.AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager",
                                                                      output_loading_info=True)
        assert not report["missing_keys"] and not report["mismatched_keys"], report
        self.model.eval()
        self.tokenizer = (tokenizer or hf.AutoTokenizer).from_pretrained(folder)
        self.sentinels = [self.tokenizer.convert_tokens_to_ids(f"<extra_id_{number}>") for number in range(SENTINELS)]

    def log10(self, source, target, places):
        with torch.no_grad():
            options = {} if target is None else dict(decoder_input_ids=torch.tensor([target]))
            logits = self.model(input_ids=torch.tensor([source]), **options).logits[0].double()
        return torch.log_softmax(logits, dim=-1)[places] / math.log(10)

    def one(self, ids, differing):
        """The mean of log10 p of what stands at the differing places."""
        if not self.model.config.model_type.endswith("t5"):
            masked = [self.tokenizer.mask_token_id if place in differing else token for place, token in enumerate(ids)]
            table = self.log10(masked, None, differing)
        else:
            source, target, places = [], [self.model.config.decoder_start_token_id], []
            for place, token in enumerate(ids):
                if place not in differing:
                    source.append(token)
                    continue
                if place - 1 not in differing:
                    sentinel = self.sentinels[len([one for one in target if one in self.sentinels])]
                    source.append(sentinel)
                    target.append(sentinel)
                places.append(len(target) - 1)
                target.append(token)
            table = self.log10(source, target, places)
        return sum(table[row, ids[place]].item() for row, place in enumerate(differing)) / len(differing)

    def pair(self, masculine, feminine):
        ids = [self.tokenizer(text)["input_ids"] for text in (masculine, feminine)]
        differing = [place for place, (m, f) in enumerate(zip(*ids)) if m != f]
        means = [self.one(one, differing) for one in ids]
        return dict(masculine=masculine, feminine=feminine, ids_m=ids[0], ids_f=ids[1], masked=differing, score=tiny.seven(means[0] - means[1]))


def golden(folder, tokenizer=None):
    judge = Filler(folder, tokenizer)
    return dict(kind="masked", made_with=f"transformers {hf.__version__}", pairs=[judge.pair(*pair) for pair in PAIRS + tiny.PAIRS])


class BartJudge(tiny.Judge):
    """Without what a model of two halves has twice."""

    def golden(self):
        whole = dict(kind="masked", made_with=f"transformers {hf.__version__}", mask_id=self.tokenizer.mask_token_id)
        whole["masked"] = [dict(template=template, **self.pair(masculine.format(sentence), feminine.format(sentence)))
                           for sentence in tiny.JUDGED[1:7:2] for template, (masculine, feminine) in tiny.TEMPLATES.items()]
        whole["pairs"] = [self.pair(*pair) for pair in tiny.PAIRS]
        whole["logits"] = self.some_logits()
        return whole


def main():
    check = "--check" in sys.argv
    root = [argument for argument in sys.argv[1:] if not argument.startswith("-")][0]
    torch.set_num_threads(1)
    hf.logging.set_verbosity_error()
    tiny.CHECKPOINTS = {
        "bart": ("masked", lambda: tiny.byte_pairs_roberta(340), bart),
        "t5": ("masked", lambda: with_sentinels(300), t5(hf.T5ForConditionalGeneration, hf.T5Config)),
        "mt5": ("masked", lambda: with_sentinels(300), t5(hf.MT5ForConditionalGeneration, hf.MT5Config, feed_forward_proj="gated-gelu")),
    }
    judges = {name: lambda folder: golden(folder) for name in ("t5", "mt5")}
    judges["bart"] = lambda folder: BartJudge(folder, "masked").golden()
    judges["mbart50"] = lambda folder: golden(folder, getattr(hf, "MBart50TokenizerFast", hf.MBart50Tokenizer))
    for name, judge in judges.items():
        own = name in tiny.CHECKPOINTS
        folder = os.path.join(root, "fillers" if own else "seq2seq", name)
        path = os.path.join(folder, "golden.json" if own else "filler.json")
        if check:
            print(f"{name}: {tiny.differences(json.load(open(path, encoding='utf-8')), judge(folder)):.1e}", flush=True)
            continue
        if own:
            tiny.save(os.path.join(root, "fillers"), name)
        tiny.write_golden(path, judge(folder))


if __name__ == "__main__":
    main()
