#!/usr/bin/env python3
"""A quantised GGUF with its weights widened to 32 bits, exactly: widen_gguf.py IN.gguf OUT.gguf

llama.cpp multiplies quantised weights with activations that it rounds to 8 bits; with wide weights it does not, and the
same weights give the same probabilities everywhere.
"""
import sys

import gguf
import numpy as np


def main(source, target):
    reader = gguf.GGUFReader(source)
    fields = reader.fields
    writer = gguf.GGUFWriter(target, bytes(fields["general.architecture"].parts[-1]).decode())
    for name, field in fields.items():
        if name.startswith("GGUF.") or name in ("general.architecture", "general.file_type"):
            continue
        kind, *inner = field.types
        value = field.contents()
        if kind == gguf.GGUFValueType.ARRAY:
            writer.add_array(name, value)
        else:
            writer.add_key_value(name, value, kind)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    for tensor in reader.tensors:
        values = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        writer.add_tensor(tensor.name, values.reshape(tuple(reversed([int(n) for n in tensor.shape]))))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main(*sys.argv[1:])
