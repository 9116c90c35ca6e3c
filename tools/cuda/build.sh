#!/usr/bin/env bash
# Makes the PTX that the program carries from the kernels' source. Needs nvcc 13.0 (a CUDA toolkit, or the PyPI wheels
# nvidia-cuda-nvcc, -crt, -cccl, -runtime and nvidia-nvvm 13.0.*; name it with NVCC). Run after every change of the kernels.
set -euo pipefail
here=$(cd "$(dirname "$0")/../../crates/engine/cuda/src" && pwd)
"${NVCC:-nvcc}" -ptx -arch=compute_80 -O3 --fmad=true -std=c++17 -o "$here/kernels.ptx" "$here/kernels.cu"
# The compiler writes down when and where it ran; that is no business of anybody.
sed -i '/^\/\/ Cuda compilation tools/d;/^\/\/ Based on/d;/^\/\/ Compiler Build ID/d' "$here/kernels.ptx"
# Written for the newest tools, but in an old dialect: any driver for CUDA 12 takes it.
sed -i "s/^.version .*/.version 8.0/; /^[[:space:]]*\.pragma \"used_bytes_mask/d" "$here/kernels.ptx"
# What the driver would say, said here: where the assembler is beside the compiler.
assembler=$(dirname "$(command -v "${NVCC:-nvcc}")")/ptxas
[ ! -x "$assembler" ] || "$assembler" -arch=sm_80 "$here/kernels.ptx" -o /dev/null
cat "$here/kernels.cu" "$here"/kernels/*.cuh | sha256sum | cut -d' ' -f1 > "$here/kernels.sha256"
ls -l "$here/kernels.ptx"
