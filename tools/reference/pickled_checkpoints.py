"""Twenty-three tiny checkpoints as `pytorch_model.bin`, each with its twin in safetensors, for crates/engine/engine/tests/pickled.

    python tools/reference/pickled_checkpoints.py crates/engine/engine/tests/pickled

Needs torch, safetensors and transformers 4.57 (version 5 writes no pickles any more). Seed: 21.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import torch
import transformers as tf
from safetensors.torch import save_file

OUT = Path(sys.argv[1])
SEED = 21

ENCODER = dict(vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=12,
               max_position_embeddings=16)
DECODER = dict(vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1,
               intermediate_size=12, head_dim=4, max_position_embeddings=16)
SEQ2SEQ = dict(vocab_size=30, d_model=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
               decoder_attention_heads=2, encoder_ffn_dim=12, decoder_ffn_dim=12, max_position_embeddings=16,
               pad_token_id=1, bos_token_id=0, eos_token_id=2)

MODELS = {
    "bert": (tf.BertForMaskedLM, tf.BertConfig(**ENCODER)),
    "roberta-f16": (tf.RobertaForMaskedLM, tf.RobertaConfig(**ENCODER)),
    "xlm-roberta-bf16": (tf.XLMRobertaForMaskedLM, tf.XLMRobertaConfig(**ENCODER)),
    "albert": (tf.AlbertForMaskedLM, tf.AlbertConfig(embedding_size=4, **ENCODER)),
    "distilbert": (tf.DistilBertForMaskedLM, tf.DistilBertConfig(vocab_size=30, dim=8, n_layers=1, n_heads=2,
                                                                 hidden_dim=12, max_position_embeddings=16)),
    "electra": (tf.ElectraForMaskedLM, tf.ElectraConfig(embedding_size=4, **ENCODER)),
    "deberta-v2": (tf.DebertaV2ForMaskedLM, tf.DebertaV2Config(relative_attention=True, position_buckets=4,
                                                               pos_att_type=["p2c", "c2p"], **ENCODER)),
    "xlm": (tf.XLMWithLMHeadModel, tf.XLMConfig(vocab_size=30, emb_dim=8, n_layers=1, n_heads=2,
                                                max_position_embeddings=16)),
    "modernbert": (tf.ModernBertForMaskedLM, tf.ModernBertConfig(pad_token_id=0, bos_token_id=1, eos_token_id=2,
                                                                 cls_token_id=1, sep_token_id=2, **ENCODER)),
    "gpt2-sharded": (tf.GPT2LMHeadModel, tf.GPT2Config(vocab_size=30, n_embd=8, n_layer=2, n_head=2, n_positions=16)),
    "gpt_neox": (tf.GPTNeoXForCausalLM, tf.GPTNeoXConfig(**ENCODER)),
    "llama-bf16": (tf.LlamaForCausalLM, tf.LlamaConfig(**DECODER)),
    "qwen3": (tf.Qwen3ForCausalLM, tf.Qwen3Config(**DECODER)),
    "gemma2": (tf.Gemma2ForCausalLM, tf.Gemma2Config(**DECODER)),
    "opt": (tf.OPTForCausalLM, tf.OPTConfig(vocab_size=30, hidden_size=8, num_hidden_layers=1, ffn_dim=12,
                                            num_attention_heads=2, max_position_embeddings=16, word_embed_proj_dim=8)),
    "marian": (tf.MarianMTModel, tf.MarianConfig(decoder_start_token_id=1, **SEQ2SEQ)),
    "m2m_100": (tf.M2M100ForConditionalGeneration, tf.M2M100Config(**SEQ2SEQ)),
    "t5": (tf.T5ForConditionalGeneration, tf.T5Config(vocab_size=30, d_model=8, d_kv=4, d_ff=12, num_layers=1,
                                                      num_heads=2)),
}


def contiguous(state):
    """Every tensor by itself, as safetensors wants them."""
    return {name: tensor.detach().clone().contiguous() for name, tensor in state.items()}


def views():
    """What a state dict may hold beside whole tensors: views, transposed ones, one storage under two names,
    parameters, integers, nothing."""
    torch.manual_seed(SEED)
    base = torch.randn(6, 8)
    table = torch.randn(5, 3)
    deep = torch.randn(2, 3, 4, dtype=torch.bfloat16)
    return {
        "rows": base[2:5],
        "columns": base[:, 1:4],
        "transposed": base.t(),
        "every.second": base[::2, ::3],
        "permuted": deep.permute(2, 0, 1),
        "table": torch.nn.Parameter(table),
        "tied": table,
        "half": torch.randn(7).half()[1:],
        "one": torch.randn(()),
        "empty": torch.empty(0, 4),
        "position_ids": torch.arange(16)[None],
        "mask": torch.ones(2, 2, dtype=torch.bool),
    }


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    for name, (kind, config) in MODELS.items():
        torch.manual_seed(SEED)
        model = kind(config)
        dtype = {"f16": torch.float16, "bf16": torch.bfloat16}.get(name.rsplit("-", 1)[-1])
        model = model.to(dtype) if dtype else model
        folder = OUT / name
        folder.mkdir(parents=True)
        for safe in (True, False):
            with tempfile.TemporaryDirectory() as place:
                size = "4KB" if "sharded" in name else "1GB"
                model.save_pretrained(place, safe_serialization=safe, max_shard_size=size)
                for file in sorted(Path(place).iterdir()):
                    if file.name.startswith(("model", "pytorch_model")):
                        shutil.copy(file, folder)
    for name, protocol in (("views", 2), ("views-protocol-4", 4)):
        folder = OUT / name
        folder.mkdir()
        state = views()
        torch.save(state, folder / "pytorch_model.bin", pickle_protocol=protocol)
        save_file(contiguous(state), folder / "model.safetensors")
    # The format before PyTorch 1.6.
    bert, config = MODELS["bert"]
    torch.manual_seed(SEED)
    states = {"old-bert": (bert(config).state_dict(), 2), "old-views": (views(), 2), "old-views-protocol-4": (views(), 4)}
    for name, (state, protocol) in states.items():
        folder = OUT / name
        folder.mkdir()
        torch.save(state, folder / "pytorch_model.bin", pickle_protocol=protocol, _use_new_zipfile_serialization=False)
        save_file(contiguous(state), folder / "model.safetensors")
    print(sum(1 for _ in OUT.iterdir()), "checkpoints")


main()
