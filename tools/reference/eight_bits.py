"""A tiny checkpoint in eight-bit floats with a scale for each block, as DeepSeek-V3 is stored, and its twin in bfloat16, for
crates/engine/engine/tests/eight_bits.

    python tools/reference/eight_bits.py crates/engine/engine/tests/eight_bits

Blocks are of 16 rows and 8 columns, so that the tiny matrices have several, the last of them cut. The twin is dequantised by torch: single
precision, then rounded. Needs torch, safetensors and transformers 4.57. Seed: 21.
"""

import json
import shutil
import sys
from pathlib import Path

import torch
import transformers as tf
from safetensors.torch import save_file

OUT = Path(sys.argv[1])
BLOCK = (16, 8)
MOST = 448.0


def blocks(scales, shape):
    """A number for each element."""
    wide = scales.repeat_interleave(BLOCK[0], 0).repeat_interleave(BLOCK[1], 1)
    return wide[: shape[0], : shape[1]]


def packed(weight):
    rows, columns = weight.shape
    scales = torch.zeros(-(-rows // BLOCK[0]), -(-columns // BLOCK[1]))
    for row in range(scales.shape[0]):
        for column in range(scales.shape[1]):
            block = weight[row * BLOCK[0]:, column * BLOCK[1]:][: BLOCK[0], : BLOCK[1]]
            scales[row, column] = block.abs().max() / MOST
    return (weight / blocks(scales, weight.shape)).to(torch.float8_e4m3fn), scales


torch.manual_seed(21)
config = tf.LlamaConfig(vocab_size=459, hidden_size=20, tie_word_embeddings=True, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1, intermediate_size=36,
                        head_dim=10, max_position_embeddings=16)
eight, twin = {}, {}
for name, tensor in tf.LlamaForCausalLM(config).state_dict().items():
    if name == "lm_head.weight":
        continue
    tensor = tensor.detach() * (1 + 3 * torch.rand(tensor.shape))
    if "proj" in name:
        eight[name], scales = packed(tensor)
        eight[f"{name}_scale_inv"] = scales
        twin[name] = (eight[name].float() * blocks(scales, tensor.shape)).bfloat16()
    else:
        eight[name] = twin[name] = tensor.bfloat16().clone()
shutil.rmtree(OUT, ignore_errors=True)
settings = json.loads(config.to_json_string())
packing = {"activation_scheme": "dynamic", "fmt": "e4m3", "quant_method": "fp8", "weight_block_size": list(BLOCK)}
for name, tensors in (("eight", eight), ("twin", twin)):
    (OUT / name).mkdir(parents=True)
    save_file(tensors, OUT / name / "model.safetensors")
    more = {"quantization_config": packing} if name == "eight" else {}
    (OUT / name / "config.json").write_text(json.dumps(settings | {"architectures": ["LlamaForCausalLM"]} | more, indent=1) + "\n")
