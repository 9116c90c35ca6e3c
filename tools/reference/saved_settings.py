"""The `tokenizer_config.json` that both versions of `transformers` write for every tokenizer class read here, for
crates/engine/engine/tests/old_tokenizers/saved.json.

    VENV4/bin/python tools/reference/saved_settings.py four crates/engine/engine/tests/old_tokenizers      # transformers 4.57.6
    VENV5/bin/python tools/reference/saved_settings.py five crates/engine/engine/tests/old_tokenizers      # transformers 5.22.2

The vocabularies are those of `old_tokenizers.py`; nothing is drawn at random. The numbers of added tokens are left out: they are long.
"""
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
import transformers

transformers.logging.set_verbosity_error()
VERSION, PLACE = sys.argv[1], Path(sys.argv[2])
OUT = PLACE / "saved.json"
ENTITIES = json.dumps({"[MASK]": 0, "[UNK]": 1, "[PAD]": 2, "[MASK2]": 3})


def cases():
    for path in sorted(PLACE.glob("*.case.json")):
        case = json.loads(path.read_text())
        yield path.name.removesuffix(".case.json"), case, case["settings"]
    # As published.
    spm = {"spm.model": "deberta-v2.spm.model"}
    yield "deberta-v3", dict(model_type="deberta-v2", files=spm), {"do_lower_case": False, "vocab_type": "spm"}
    pairs = {"vocab.json": "deberta.vocab.json", "merges.txt": "roberta.merges.txt"}
    yield "deberta-v1", dict(model_type="deberta", files=pairs), {"do_lower_case": False, "vocab_type": "gpt2"}
    pairs = {"vocab.json": "roberta.vocab.json", "merges.txt": "roberta.merges.txt"}
    yield "luke", dict(model_type="luke", files=pairs), {"tokenizer_class": "LukeTokenizer"}
    names = {f"{one}_token": f"<{one}>" for one in ("audio", "boa", "boi", "eoa", "eoi", "image")}
    yield "gemma3n", dict(model_type="gemma3n", files={"tokenizer.model": "gemma.tokenizer.model"}), \
        {"tokenizer_class": "GemmaTokenizer", "extra_special_tokens": names, **names}


def saved(case, settings):
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        for name, file in case["files"].items():
            if (PLACE / file).exists():
                shutil.copy(PLACE / file, place / name)
        (place / "entity_vocab.json").write_text(ENTITIES)
        (place / "config.json").write_text(json.dumps({"model_type": case["model_type"]}))
        (place / "tokenizer_config.json").write_text(json.dumps(settings))
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        tokenizer.save_pretrained(place / "saved")
        written = json.loads((place / "saved/tokenizer_config.json").read_text())
    written.pop("added_tokens_decoder", None)
    return written


known = json.loads(OUT.read_text()) if OUT.exists() else {}
known[VERSION] = []
for name, case, settings in cases():
    try:
        written = saved(case, settings)
    except Exception as error:  # a vocabulary that this version does not read
        print(name, type(error).__name__, str(error)[:80])
        continue
    known[VERSION].append(dict(name=name, model_type=case["model_type"], files=case["files"], saved=written))
lines = lambda entries: ",\n".join(json.dumps(entry, ensure_ascii=True, sort_keys=True) for entry in entries)
OUT.write_text("{" + ",\n".join(f'"{key}": [\n{lines(entries)}\n]' for key, entries in sorted(known.items())) + "}\n")
