#!/usr/bin/env python3
"""The types of llama.cpp with fewest bits: the grids that some of them choose from, and random blocks of each with their numbers
as the `gguf` package unpacks them.

    pip install numpy gguf
    python tools/reference/gguf_small_types.py crates

writes src/gguf/grids.bin (signed bytes: IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ1_S, row by row) and
tests/gguf/golden/small-types.gguf with small-types.f32. Seed: 21.
"""
import sys
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type, quants

ROOT = Path(sys.argv[1])
COLUMNS = 512
# Where the 16-bit scales lie in a block.
SCALES = {
    Type.Q2_K: [80, 82], Type.Q3_K: [108], Type.IQ2_XXS: [0], Type.IQ2_XS: [0], Type.IQ2_S: [0], Type.IQ3_XXS: [0], Type.IQ3_S: [0],
    Type.IQ1_S: [0], Type.IQ1_M: [], Type.IQ4_NL: [0], Type.IQ4_XS: [0], Type.TQ1_0: [52], Type.TQ2_0: [64], Type.MXFP4: [],
}


def grids():
    parts = []
    for kind in (quants.IQ2_XXS, quants.IQ2_XS, quants.IQ2_S, quants.IQ3_XXS, quants.IQ3_S, quants.IQ1_S):
        kind.init_grid()
        parts.append(kind.grid.reshape(-1).astype(np.int8))
    signs = np.frombuffer(quants.IQ2_XXS.ksigns, dtype=np.uint8)
    assert all(sign == index | (bin(index).count("1") % 2) << 7 for index, sign in enumerate(signs)), "the eighth sign is no parity"
    np.concatenate(parts).tofile(ROOT / "engine/checkpoint/src/gguf/grids.bin")


def main():
    grids()
    rng = np.random.default_rng(21)
    folder = ROOT / "engine/engine/tests/gguf/golden"
    writer = gguf.GGUFWriter(folder / "small-types.gguf", "none")
    expected = []
    for kind, places in SCALES.items():
        block, size = gguf.GGML_QUANT_SIZES[kind]
        count = COLUMNS // block
        raw = rng.integers(0, 256, (count, size), dtype=np.uint8)
        for at in places:
            raw[:, at:at + 2] = rng.normal(0, 0.1, count).astype(np.float16).view(np.uint8).reshape(count, 2)
        if kind == Type.IQ1_M:  # the scale is spread over the upper halves of four bytes
            scale = rng.normal(0, 0.1, count).astype(np.float16).view(np.uint16)
            for part in range(4):
                raw[:, 49 + 2 * part] = raw[:, 49 + 2 * part] & 0x0F | ((scale >> (4 * part)) & 0xF).astype(np.uint8) << 4
        if kind == Type.MXFP4:
            raw[:, 0] = rng.integers(110, 140, count)
            raw[:3, 0] = [0, 1, 2]
        raw = raw.reshape(1, -1)
        writer.add_tensor(kind.name, raw, raw_dtype=kind)
        expected.append(quants.dequantize(raw, kind).astype("<f4").reshape(-1))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    np.concatenate(expected).tofile(folder / "small-types.f32")
    print("gguf", gguf.__file__ and __import__("importlib.metadata").metadata.version("gguf"), len(expected), "types")


main()
