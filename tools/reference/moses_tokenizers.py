"""XLM's and FlauBERT's tokenizers, and what `transformers` makes of odd lines with each, for crates/engine/engine/tests/moses.

    python tools/reference/moses_tokenizers.py crates/engine/engine/tests/moses

is run with transformers 4.57.6 and once more with 5.22.2, which adds the cases that it reads otherwise and checks all others; both with
sacremoses 0.2.0. Seed: 29. Lines are the thousand of crates/engine/engine/tests/old_tokenizers/lines.json and those of `lines.json`, full of what
Moses' rules are about. `cases.json` has for every case the model's type, its settings and, for each line, the first four hex digits of the
SHA-256 of its ids as decimal numbers with blanks between them.
"""
import functools
import hashlib
import json
import random
import sys
import tempfile
from pathlib import Path

import transformers
from sacremoses import MosesTokenizer
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import AutoTokenizer, logging

logging.set_verbosity_error()
OUT = Path(sys.argv[1])
FIVE = transformers.__version__.startswith("5")
RANDOM = random.Random(29)

WORDS = """He she They said worked. never The nurse doctor's engineer Mr. Mrs. Dr. No. no. p. pp. e.g. i.e. U.S. a.m. Prof. St. Jan. vs. Inc. etc.
L'infirmière l'homme aujourd'hui qu'elle n'est d'accord M. Mme. Mlle. av. J.-C. éd. vol. ch. Œuvre cœur naïve Noël ÉTÉ été c'est-à-dire nº 5
Der Arzt z.B. bzw. Nr. Str. usw. Frau Straße Ärztin ging's 3. Okt. Abs. d.h. Über GRÖẞE
Şi că Țara țară înainte âncă ştie dvs. Dl. dr. str. nr. MÂINE Îi spune
È vero l'uomo dell'arte sig. dott. p.es. perché città
Él dijo Sra. Dña. ¿Qué? ¡No! año pág. núm. EE.UU. español
Řekla že atd. např. tzv. Ing. MUDr. př. n. l. člověk
Ő mondta Nagyon kb. pl. jan. 5. szept. így
Она врач т.е. и т.д. г. Москва Его ул. проф. сказал
그는 의사입니다. 그녀 말했다 Η γυναίκα ΣΟΦΟΣ ΌΣΟΣ κ. π.χ. Ο άνδρας दुनिया में है। क्षत्रिय ক্ষ தமிழ் తెలుగు
don't can't it's I'm we've 90's '90s rock'n'roll o'clock James' 'tis ain't cannot gonna he'll N'T
1,000 3.14 5,300.50 10,5 1,2,a A,B,C,D 50 % 50% 20 °C 30 ºC 5 cm 7:30 10: 3; x ; y : ($5) [a] {b} <c> http://example.org/a?b=c a@b.org C++ #tag e-mail
first-rate -- --- - – — ... .. .... … DOTMULTI DOTDOTMULTI. @-@ &amp; & | / \\ ^ ~ ` `` '' ´ ´´ ‘ ’ ‚ “ ” „ « » ‹ › 。 ． ， 、 ！ ？ ： ； （ ） １２ 【 】 〈 ％ ～ ━ 《 》 「 」""".split()
GLUE = [" "] * 12 + ["", "", "  ", "\u00a0", "\t", "\n", "\u2009", ", ", ". ", ".", ",", "'", '"', '."', '",', '".', ',"', " ' ", "' ", " '", "’", ".'", "(", ") ", " )",
                     "\u200b", "\u00ad", "\u001c", "<special1>", " <special1> ", "</s>", "<SPECIAL1>", "<S>"]
WHOLE = ["He left. She stayed.", "He left. she stayed.", "Mr. Smith and Dr. Who met at 5 p.m. in Washington, D.C.", '"Yes," he said. "No", she said.',
         "« Oui », dit-elle. « Non\u00a0», dit-il\u00a0!", "L'infirmière a dit qu'il n'avait pas d'argent.", "Er sagte: „Nein“, und ging.", "No. 5, pp. 3-7, Art. 2",
         "Elle a 3\u00a0000 euros et 50\u00a0% de chance.", "‘tis the doctor’s", "Îl cheamă pe dl. Popescu; ştie că țara...", "a.", ".", "..", "'", "''", "it's.'", "end.'", "end.' ",
         "He is a <special1>.", "<special1>", "<special1><special1> x", "<s>he</s>", "<unk> is", "ﬁne ½ ① ™ Å", "e\u0301te\u0301 E\u0301", "İstanbul'da ISPARTA ı", "x" * 90,
         "Α΄ ΒΓΣ. ΣΑΣ", "\U0001F469\u200d\U0001F680 said", "漢字 and 한국어 mixed, おk", "ςΣ Σ.", "ǅ ŉ ſ ẞ", "a\u0345Σ", "１２３．４５ ％。 next"]


def lines():
    found = list(WHOLE)
    while len(found) < 600:
        text = RANDOM.choice(WORDS)
        for _ in range(RANDOM.randint(0, 11)):
            text += RANDOM.choice(GLUE) + RANDOM.choice(WORDS)
        found.append(text + RANDOM.choice(["", ".", "!", "?", '."', "...", " ", ".'", '"']))
    return found


def vocabulary(texts):
    """Pairs as they were learnt, and a vocabulary that lacks some pieces on the way, as published ones do."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=1800, limit_alphabet=450, end_of_word_suffix="</w>", show_progress=False))
    state = json.loads(tokenizer.to_str())["model"]
    kept = ["<s>", "</s>", "<pad>", "<unk>"] + [f"<special{n}>" for n in range(10)]
    kept += [token for token in sorted(state["vocab"]) if RANDOM.random() > 0.08 and token not in kept]
    merges = state["merges"]
    return {"vocab.json": json.dumps({token: number for number, token in enumerate(kept)}, ensure_ascii=False, indent=0) + "\n",
            "merges.txt": "".join(f"{a} {b} {len(merges) - n}\n" for n, (a, b) in enumerate(merges))}


def cases(size):
    """Name, model's type, settings, further files, language of the texts."""
    yield "flaubert", "flaubert", {}, {}, None
    yield "flaubert-lower", "flaubert", {"do_lowercase": True, "tokenizer_class": "FlaubertTokenizer", "do_lowercase_and_remove_accent": True}, {}, None
    yield "flaubert-added", "flaubert", {"additional_special_tokens": ["<special0>", "<x y>"], "mask_token": "<special4>"}, \
        {"added_tokens.json": json.dumps({"infirm": size, "<x y>": size + 1})}, None
    yield "xlm", "xlm", {}, {}, None
    yield "xlm-cased", "xlm", {"do_lowercase_and_remove_accent": False, "tokenizer_class": "XLMTokenizer", "lang2id": {"en": 0, "de": 1},
                               "id2lang": {"0": "en", "1": "de"}}, {}, None
    yield "xlm-added", "xlm", {"bos_token": "</s>"}, {"added_tokens.json": json.dumps({"Nurse": size, "nurse": size + 1})}, None
    for language in ["de", "fr", "ro"]:
        yield f"xlm-{language}", "xlm", {}, {}, language
    for language in ["de", "fr", "ro", "it", "es", "cs", "hu", "ko", "sw"]:
        yield f"xlm-cased-{language}", "xlm", {"do_lowercase_and_remove_accent": False}, {}, language


def digest(ids):
    return hashlib.sha256(" ".join(map(str, ids)).encode()).hexdigest()[:4]


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    odd = json.loads((OUT / "../old_tokenizers/lines.json").read_text())
    own = lines()
    texts = [" ".join(MosesTokenizer(lang=RANDOM.choice(["en", "fr", "de", "ko"])).tokenize(RANDOM.choice([line, line.lower()]), escape=False))
             for line in own + odd[:500]]
    files = vocabulary(texts)
    if not FIVE:
        (OUT / "lines.json").write_text(json.dumps(own, ensure_ascii=True, indent=0) + "\n")
        for name, text in files.items():
            (OUT / name).write_text(text)
    files = {name: (OUT / name).read_text() for name in files}
    own = json.loads((OUT / "lines.json").read_text())
    stored = json.loads((OUT / "cases.json").read_text()) if FIVE else {}
    for name, model_type, settings, more, language in cases(len(json.loads(files["vocab.json"]))):
        with tempfile.TemporaryDirectory() as place:
            place = Path(place)
            for file, content in {**files, **more}.items():
                (place / file).write_text(content)
            (place / "config.json").write_text(json.dumps({"model_type": model_type}))
            (place / "tokenizer_config.json").write_text(json.dumps(settings))
            tokenizer = AutoTokenizer.from_pretrained(place)
        assert type(tokenizer).__name__ in ("XLMTokenizer", "FlaubertTokenizer"), type(tokenizer)
        if language:
            # No caller can name a language, but the class knows them.
            tokenizer._tokenize = functools.partial(tokenizer._tokenize, lang=language)
        ids = [tokenizer(line)["input_ids"] for line in odd + own]
        case = {"model_type": model_type, "version": transformers.__version__, "language": language, "settings": settings, "more": more,
                "size": len(tokenizer), "mask": tokenizer.mask_token_id, "first": {str(n): ids[n] for n in (100, 900, 1002, 1500)},
                "hashes": "".join(map(digest, ids))}
        same = FIVE and all(stored[name][field] == case[field] for field in ("size", "mask", "first", "hashes"))
        lowers = model_type == "xlm" and settings.get("do_lowercase_and_remove_accent", True)
        assert not FIVE or same == (not lowers), name
        if not same:
            stored[name + ("-five" if FIVE else "")] = case
        print(name, type(tokenizer).__name__, len(tokenizer), "the same" if same else "")
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(case)}" for name, case in stored.items())
    (OUT / "cases.json").write_text("{\n" + text + "\n}\n")


main()
