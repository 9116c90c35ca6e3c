"""A tiny Japanese BERT with a MeCab tokenizer, and what `transformers` says about sentences with it, for crates/app/cli/tests/it/japanese.rs.

    python tools/reference/japanese_checkpoint.py crates/app/cli/tests/japanese PAIRS.csv
    python tools/reference/japanese_checkpoint.py --compare CHECKPOINT DICTIONARY < sentences.txt > aula.txt

PAIRS.csv is `epicene experiment template --lang ja`; every 60th pair is kept. The dictionary is the small one of
crates/engine/engine/tests/japanese (japanese_tokenizers.py); with --compare any other (ipadic, unidic-lite). Needs torch, transformers 4.57
and fugashi. Seed: 11.
"""
import csv
import gzip
import json
import shutil
import sys
import tempfile
from pathlib import Path

import torch
from transformers import BertConfig, BertForMaskedLM, BertJapaneseTokenizer

HERE = Path(__file__).parents[2]
SETTINGS = {"word_tokenizer_type": "mecab", "subword_tokenizer_type": "wordpiece", "do_lower_case": False}


def small_dictionary(place):
    source = HERE / "crates/engine/engine/tests/japanese"
    for name in ["sys.dic", "unk.dic", "matrix.bin"]:
        shutil.copy(source / name, place / name)
    (place / "char.bin").write_bytes(gzip.decompress((source / "char.bin.gz").read_bytes()))
    (place / "dicrc").write_text("cost-factor = 800\nbos-feature = BOS/EOS\n")
    return place


def tokenizer(vocabulary, dictionary):
    option = f"-r /dev/null -d {dictionary}"
    return BertJapaneseTokenizer(
        str(vocabulary), mecab_kwargs={"mecab_dic": None, "mecab_option": option}, **SETTINGS
    )


def aula(model, tokens, sentence):
    """AULA, natural logarithms (MBE specification, section 2)."""
    ids = tokens(sentence, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        output = model(ids, output_attentions=True)
    logs = torch.log_softmax(output.logits[0].double(), dim=-1)
    attention = torch.stack([layer[0].double() for layer in output.attentions])
    received = attention.mean(dim=(0, 1, 2))
    places = range(1, ids.shape[1] - 1)
    values = [received[place] * logs[place, ids[0, place]] for place in places]
    return float(sum(values) / len(values)), ids.shape[1]


def main():
    if sys.argv[1] == "--compare":
        checkpoint, dictionary = Path(sys.argv[2]), Path(sys.argv[3])
        model = BertForMaskedLM.from_pretrained(checkpoint, attn_implementation="eager").eval()
        tokens = tokenizer(checkpoint / "vocab.txt", dictionary)
        for line in sys.stdin:
            print(repr(aula(model, tokens, line.rstrip("\n"))[0]))
        return
    out = Path(sys.argv[1])
    checkpoint = out / "checkpoint"
    checkpoint.mkdir(parents=True, exist_ok=True)
    rows = list(csv.DictReader(open(sys.argv[2], encoding="utf-8")))[::60]
    letters = sorted({c for row in rows for c in row["sent_more"] + row["sent_less"]})
    words = ["です", "興味", "ある", "彼女", "叔父", "叔母"]
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = specials + words + letters + ["##" + c for c in letters]
    (checkpoint / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    settings = {"tokenizer_class": "BertJapaneseTokenizer", "mecab_kwargs": {"mecab_dic": "tiny"}, **SETTINGS}
    (checkpoint / "tokenizer_config.json").write_text(json.dumps(settings, indent=1) + "\n")
    torch.manual_seed(11)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, initializer_range=0.3,
    )
    model = BertForMaskedLM(config).eval()
    model.save_pretrained(checkpoint)
    (checkpoint / "generation_config.json").unlink(missing_ok=True)
    model = BertForMaskedLM.from_pretrained(checkpoint, attn_implementation="eager").eval()
    with tempfile.TemporaryDirectory() as place:
        tokens = tokenizer(checkpoint / "vocab.txt", small_dictionary(Path(place)))
        golden = [
            [aula(model, tokens, row["sent_more"]), aula(model, tokens, row["sent_less"])] for row in rows
        ]
    with open(out / "pairs.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    lines = [[values[0][0], values[1][0], values[0][1], values[1][1]] for values in golden]
    (out / "aula.json").write_text("[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n")


main()
