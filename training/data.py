"""Data recipe: corpus text -> one 16k byte-level BPE vocabulary and token streams.

    python data.py corpus.txt.xz OUT

The corpus has one paragraph a line and a blank line between books. OUT receives `mlm/tokenizer.json` and
`clm/tokenizer.json` (same vocabulary, different template) and `train.u16.xz`, `heldout.u16.xz` and `speakers.u16.xz`
(token ids, every paragraph as `<s> ... </s>`). The last one serves the second run of the masked model: quotations of
the training part with the speaker moved to the front, and as many ordinary paragraphs.
"""

import lzma
import random
import re
import sys
from pathlib import Path

import numpy as np
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

SEED = 20
VOCAB = 16_000
HELDOUT = 0.01  # share of the paragraphs
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]  # ids 0..4
# Words that must be single tokens also without a blank before them (start of a text, after a quote).
WHOLE = ["he", "she", "He", "She", "man", "woman", "Man", "Woman"]

VERBS = "said|asked|answered|replied|cried|added|whispered|exclaimed|repeated|remarked|returned|thought|wrote"
CLIPPED = "[Tt]is|[Tt]was|[Tt]were|[Tt]will|em|bout|cause|un|ee|d|s|ll|ere|ave|im|er|ome|ouse"
TAG_AFTER_COMMA = re.compile(r',"(?= [a-zA-Z])')
TAG_AFTER_MARK = re.compile(r'([!?])"(?= [a-z])')
TAG_BEFORE = re.compile(rf'\b({VERBS}), "(?=[A-Z])')

WHO = r"he|she|the [a-z]+|[A-Z][a-z]+"
SPEAKER_LAST = re.compile(rf'"([^"]{{8,300}}?)([,.!?]?)",? (?:({WHO}) ({VERBS})|({VERBS}) ({WHO}))\b')


def single_to_double(text):
    """Dialogue in single quotes -> double quotes; apostrophes stay."""
    text = text.replace('"', "\x00")
    text = re.sub(rf"(?:(?<=^)|(?<=[\s(\-—]))'(?!(?:{CLIPPED})\b)(?=[A-Za-z—\-])", '"', text)
    text = re.sub(r"(?<=[,.!?\-—])'(?=\s|$|[)\-—])", '"', text)
    return text.replace("\x00", "'")


def logical_quotes(text, rng):
    """`"Go," he said` -> `"Go.", he said` or `"Go", he said`; `she said, "Go"` -> `she said: "Go"`."""
    text = TAG_AFTER_COMMA.sub(lambda _: '.",' if rng.random() < 0.7 else '",', text)
    text = TAG_AFTER_MARK.sub(r'\1",', text)
    return TAG_BEFORE.sub(r'\1: "', text)


def paragraphs(path):
    """The cleaned paragraphs; half of them with logical quotation marks, so that both styles are learned."""
    rng = random.Random(SEED)
    with lzma.open(path, "rt", encoding="utf-8") as f:
        books = f.read().replace("\ufeff", "").split("\n\n")
    for book in books:
        lines = [" ".join(line.split()) for line in book.split("\n")]
        lines = [line for line in lines if line]
        single = sum(line[0] == "'" for line in lines) > sum(line[0] == '"' for line in lines)
        for line in lines:
            if single:
                line = single_to_double(line)
            yield logical_quotes(line, rng) if rng.random() < 0.5 else line


def speaker_first(text):
    """`"Go," he said, and left.` -> `He said: "Go."`; None where the paragraph does not begin with such a quotation."""
    m = SPEAKER_LAST.match(text)
    if not m:
        return None
    quote, mark, who1, verb1, verb2, who2 = m.groups()
    who, verb = who1 or who2, verb1 or verb2
    return f'{who[0].upper()}{who[1:]} {verb}: "{quote}{mark if mark in ("!", "?") else "."}"'


def train_tokenizer(lines):
    tok = Tokenizer(models.BPE(unk_token=None))
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tok.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCAB,
        special_tokens=SPECIAL,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tok.train_from_iterator([*lines, *(w for w in WHOLE for _ in range(5000))], trainer)
    mask = AddedToken("<mask>", lstrip=True, special=True, normalized=False)
    tok.add_special_tokens([*SPECIAL[:4], mask])
    return tok


def encode(tok, lines):
    ids = [i for e in tok.encode_batch(lines, add_special_tokens=False) for i in [0, *e.ids, 2]]
    return np.array(ids, dtype="<u2")


def main(corpus, out):
    out = Path(out)
    lines = list(paragraphs(corpus))
    rng = random.Random(SEED + 1)
    held = [rng.random() < HELDOUT for _ in lines]
    train = [line for line, h in zip(lines, held) if not h]
    heldout = [line for line, h in zip(lines, held) if h]

    tok = train_tokenizer(train)
    for name, single in (("mlm", "<s> $A </s>"), ("clm", "<s> $A")):
        pair = f"{single} $B </s>" if name == "mlm" else "<s> $A $B"
        tok.post_processor = processors.TemplateProcessing(
            single=single, pair=pair, special_tokens=[("<s>", 0), ("</s>", 2)]
        )
        (out / name).mkdir(parents=True, exist_ok=True)
        tok.save(str(out / name / "tokenizer.json"))
    for word in WHOLE:
        for form in (word, " " + word):
            assert len(tok.encode(form, add_special_tokens=False).ids) == 1, form

    rng = random.Random(SEED + 2)
    variants = [v for v in map(speaker_first, train) if v]
    mixed = variants + rng.sample(train, len(variants))
    rng.shuffle(mixed)

    for name, part in (("train", train), ("heldout", heldout), ("speakers", mixed)):
        step = 20_000
        ids = np.concatenate([encode(tok, part[i : i + step]) for i in range(0, len(part), step)])
        with lzma.open(out / f"{name}.u16.xz", "wb", preset=3) as f:
            f.write(ids.tobytes())
        words = sum(len(p.split()) for p in part)
        print(f"{name}: {len(part)} paragraphs, {words} words, {len(ids)} tokens")


if __name__ == "__main__":
    main(*sys.argv[1:3])
