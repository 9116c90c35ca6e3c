"""A small dictionary of MeCab, vocabularies of Japanese BERTs, and what `transformers` makes of a thousand odd lines with them, for
crates/engine/engine/tests/japanese.

    python tools/reference/japanese_tokenizers.py crates/engine/engine/tests/japanese

Needs transformers 4.57 and fugashi. Seed: 7. With DICTIONARY as a further argument, `compare.json` is written beside it for that
dictionary (ipadic, unidic-lite), which the test reads where EPICENE_MECAB_COMPARE names its directory.
"""
import gzip
import hashlib
import json
import random
import shutil
import sys
import tempfile
from pathlib import Path

import fugashi
from transformers import BertJapaneseTokenizer

OUT = Path(sys.argv[1])
RANDOM = random.Random(7)

NOUNS = "私 彼 彼女 女性 男性 医者 看護師 先生 学生 子供 東京 東京都 京都 都 大学 会社 料理 仕事 車 本 日本 日本語 語 猫 すもも もも うち".split()
OTHERS = "は が を に で の と も へ から まで です ます だ た て ない です。 行く 行き 行っ 読む 読み 食べる 食べ 美しい 美しく とても もう まだ".split()
SIGNS = "。 、 「 」 ！ ？ ・ ー … ( ) . , ! ? - : ; / \" '".split()


def dictionary(place):
    lexicon = []
    for number, word in enumerate(NOUNS):
        lexicon.append(f"{word},1,1,{RANDOM.randint(2000, 6000)},名詞")
    for word in OTHERS:
        kind = RANDOM.choice([2, 3])
        lexicon.append(f"{word},{kind},{kind},{RANDOM.randint(500, 5000)},他")
        if RANDOM.random() < 0.3:
            lexicon.append(f"{word},4,2,{RANDOM.randint(500, 5000)},他")
    for sign in SIGNS:
        lexicon.append('"' + sign.replace('"', '""') + '"' + f",5,5,{RANDOM.randint(0, 900)},記号")
    (place / "lex.csv").write_text("\n".join(lexicon) + "\n")
    size = 6
    rows = [f"{size} {size}"]
    for left in range(size):
        for right in range(size):
            rows.append(f"{left} {right} {RANDOM.choice([0, 0, RANDOM.randint(-2000, 2000)])}")
    (place / "matrix.def").write_text("\n".join(rows) + "\n")
    (place / "char.def").write_text("""DEFAULT 0 1 0
SPACE 0 1 0
KANJI 0 0 2
SYMBOL 1 1 0
NUMERIC 1 1 0
ALPHA 1 1 0
HIRAGANA 0 1 2
KATAKANA 1 1 2
KANJINUMERIC 1 1 0
0x0020 SPACE
0x0009 SPACE
0x000A SPACE
0x0021..0x002F SYMBOL
0x0030..0x0039 NUMERIC
0x003A..0x0040 SYMBOL
0x0041..0x005A ALPHA
0x0061..0x007A ALPHA
0x00C0..0x024F ALPHA
0x3041..0x309F HIRAGANA
0x30A1..0x30FF KATAKANA
0x30FC KATAKANA HIRAGANA
0x4E00..0x9FFF KANJI
0x4E00 KANJINUMERIC KANJI
0x4E8C KANJINUMERIC KANJI
0x4E09 KANJINUMERIC KANJI
""")
    kinds = "DEFAULT SPACE KANJI SYMBOL NUMERIC ALPHA HIRAGANA KATAKANA KANJINUMERIC".split()
    rows = []
    for kind in kinds:
        rows.append(f"{kind},{RANDOM.randint(1, 5)},{RANDOM.randint(1, 5)},{RANDOM.randint(3000, 9000)},未知")
        if kind in ("KANJI", "KATAKANA"):
            rows.append(f"{kind},1,1,{RANDOM.randint(3000, 9000)},未知")
    (place / "unk.def").write_text("\n".join(rows) + "\n")
    (place / "dicrc").write_text("cost-factor = 800\nbos-feature = BOS/EOS\neval-size = 1\nunk-eval-size = 1\nconfig-charset = UTF-8\n")
    (place / "rewrite.def").write_text("[unigram rewrite]\n*\t$1\n[left rewrite]\n*\t$1\n[right rewrite]\n*\t$1\n")
    (place / "feature.def").write_text("UNIGRAM U1:%F[0]\nBIGRAM B1:%L[0]/%R[0]\n")
    for side in ("left-id.def", "right-id.def"):
        (place / side).write_text("".join(f"{number} {number}\n" for number in range(size)))
    fugashi.build_dictionary(f"fugashi -d {place} -o {place} -f UTF-8 -t UTF-8")


PARTS = NOUNS + OTHERS + SIGNS + "カタカナ コーヒー ﾊﾝｶｸ ＡＢＣ １２３ abc XYZ 2026 三二一 一二三四 ひらがなばかり 漢字未知語 é ß 😀 𠮷野家 \u3000 ㍿ ① が か\u3099 ゟ ～ 〜 － — “ ” [MASK] [SEP] [UNK] [CLS]x".split(" ")


def lines():
    found = ["", " ", "\u3000", "\n", "a b", "[MASK]", "私は[MASK]です。", "すもももももももものうち", "東京都に行く", "x" * 130, "あ" * 40, "カ" * 30, "漢" * 30,
             "\u0000私", "私\u0000は", "  私 は  ", "a\u00a0b", "👩🏽‍🚀", "\ufffd", "ｶﾞｷﾞ", "㌔", "Ⅷ", "½", "…", "\u200b私"]
    while len(found) < 1000:
        joint = RANDOM.choice(["", "", "", " ", "\u3000"])
        found.append(joint.join(RANDOM.choice(PARTS) for _ in range(RANDOM.randint(1, 12))) + RANDOM.choice(["", "。", " "]))
    return found


def digest(ids):
    return hashlib.sha256(" ".join(map(str, ids)).encode()).hexdigest()[:8]


def vocabulary():
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = sorted(set("".join(PARTS)) - set("[]"))
    for piece in NOUNS + OTHERS[:20] + letters + ["abc", "ab", "2026", "カタ", "コー"]:
        if piece not in pieces:
            pieces.append(piece)
    for piece in letters[::2] + ["カナ", "ヒー", "##"]:
        pieces.append("##" + piece)
    return list(dict.fromkeys(pieces))


def case(vocabulary_file, place, odd, **settings):
    options = dict(word_tokenizer_type="mecab", do_lower_case=settings.pop("do_lower_case", False), **settings)
    tokenizer = BertJapaneseTokenizer(str(vocabulary_file), mecab_kwargs=dict(mecab_dic=None, mecab_option=f"-r /dev/null -d {place}"), **options)
    return dict(settings=dict(options, tokenizer_class="BertJapaneseTokenizer", mecab_kwargs=dict(mecab_dic="tiny")), size=len(tokenizer),
                hashes="".join(digest(tokenizer(line)["input_ids"]) for line in odd))


def main():
    given = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        dictionary(place)
        odd = lines()
        if given is None:
            shutil.rmtree(OUT, ignore_errors=True)
        OUT.mkdir(parents=True, exist_ok=True)
        (OUT / "vocab.txt").write_text("".join(piece + "\n" for piece in vocabulary()))
        folder = Path(given) if given else place
        cases = {"wordpiece": case(OUT / "vocab.txt", folder, odd, subword_tokenizer_type="wordpiece"),
                 "character": case(OUT / "vocab.txt", folder, odd, subword_tokenizer_type="character"),
                 "lower": case(OUT / "vocab.txt", folder, odd, subword_tokenizer_type="wordpiece", do_lower_case=True)}
        (OUT / "lines.json").write_text(json.dumps(odd) + "\n")
        (OUT / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")
        if given is None:
            for name in ("sys.dic", "unk.dic", "matrix.bin"):
                shutil.copy(place / name, OUT)
            with open(OUT / "char.bin.gz", "wb") as out, gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as packed:
                packed.write((place / "char.bin").read_bytes())


main()
