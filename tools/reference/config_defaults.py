#!/usr/bin/env python3
"""What `transformers` takes for the fields a checkpoint's settings leave out: the defaults of every configuration class
that `epicene-engine` reads, and of `generate`'s, with the other names fields go by. `epicene-checkpoint` fills in what a file leaves
out, and refuses a field it does not understand unless its value is the default.

    python tools/reference/config_defaults.py crates/engine/checkpoint/src/config_defaults.json

is run once with transformers 4.57.6 and once with 5.22.2; each run writes its own major version's part of the file and
leaves the other. One line for each model type: `fields` are those in which it differs from `base`, what all classes share.
"""
import dataclasses
import inspect
import json
import sys

import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

MODEL_TYPES = ["bert", "roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "albert", "distilbert", "electra", "convbert",
               "xlm", "deberta-v2", "modernbert", "gpt2", "gpt_neox", "llama", "mistral", "qwen2", "qwen3", "phi", "gemma",
               "gemma2", "gemma3_text", "marian", "m2m_100", "bart", "mbart", "t5", "mt5"]
# Causal models of 2021 to 2025, and the wrappers whose text part is read.
MODEL_TYPES += ["phi3", "olmo", "olmo2", "olmo3", "olmoe", "granite", "granitemoe", "smollm3", "cohere", "cohere2", "glm", "glm4",
                "stablelm", "falcon", "opt", "bloom", "gptj", "gpt_neo", "mpt", "gpt_bigcode", "starcoder2", "ministral", "exaone4",
                "nemotron", "apertus", "mixtral", "qwen2_moe", "qwen3_moe", "gpt_oss", "deepseek_v2", "deepseek_v3", "gemma3",
                "mistral3", "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text", "qwen3_vl", "qwen3_vl_text", "llama4",
                "llama4_text", "gemma3n", "gemma3n_text"]
# Encoders; the last two are in version 5 only.
MODEL_TYPES += ["deberta", "mpnet", "roberta-prelayernorm", "flaubert", "rembert", "big_bird", "longformer", "luke", "eurobert",
                "nomic_bert"]
# A class that is in neither version: the authors' own defaults.
OTHERS = {"neobert": {"hidden_size": 768, "num_hidden_layers": 28, "num_attention_heads": 12, "intermediate_size": 3072,
                      "norm_eps": 1e-06, "vocab_size": 30522, "pad_token_id": 0, "max_length": 1024, "rms_norm": True,
                      "rope": True, "hidden_act": "SwiGLU", "flash_attention": True, "ngpt": False, "dropout": 0,
                      "tie_word_embeddings": False}}
# Written into every file, or derived; their values are never a default.
NO_DEFAULT = {"transformers_version", "model_type", "architectures", "_name_or_path", "id2label", "label2id", "kwargs", "self"}


def plain(value):
    """A default as JSON has it."""
    try:
        return json.loads(json.dumps(value))
    except TypeError:
        return None


def parameters(cls):
    """Fields with their raw defaults: what stands in the class, before anything is worked out from other fields."""
    if dataclasses.is_dataclass(cls):  # transformers 5
        found = {one.name: one.default if one.default is not dataclasses.MISSING else one.default_factory()
                 for one in dataclasses.fields(cls)
                 if one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING}
    else:
        found = {name: one.default for name, one in inspect.signature(cls.__init__).parameters.items()
                 if one.default is not inspect.Parameter.empty}
    return {name: plain(value) for name, value in found.items() if name not in NO_DEFAULT}


def main():
    path = sys.argv[1]
    version = transformers.__version__
    base_class = getattr(transformers, "PreTrainedConfig", None) or transformers.PretrainedConfig
    base = {name: plain(value) for name, value in base_class().to_dict().items() if name not in NO_DEFAULT}
    base.update(parameters(base_class))
    models = {}
    for model_type in MODEL_TYPES:
        if model_type not in CONFIG_MAPPING:
            continue
        cls = CONFIG_MAPPING[model_type]
        made = {name: plain(value) for name, value in cls().to_dict().items() if name not in NO_DEFAULT}
        fields = {**made, **parameters(cls)}
        models[model_type] = {
            "fields": {name: value for name, value in sorted(fields.items()) if name not in base or base[name] != value},
            "aliases": dict(sorted(cls.attribute_map.items())),
        }
    if version.startswith("5"):
        models.update({name: {"fields": dict(sorted(fields.items())), "aliases": {}} for name, fields in OTHERS.items()})
    generation = {name: plain(value) for name, value in transformers.GenerationConfig().to_dict().items()
                  if name not in NO_DEFAULT}
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        data = {}
    data[version.split(".")[0]] = {"version": version, "base": dict(sorted(base.items())),
                                   "generation": dict(sorted(generation.items())), "models": models}
    with open(path, "w", encoding="utf-8") as file:
        file.write("{\n")
        for index, major in enumerate(sorted(data)):
            part = data[major]
            file.write(f'"{major}": {{\n"version": {json.dumps(part["version"])},\n')
            for name in ("base", "generation"):
                file.write(f'"{name}": {json.dumps(part[name])},\n')
            file.write('"models": {\n')
            lines = [f'"{name}": {json.dumps(model)}' for name, model in part["models"].items()]
            file.write(",\n".join(lines) + "\n}\n}" + ("," if index + 1 < len(data) else "") + "\n")
        file.write("}\n")


if __name__ == "__main__":
    main()
