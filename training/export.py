"""Trained weights -> a model directory that `transformers` loads.

    python export.py mlm OUT TOKENIZERS models/mlm [--dtype float32]

OUT holds the `KIND-N.npz` files of train.py, TOKENIZERS the `KIND/tokenizer.json` of data.py.
"""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from models import MODELS, POSITIONS

SHARD = 11_500_000  # bytes


def weights(kind, folder):
    parts = {}
    for path in sorted(folder.glob(f"{kind}-*.npz")):
        with np.load(path) as f:
            parts.update({k: f[k] for k in f.files})
    names = dict.fromkeys(k.split("|")[0] for k in parts)
    return {n: np.concatenate([parts[f"{n}|0"], parts[f"{n}|1"]]) for n in names}


def shards(tensors):
    groups, size = [{}], 0
    for name, v in tensors.items():
        if groups[-1] and size + v.nbytes > SHARD:
            groups.append({})
            size = 0
        groups[-1][name] = v
        size += v.nbytes
    return groups


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind", choices=MODELS)
    p.add_argument("trained", type=Path)
    p.add_argument("tokenizers", type=Path)
    p.add_argument("target", type=Path)
    p.add_argument("--dtype", default="float16", choices=["float16", "float32"])
    a = p.parse_args()
    a.target.mkdir(parents=True, exist_ok=True)

    tensors = {k: np.ascontiguousarray(v.astype(a.dtype)) for k, v in weights(a.kind, a.trained).items()}
    groups = shards(tensors)
    where = {}
    for i, group in enumerate(groups):
        name = f"model-{i + 1:05}-of-{len(groups):05}.safetensors"
        save_file(group, a.target / name, metadata={"format": "pt"})
        (a.target / name).chmod(0o644)
        where.update(dict.fromkeys(group, name))
    total = sum(v.nbytes for v in tensors.values())
    write_json(
        a.target / "model.safetensors.index.json",
        {"metadata": {"total_size": total}, "weight_map": dict(sorted(where.items()))},
    )
    write_json(a.target / "config.json", MODELS[a.kind].config() | {"torch_dtype": a.dtype})

    shutil.copyfile(a.tokenizers / a.kind / "tokenizer.json", a.target / "tokenizer.json")
    special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    if a.kind == "mlm":
        mask = {"content": "<mask>", "lstrip": True, "rstrip": False, "normalized": False, "single_word": False}
        special |= {"cls_token": "<s>", "sep_token": "</s>", "mask_token": mask}
    write_json(a.target / "special_tokens_map.json", special)
    if a.kind == "mlm":
        special = special | {"mask_token": mask | {"__type": "AddedToken"}}
    write_json(
        a.target / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": POSITIONS,
            "model_input_names": ["input_ids", "attention_mask"],
            "clean_up_tokenization_spaces": False,
            **special,
        },
    )


if __name__ == "__main__":
    main()
