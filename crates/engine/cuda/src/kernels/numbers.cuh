// Numbers of three kinds, loaded and stored several at a time; sums over warps and blocks; activations.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef __nv_bfloat16 bf16;
typedef __half f16;

__device__ __forceinline__ float widen(float v) { return v; }
__device__ __forceinline__ float widen(f16 v) { return __half2float(v); }
__device__ __forceinline__ float widen(bf16 v) { return __bfloat162float(v); }
template <typename T> __device__ __forceinline__ T narrow(float v);
template <> __device__ __forceinline__ float narrow<float>(float v) { return v; }
template <> __device__ __forceinline__ f16 narrow<f16>(float v) { return __float2half_rn(v); }
template <> __device__ __forceinline__ bf16 narrow<bf16>(float v) { return __float2bfloat16_rn(v); }

template <typename T> struct alignas(4 * sizeof(T)) Four { T v[4]; };

template <typename T> __device__ __forceinline__ float4 load4(const T* from) {
    Four<T> four = *reinterpret_cast<const Four<T>*>(from);
    return make_float4(widen(four.v[0]), widen(four.v[1]), widen(four.v[2]), widen(four.v[3]));
}
template <typename T> __device__ __forceinline__ void store4(T* to, float4 v) {
    Four<T> four;
    four.v[0] = narrow<T>(v.x); four.v[1] = narrow<T>(v.y);
    four.v[2] = narrow<T>(v.z); four.v[3] = narrow<T>(v.w);
    *reinterpret_cast<Four<T>*>(to) = four;
}
__device__ __forceinline__ float4 plus(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__device__ __forceinline__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
    return v;
}
__device__ __forceinline__ float warp_max(float v) {
    for (int offset = 16; offset > 0; offset >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, offset));
    return v;
}
__device__ float block_sum(float v) {
    __shared__ float parts[33];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = (blockDim.x + 31) >> 5;
    v = warp_sum(v);
    __syncthreads();
    if (lane == 0) parts[warp] = v;
    __syncthreads();
    if (warp == 0) {
        float sum = warp_sum(lane < warps ? parts[lane] : 0.0f);
        if (lane == 0) parts[32] = sum;
    }
    __syncthreads();
    return parts[32];
}

// The sum of a warp's lanes where every lane wants it from lanes `width` apart only.
__device__ __forceinline__ float lanes_sum(float v, int width) {
    for (int offset = width >> 1; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
    return v;
}

// Numbers that an activation is given: the curve's bends (xielu), or a bound.
struct Bends { float above, below, beta, epsilon; };

// Beyond 20 the logarithm adds nothing, and e^x may be infinite.
__device__ __forceinline__ float softplus(float x) { return x > 20.0f ? x : log1pf(expf(x)); }

// Activations by number: 0 identity, 1 gelu, 2 gelu (tanh), 3 silu, 4 relu, 5 tanh, 6 relu squared, 7 xielu, 8 a bound on
// both sides, then those of cpu/curves.rs: 9 quick gelu, 10 gelu between -10 and 10, 11 hard swish, 12 laplace, 13 leaky relu,
// 14 mish, 15 relu to 6, 16 sigmoid, 17 the root of softplus.
__device__ __forceinline__ float activation(int kind, float x, Bends bends) {
    switch (kind) {
        case 1: return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
        case 2: {
            float inner = 0.79788456080286536f * (x + 0.044715f * x * x * x);
            return 0.5f * x * (1.0f + tanhf(inner));
        }
        case 3: return x / (1.0f + expf(-x));
        case 4: return fmaxf(x, 0.0f);
        case 5: return tanhf(x);
        case 6: return fmaxf(x, 0.0f) * fmaxf(x, 0.0f);
        case 7: {
            const float bend = x > 0.0f ? bends.above * x * x : bends.below * (expm1f(fminf(x, bends.epsilon)) - x);
            return bend + bends.beta * x;
        }
        case 8: return fminf(fmaxf(x, -bends.above), bends.above);
        case 9: return x / (1.0f + expf(-1.702f * x));
        case 10: {
            const float gelu = 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
            return fminf(fmaxf(gelu, -10.0f), 10.0f);
        }
        case 11: return x * fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f;
        case 12: return 0.5f * (1.0f + erff((x - 0.707107f) / (0.282095f * 1.41421356237309505f)));
        case 13: return fmaxf(x, 0.01f * x);
        case 14: return x * tanhf(softplus(x));
        case 15: return fminf(fmaxf(x, 0.0f), 6.0f);
        case 16: return 1.0f / (1.0f + expf(-x));
        case 17: return sqrtf(softplus(x));
        default: return x;
    }
}
__device__ __forceinline__ float4 activation4(int kind, float4 v, Bends bends) {
    return make_float4(activation(kind, v.x, bends), activation(kind, v.y, bends), activation(kind, v.z, bends),
                       activation(kind, v.w, bends));
}

// Which of the packed sentences a row belongs to: the last whose start is not beyond it.
__device__ __forceinline__ int sentence_of(const int* starts, int sentences, int row) {
    int low = 0, high = sentences;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (starts[middle] <= row) low = middle; else high = middle;
    }
    return low;
}

#define FOR_EACH_TYPE(MACRO) MACRO(float, f32) MACRO(f16, f16) MACRO(bf16, bf16)
