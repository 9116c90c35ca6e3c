#!/usr/bin/env python3
"""Writes a GGUF file with the same numbers in 32 bits.

    venv/bin/python tools/reference/gguf_widen.py MODEL.gguf OUT.gguf

With quantised weights llama.cpp also rounds activations to 8 bits before each product, so its scores of such
a file are noisy themselves. On the widened file it computes in floating point: what is left then between its
scores and ours is a difference between engines, not between arithmetics.
"""

import sys

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import GGUFValueType as ValueType


def main(source, target):
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(target, reader.fields["general.architecture"].contents())
    for key, field in reader.fields.items():
        if key == "general.architecture" or key.startswith("GGUF."):
            continue
        inner = field.types[-1] if field.types[0] == ValueType.ARRAY else None
        writer.add_key_value(key, field.contents(), field.types[0], sub_type=inner)
    for tensor in reader.tensors:
        shape = [int(size) for size in reversed(tensor.shape)]
        writer.add_tensor_info(tensor.name, shape, np.dtype(np.float32), int(np.prod(shape)) * 4, raw_dtype=Type.F32)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in reader.tensors:
        wide = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        writer.write_tensor_data(np.ascontiguousarray(wide))
    writer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
