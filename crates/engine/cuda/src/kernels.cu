// The operations between matrix products, for sentences packed one after the other without padding.
//
// Every kernel exists for f32, f16 and bf16 activations; arithmetic is f32 throughout and the residual stream stays f32 in
// memory. Sums have a fixed order, so that a batch gives the same bits again. Compiled to PTX by tools/cuda/build.sh; the PTX
// beside this file is what the program carries.

#include "kernels/numbers.cuh"
#include "kernels/rows.cuh"
#include "kernels/attend.cuh"
#include "kernels/listed.cuh"
#include "kernels/grouped.cuh"
#include "kernels/logits.cuh"
#include "kernels/best.cuh"
#include "kernels/experts.cuh"
#include "kernels/spans.cuh"
#include "kernels/copies.cuh"
