#!/usr/bin/env python3
"""What `transformers` computes for the activations that few models have; the judge of `crates/engine/kernels/src/curves.rs`.

    python tools/reference/activations.py > crates/engine/kernels/tests/golden/activations.tsv      # transformers 5.22.2
"""
import torch
from transformers.activations import ACT2FN

AT = torch.tensor([-12.0, -3.5, -0.7, 0.0, 0.4, 2.3, 25.0])
print("# ACT2FN at " + ", ".join(str(x) for x in AT.tolist()))
for name in ["quick_gelu", "gelu_10", "hardswish", "laplace", "leaky_relu", "mish", "relu6", "sigmoid", "sqrtsoftplus"]:
    print(name, *(f"{value:.9g}" for value in ACT2FN[name](AT).tolist()), sep="\t")
