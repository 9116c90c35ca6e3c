// The operations between matrix products, for sentences packed one after the other without padding.
//
// Every kernel exists for f32, f16 and bf16 activations; arithmetic is f32 throughout and the residual
// stream stays f32 in memory. Sums have a fixed order: no atomics, so that a batch gives the same bits
// again. Compiled to PTX by tools/cuda/build.sh; the PTX beside this file is what the program carries.

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

// Activations by number: 0 identity, 1 gelu, 2 gelu (tanh), 3 silu, 4 relu, 5 tanh.
__device__ __forceinline__ float activation(int kind, float x) {
    switch (kind) {
        case 1: return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
        case 2: {
            float inner = 0.79788456080286536f * (x + 0.044715f * x * x * x);
            return 0.5f * x * (1.0f + tanhf(inner));
        }
        case 3: return x / (1.0f + expf(-x));
        case 4: return fmaxf(x, 0.0f);
        case 5: return tanhf(x);
        default: return x;
    }
}

// One block a token: its row of the table, scaled, with its position's row and what every token gets.
template <typename T>
__device__ void embed(const T* table, const int* ids, const int* positions, const float* position_rows,
                      const float* constant, float scale, int width, float* out) {
    const long long token = blockIdx.x;
    const T* row = table + (long long)ids[token] * width;
    const float* position = position_rows ? position_rows + (long long)positions[token] * width : nullptr;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float v = widen(row[i]) * scale;
        if (position) v += position[i];
        if (constant) v += constant[i];
        out[token * width + i] = v;
    }
}

// One block a row: residual (may be null) + first + second (each with a bias, each may be null), then a
// norm (kind 0 none, 1 layer, 2 root mean square). `keep` says what goes back into the residual: 0
// nothing, 1 the sum, 2 the normed row. `out` may be null.
template <typename T>
__device__ void add_norm(float* residual, const T* first, const float* first_bias, const T* second,
                         const float* second_bias, const float* weight, const float* bias, float epsilon,
                         int kind, int width, int keep, T* out) {
    extern __shared__ float row[];
    const long long at = (long long)blockIdx.x * width;
    float sum = 0.0f;
    for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x) {
        float4 v = residual ? load4(residual + at + i) : make_float4(0, 0, 0, 0);
        if (first) v = plus(v, load4(first + at + i));
        if (first_bias) v = plus(v, load4(first_bias + i));
        if (second) v = plus(v, load4(second + at + i));
        if (second_bias) v = plus(v, load4(second_bias + i));
        store4(row + i, v);
        if (keep == 1) store4(residual + at + i, v);
        sum += kind == 2 ? v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w : v.x + v.y + v.z + v.w;
    }
    float mean = 0.0f, scale = 1.0f;
    if (kind == 2) {
        scale = rsqrtf(block_sum(sum) / width + epsilon);
    } else if (kind == 1) {
        mean = block_sum(sum) / width;
        float squares = 0.0f;
        for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x) {
            float4 v = load4(row + i);
            v.x -= mean; v.y -= mean; v.z -= mean; v.w -= mean;
            squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        }
        scale = rsqrtf(block_sum(squares) / width + epsilon);
    }
    for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x) {
        float4 v = load4(row + i);
        v.x = (v.x - mean) * scale; v.y = (v.y - mean) * scale;
        v.z = (v.z - mean) * scale; v.w = (v.w - mean) * scale;
        if (weight) {
            float4 w = load4(weight + i);
            v.x *= w.x; v.y *= w.y; v.z *= w.z; v.w *= w.w;
        }
        if (bias) v = plus(v, load4(bias + i));
        if (keep == 2) store4(residual + at + i, v);
        if (out) store4(out + at + i, v);
    }
}

// In place: bias, then the activation.
template <typename T>
__device__ void activate(T* values, const float* bias, int kind, int width, long long count) {
    for (long long i = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x); i < count;
         i += 4LL * gridDim.x * blockDim.x) {
        float4 v = load4(values + i);
        if (bias) v = plus(v, load4(bias + i % width));
        v.x = activation(kind, v.x); v.y = activation(kind, v.y);
        v.z = activation(kind, v.z); v.w = activation(kind, v.w);
        store4(values + i, v);
    }
}

// Rows of 2 x width: activation(first half) x second half.
template <typename T>
__device__ void gate(const T* values, const float* bias, int kind, int width, long long rows, T* out) {
    for (long long i = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x); i < rows * width;
         i += 4LL * gridDim.x * blockDim.x) {
        const long long row = i / width;
        const int column = i % width;
        const T* from = values + row * 2 * width + column;
        float4 g = load4(from), v = load4(from + width);
        if (bias) {
            g = plus(g, load4(bias + column));
            v = plus(v, load4(bias + width + column));
        }
        v.x *= activation(kind, g.x); v.y *= activation(kind, g.y);
        v.z *= activation(kind, g.z); v.w *= activation(kind, g.w);
        store4(out + i, v);
    }
}

// One block a row: every head of the row's first heads x size columns gets its bias, a norm of its own
// (0 none, 1 layer, 2 root mean square) and its turn.
template <typename T>
__device__ void turn(T* values, int stride, const float* bias, int heads, int size, const float* weight,
                     const float* norm_bias, float epsilon, int kind, const float* frequencies, int half,
                     float factor, const int* positions) {
    extern __shared__ float turns[];
    float* cosines = turns;
    float* sines = turns + half;
    float* rows = turns + 2 * half;
    const long long row = blockIdx.x;
    const float position = (float)positions[row];
    for (int i = threadIdx.x; i < half; i += blockDim.x) {
        float sine, cosine;
        sincosf(position * frequencies[i], &sine, &cosine);
        cosines[i] = cosine * factor;
        sines[i] = sine * factor;
    }
    __syncthreads();
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    float* own = rows + warp * size;
    for (int head = warp; head < heads; head += warps) {
        T* at = values + row * stride + head * size;
        float sum = 0.0f;
        for (int i = lane; i < size; i += 32) {
            float v = widen(at[i]);
            if (bias) v += bias[head * size + i];
            own[i] = v;
            sum += kind == 2 ? v * v : v;
        }
        __syncwarp();
        if (kind != 0) {
            float mean = 0.0f, scale;
            sum = warp_sum(sum);
            if (kind == 2) {
                scale = rsqrtf(sum / size + epsilon);
            } else {
                mean = sum / size;
                float squares = 0.0f;
                for (int i = lane; i < size; i += 32) squares += (own[i] - mean) * (own[i] - mean);
                scale = rsqrtf(warp_sum(squares) / size + epsilon);
            }
            for (int i = lane; i < size; i += 32) {
                float v = (own[i] - mean) * scale * weight[i];
                own[i] = norm_bias ? v + norm_bias[i] : v;
            }
            __syncwarp();
        }
        for (int i = lane; i < size; i += 32) {
            float v = own[i];
            if (i < half) v = v * cosines[i] - own[i + half] * sines[i];
            else if (i < 2 * half) v = v * cosines[i - half] + own[i - half] * sines[i - half];
            at[i] = narrow<T>(v);
        }
        __syncwarp();
    }
}

// One block (four warps) for a head of a sentence. Sixteen (or four, in long sentences) queries at a
// time: scores against tiles of 32 keys, softmax in shared memory, then the values. A lane owns a key of
// a tile, and columns of the output.
template <typename T, int ROWS>
__device__ void attend(const T* queries, int query_stride, const T* keys_values, int key_stride,
                       const float* query_bias, const float* key_bias, const float* value_bias,
                       const int* starts, const int* query_starts, const int* query_positions, int heads,
                       int key_heads, int size, float scale, int causal, int reach, float soft_cap,
                       const float* distances, int farthest, T* out, float* received, int tokens) {
    constexpr int WARPS = 4, TILE = 32, QUERIES = WARPS * ROWS;
    const int head = blockIdx.x, sentence = blockIdx.y;
    const int first = starts[sentence], length = starts[sentence + 1] - first;
    const int query_first = query_starts[sentence];
    const int query_count = query_starts[sentence + 1] - query_first;
    if (query_count == 0) return;
    const int key_head = head / (heads / key_heads);
    const int padded = (length + TILE - 1) / TILE * TILE;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    extern __shared__ float shared[];
    float* query = shared;                            // QUERIES x size
    float* tile = query + QUERIES * size;             // TILE x (size + 1), or TILE x size
    float* scores = tile + TILE * (size + 1);         // QUERIES x padded
    const int quarter = size / 4, columns = (size + 31) / 32;
    const T* keys = keys_values + (long long)first * key_stride + key_head * size;
    const T* values = keys + key_heads * size;
    for (int start = 0; start < query_count; start += QUERIES) {
        __syncthreads();
        for (int i = threadIdx.x; i < QUERIES * quarter; i += blockDim.x) {
            const int row = i / quarter, column = 4 * (i % quarter);
            float4 v = make_float4(0, 0, 0, 0);
            if (start + row < query_count) {
                v = load4(queries + (long long)(query_first + start + row) * query_stride + head * size + column);
                if (query_bias) v = plus(v, load4(query_bias + head * size + column));
                v.x *= scale; v.y *= scale; v.z *= scale; v.w *= scale;
            }
            store4(query + row * size + column, v);
        }
        for (int key = 0; key < length; key += TILE) {
            __syncthreads();
            for (int i = threadIdx.x; i < TILE * quarter; i += blockDim.x) {
                const int row = i / quarter, column = 4 * (i % quarter);
                float4 v = make_float4(0, 0, 0, 0);
                if (key + row < length) {
                    v = load4(keys + (long long)(key + row) * key_stride + column);
                    if (key_bias) v = plus(v, load4(key_bias + key_head * size + column));
                }
                float* to = tile + row * (size + 1) + column;
                to[0] = v.x; to[1] = v.y; to[2] = v.z; to[3] = v.w;
            }
            __syncthreads();
            float sums[ROWS];
            for (int r = 0; r < ROWS; r++) sums[r] = 0.0f;
            const float* own = tile + lane * (size + 1);
            for (int i = 0; i < size; i += 4) {
                const float a = own[i], b = own[i + 1], c = own[i + 2], d = own[i + 3];
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    const float4 q = *reinterpret_cast<const float4*>(query + (warp * ROWS + r) * size + i);
                    sums[r] += q.x * a + q.y * b + q.z * c + q.w * d;
                }
            }
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const int row = warp * ROWS + r, at = key + lane;
                float score = -INFINITY;
                if (start + row < query_count && at < length) {
                    const int position = query_positions[query_first + start + row];
                    const int distance = position - at;
                    bool seen = !(causal && distance < 0);
                    if (reach >= 0 && (distance > reach || -distance > reach)) seen = false;
                    if (seen) {
                        score = sums[r];
                        if (distances) {
                            const int near = max(-farthest, min(distance, farthest));
                            score += distances[(long long)(near + farthest) * heads + head];
                        }
                        if (soft_cap > 0.0f) score = soft_cap * tanhf(score / soft_cap);
                    }
                }
                scores[row * padded + at] = score;
            }
        }
        __syncwarp();
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int row = warp * ROWS + r;
            float* own = scores + row * padded;
            if (start + row >= query_count) {
                for (int i = lane; i < padded; i += 32) own[i] = 0.0f;
                continue;
            }
            float peak = -INFINITY;
            for (int i = lane; i < padded; i += 32) peak = fmaxf(peak, own[i]);
            peak = warp_max(peak);
            float sum = 0.0f;
            for (int i = lane; i < padded; i += 32) {
                const float p = expf(own[i] - peak);
                own[i] = p;
                sum += p;
            }
            const float share = 1.0f / warp_sum(sum);
            for (int i = lane; i < padded; i += 32) own[i] *= share;
        }
        __syncthreads();
        if (received) {
            for (int i = threadIdx.x; i < length; i += blockDim.x) {
                float sum = 0.0f;
                for (int row = 0; row < QUERIES; row++) sum += scores[row * padded + i];
                received[(long long)head * tokens + first + i] += sum;
            }
        }
        float mixed[ROWS][8];
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < 8; c++) mixed[r][c] = 0.0f;
        for (int key = 0; key < length; key += TILE) {
            __syncthreads();
            for (int i = threadIdx.x; i < TILE * quarter; i += blockDim.x) {
                const int row = i / quarter, column = 4 * (i % quarter);
                if (key + row < length) {
                    float4 v = load4(values + (long long)(key + row) * key_stride + column);
                    if (value_bias) v = plus(v, load4(value_bias + key_head * size + column));
                    store4(tile + row * size + column, v);
                }
            }
            __syncthreads();
            const int count = min(TILE, length - key);
            for (int i = 0; i < count; i++) {
                float p[ROWS];
#pragma unroll
                for (int r = 0; r < ROWS; r++) p[r] = scores[(warp * ROWS + r) * padded + key + i];
#pragma unroll
                for (int c = 0; c < 8; c++) {
                    if (c < columns) {
                        const int column = lane + 32 * c;
                        const float v = column < size ? tile[i * size + column] : 0.0f;
#pragma unroll
                        for (int r = 0; r < ROWS; r++) mixed[r][c] += p[r] * v;
                    }
                }
            }
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const int row = start + warp * ROWS + r;
            if (row < query_count) {
#pragma unroll
                for (int c = 0; c < 8; c++) {
                    const int column = lane + 32 * c;
                    if (column < size)
                        out[(long long)(query_first + row) * heads * size + head * size + column] =
                            narrow<T>(mixed[r][c]);
                }
            }
        }
    }
}

// One warp a pair: the logit of a token at a row.
template <typename T>
__device__ void logits(const float* rows, const T* decoder, const float* bias, float soft_cap, int width,
                       const int* pair_rows, const int* pair_tokens, int pairs, float* out) {
    const int pair = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    if (pair >= pairs) return;
    const int token = pair_tokens[pair];
    const float* row = rows + (long long)pair_rows[pair] * width;
    const T* weights = decoder + (long long)token * width;
    float sum = 0.0f;
    for (int i = 4 * lane; i < width; i += 128) {
        const float4 a = load4(row + i), b = load4(weights + i);
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    sum = warp_sum(sum);
    if (lane == 0) {
        if (bias) sum += bias[token];
        out[pair] = soft_cap > 0.0f ? soft_cap * tanhf(sum / soft_cap) : sum;
    }
}

// Sixteen bytes of numbers.
template <typename T> struct alignas(16) Wide { T v[16 / sizeof(T)]; };

// One block (four warps) a row: a query over keys and values that lie where a list says, for texts that are being
// written and share what they have in common. Row r sees `lengths[r]` rows from `firsts[r]` of the list on. `distances`
// (may be null) has a row of numbers for the heads for each distance from -farthest to farthest.
template <typename T>
__device__ void attend_listed(const T* queries, int query_stride, const T* keys_values, int key_stride,
                              const int* firsts, const int* lengths, const int* list, int heads, int key_heads,
                              int size, float scale, int reach, float soft_cap, const float* distances,
                              int farthest, int longest, T* out) {
    extern __shared__ float shared[];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float* query = shared + warp * size;
    float* scores = shared + 4 * size + warp * longest;
    const long long row = blockIdx.x;
    const int skipped = reach >= 0 ? max(0, lengths[row] - 1 - reach) : 0;
    const int count = lengths[row] - skipped;
    const int* rows = list + firsts[row] + skipped;
    const int quarter = size / 4;
    const bool wide = sizeof(T) == 2 && size % 8 == 0;
    const bool grouped = quarter <= 32 && (quarter & (quarter - 1)) == 0;
    for (int head = warp; head < heads; head += 4) {
        const int key_head = head / (heads / key_heads);
        __syncwarp();
        for (int i = lane; i < size; i += 32)
            query[i] = widen(queries[row * query_stride + head * size + i]) * scale;
        __syncwarp();
        float peak = -INFINITY;
        for (int key = lane; key < count; key += 32) {
            const T* at = keys_values + (long long)rows[key] * key_stride + key_head * size;
            float sum = 0.0f;
            if (wide) {
                for (int i = 0; i < size; i += 16 / sizeof(T)) {
                    const Wide<T> k = *reinterpret_cast<const Wide<T>*>(at + i);
#pragma unroll
                    for (int j = 0; j < 16 / (int)sizeof(T); j++) sum += query[i + j] * widen(k.v[j]);
                }
            } else {
                for (int i = 0; i < size; i += 4) {
                    const float4 k = load4(at + i);
                    sum += query[i] * k.x + query[i + 1] * k.y + query[i + 2] * k.z + query[i + 3] * k.w;
                }
            }
            if (distances) sum += distances[(long long)(min(count - 1 - key, farthest) + farthest) * heads + head];
            if (soft_cap > 0.0f) sum = soft_cap * tanhf(sum / soft_cap);
            scores[key] = sum;
            peak = fmaxf(peak, sum);
        }
        peak = warp_max(peak);
        float sum = 0.0f;
        for (int key = lane; key < count; key += 32) {
            const float p = expf(scores[key] - peak);
            scores[key] = p;
            sum += p;
        }
        const float share = 1.0f / warp_sum(sum);
        __syncwarp();
        const T* values = keys_values + (key_heads + key_head) * size;
        T* to = out + row * heads * size + head * size;
        if (grouped) {
            // A lane has four columns; where heads are narrow, several keys are mixed at once.
            const int groups = 32 / quarter, group = lane / quarter, column = 4 * (lane % quarter);
            float4 mixed = make_float4(0, 0, 0, 0);
#pragma unroll 4
            for (int key = group; key < count; key += groups) {
                const float p = scores[key];
                const float4 v = load4(values + (long long)rows[key] * key_stride + column);
                mixed.x += p * v.x; mixed.y += p * v.y; mixed.z += p * v.z; mixed.w += p * v.w;
            }
            for (int offset = quarter; offset < 32; offset <<= 1) {
                mixed.x += __shfl_xor_sync(0xffffffff, mixed.x, offset);
                mixed.y += __shfl_xor_sync(0xffffffff, mixed.y, offset);
                mixed.z += __shfl_xor_sync(0xffffffff, mixed.z, offset);
                mixed.w += __shfl_xor_sync(0xffffffff, mixed.w, offset);
            }
            mixed.x *= share; mixed.y *= share; mixed.z *= share; mixed.w *= share;
            if (group == 0) store4(to + column, mixed);
        } else {
            for (int i = lane; i < size; i += 32) {
                float mixed = 0.0f;
                for (int key = 0; key < count; key++)
                    mixed += scores[key] * widen(values[(long long)rows[key] * key_stride + i]);
                to[i] = narrow<T>(mixed * share);
            }
        }
    }
}

#define FOR_TYPE(T, NAME)                                                                                      \
    extern "C" __global__ void embed_##NAME(const T* table, const int* ids, const int* positions,             \
                                            const float* position_rows, const float* constant, float scale,   \
                                            int width, float* out) {                                           \
        embed<T>(table, ids, positions, position_rows, constant, scale, width, out);                           \
    }                                                                                                          \
    extern "C" __global__ void add_norm_##NAME(float* residual, const T* first, const float* first_bias,      \
                                               const T* second, const float* second_bias,                     \
                                               const float* weight, const float* bias, float epsilon,         \
                                               int kind, int width, int keep, T* out) {                       \
        add_norm<T>(residual, first, first_bias, second, second_bias, weight, bias, epsilon, kind, width,     \
                    keep, out);                                                                                \
    }                                                                                                          \
    extern "C" __global__ void activate_##NAME(T* values, const float* bias, int kind, int width,             \
                                               long long count) {                                              \
        activate<T>(values, bias, kind, width, count);                                                         \
    }                                                                                                          \
    extern "C" __global__ void gate_##NAME(const T* values, const float* bias, int kind, int width,           \
                                           long long rows, T* out) {                                           \
        gate<T>(values, bias, kind, width, rows, out);                                                         \
    }                                                                                                          \
    extern "C" __global__ void turn_##NAME(T* values, int stride, const float* bias, int heads, int size,     \
                                           const float* weight, const float* norm_bias, float epsilon,        \
                                           int kind, const float* frequencies, int half, float factor,        \
                                           const int* positions) {                                             \
        turn<T>(values, stride, bias, heads, size, weight, norm_bias, epsilon, kind, frequencies, half,       \
                factor, positions);                                                                            \
    }                                                                                                          \
    extern "C" __global__ void __launch_bounds__(128)                                                          \
        attend_##NAME(const T* queries, int query_stride, const T* keys_values, int key_stride,               \
                      const float* query_bias, const float* key_bias, const float* value_bias,                \
                      const int* starts, const int* query_starts, const int* query_positions, int heads,      \
                      int key_heads, int size, float scale, int causal, int reach, float soft_cap,            \
                      const float* distances, int farthest, T* out, float* received, int tokens) {             \
        attend<T, 4>(queries, query_stride, keys_values, key_stride, query_bias, key_bias, value_bias,        \
                     starts, query_starts, query_positions, heads, key_heads, size, scale, causal, reach,     \
                     soft_cap, distances, farthest, out, received, tokens);                                    \
    }                                                                                                          \
    extern "C" __global__ void __launch_bounds__(128)                                                          \
        attend_long_##NAME(const T* queries, int query_stride, const T* keys_values, int key_stride,          \
                           const float* query_bias, const float* key_bias, const float* value_bias,           \
                           const int* starts, const int* query_starts, const int* query_positions,            \
                           int heads, int key_heads, int size, float scale, int causal, int reach,            \
                           float soft_cap, const float* distances, int farthest, T* out, float* received,     \
                           int tokens) {                                                                       \
        attend<T, 1>(queries, query_stride, keys_values, key_stride, query_bias, key_bias, value_bias,        \
                     starts, query_starts, query_positions, heads, key_heads, size, scale, causal, reach,     \
                     soft_cap, distances, farthest, out, received, tokens);                                    \
    }                                                                                                          \
    extern "C" __global__ void __launch_bounds__(128)                                                          \
        attend_listed_##NAME(const T* queries, int query_stride, const T* keys_values, int key_stride,        \
                             const int* firsts, const int* lengths, const int* list, int heads,               \
                             int key_heads, int size, float scale, int reach, float soft_cap,                 \
                             const float* distances, int farthest, int longest, T* out) {                      \
        attend_listed<T>(queries, query_stride, keys_values, key_stride, firsts, lengths, list, heads,        \
                         key_heads, size, scale, reach, soft_cap, distances, farthest, longest, out);          \
    }                                                                                                          \
    extern "C" __global__ void scatter_##NAME(const T* from, int stride, int first, const int* rows,          \
                                              int width, T* to) {                                              \
        const long long row = blockIdx.x;                                                                      \
        for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x)                                         \
            store4(to + (long long)rows[row] * width + i, load4(from + row * stride + first + i));             \
    }                                                                                                          \
    extern "C" __global__ void logits_##NAME(const float* rows, const T* decoder, const float* bias,          \
                                             float soft_cap, int width, const int* pair_rows,                 \
                                             const int* pair_tokens, int pairs, float* out) {                  \
        logits<T>(rows, decoder, bias, soft_cap, width, pair_rows, pair_tokens, pairs, out);                   \
    }                                                                                                          \
    extern "C" __global__ void narrow_##NAME(const float* from, long long count, T* to) {                     \
        for (long long i = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x); i < count;                 \
             i += 4LL * gridDim.x * blockDim.x)                                                                \
            store4(to + i, load4(from + i));                                                                   \
    }                                                                                                          \
    extern "C" __global__ void gather_##NAME(const T* from, const int* rows, int width, T* to) {              \
        const long long row = blockIdx.x;                                                                      \
        for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x)                                         \
            store4(to + row * width + i, load4(from + (long long)rows[row] * width + i));                      \
    }

FOR_TYPE(float, f32)
FOR_TYPE(f16, f16)
FOR_TYPE(bf16, bf16)

// Attention received: the heads' sums, head by head, onto what earlier layers gave.
extern "C" __global__ void sum_heads(const float* by_head, int heads, int tokens, double* received) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < tokens; i += gridDim.x * blockDim.x) {
        double sum = 0.0;
        for (int head = 0; head < heads; head++) sum += by_head[(long long)head * tokens + i];
        received[i] += sum;
    }
}

// One block a row: folds a chunk of logits into the running peak and sum of exponentials.
extern "C" __global__ void fold_logits(const float* chunk, int columns, int first, const float* bias,
                                       float soft_cap, float* peaks, double* sums) {
    __shared__ float parts[32];
    __shared__ float shared_peak;
    const long long row = blockIdx.x;
    const float* values = chunk + row * columns;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    auto value = [&](int i) {
        float v = values[i];
        if (bias) v += bias[first + i];
        return soft_cap > 0.0f ? soft_cap * tanhf(v / soft_cap) : v;
    };
    float peak = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) peak = fmaxf(peak, value(i));
    peak = warp_max(peak);
    if (lane == 0) parts[warp] = peak;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < warps; i++) peak = fmaxf(peak, parts[i]);
        shared_peak = fmaxf(peak, peaks[row]);
    }
    __syncthreads();
    peak = shared_peak;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(value(i) - peak);
    sum = warp_sum(sum);
    __syncthreads();
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        double total = sums[row] * exp((double)peaks[row] - (double)peak);
        for (int i = 0; i < warps; i++) total += parts[i];
        sums[row] = total;
        peaks[row] = peak;
    }
}

// Peaks and sums before the first chunk; log-normalisers after the last.
extern "C" __global__ void start_fold(float* peaks, double* sums, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        peaks[row] = -1e30f;
        sums[row] = 0.0;
    }
}
extern "C" __global__ void finish_fold(const float* peaks, const double* sums, int rows, double* out) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) out[row] = (double)peaks[row] + log(sums[row]);
}

// What a product with the vocabulary becomes: scaled, with its bias, within its bounds.
__device__ __forceinline__ float finished(float v, int token, const float* bias, float factor, float soft_cap) {
    v *= factor;
    if (bias) v += bias[token];
    return soft_cap > 0.0f ? soft_cap * tanhf(v / soft_cap) : v;
}

// One block (eight warps) a row: its best tokens, the best first and equals by their number, and its normaliser. Tokens
// `starts[row]..middles[row]` of `ruled` are forbidden, those to `starts[row + 1]` penalised; `aside` is as long as `ruled`.
// A thread keeps the best K it sees; K = 0 sweeps once for every token wanted.
template <int K>
__device__ void best_tokens(float* logits, int columns, const float* bias, float factor, float soft_cap,
                            const int* starts, const int* middles, const int* ruled, float* aside, float penalty,
                            int greedy, int renormalize, int wanted, float* values, int* tokens,
                            double* normalisers) {
    constexpr int WARPS = 8, KEPT = K > 0 ? K : 1;
    __shared__ float warp_values[WARPS];
    __shared__ int warp_tokens[WARPS];
    __shared__ double warp_sums[WARPS];
    __shared__ float best_value;
    __shared__ int best_token;
    __shared__ double normaliser;
    const long long row = blockIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float* own = logits + row * columns;
    float* row_values = values + row * wanted;
    int* row_tokens = tokens + row * wanted;
    const int first = starts[row], middle = middles[row], end = starts[row + 1];
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        aside[i] = finished(own[ruled[i]], ruled[i], bias, factor, soft_cap);
    __syncthreads();
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) own[ruled[i]] = -INFINITY;
    __syncthreads();

    float peak = -INFINITY, sum = 0.0f;
    float kept_values[KEPT];
    int kept_tokens[KEPT];
#pragma unroll
    for (int j = 0; j < KEPT; j++) {
        kept_values[j] = -INFINITY;
        kept_tokens[j] = 0x7fffffff;
    }
    for (int base = threadIdx.x; base < columns; base += 4 * blockDim.x) {
        float four[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = base + j * blockDim.x;
            four[j] = i < columns ? own[i] : -INFINITY;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            if (four[j] == -INFINITY) continue;
            const int i = base + j * blockDim.x;
            const float v = finished(four[j], i, bias, factor, soft_cap);
            if (v > peak) {
                sum = sum * expf(peak - v) + 1.0f;
                peak = v;
            } else {
                sum += expf(v - peak);
            }
            if (K > 0 && v > kept_values[KEPT - 1]) {
                kept_values[KEPT - 1] = v;
                kept_tokens[KEPT - 1] = i;
#pragma unroll
                for (int k = KEPT - 1; k > 0; k--) {
                    if (kept_values[k] > kept_values[k - 1]) {
                        const float value = kept_values[k];
                        const int token = kept_tokens[k];
                        kept_values[k] = kept_values[k - 1];
                        kept_tokens[k] = kept_tokens[k - 1];
                        kept_values[k - 1] = value;
                        kept_tokens[k - 1] = token;
                    }
                }
            }
        }
    }
    // The normaliser: sums of threads in a fixed order.
    float highest = warp_max(peak);
    if (lane == 0) warp_values[warp] = highest;
    __syncthreads();
    highest = warp_values[0];
    for (int i = 1; i < WARPS; i++) highest = fmaxf(highest, warp_values[i]);
    if (!renormalize)
        for (int i = first; i < end; i++) highest = fmaxf(highest, aside[i]);
    double total = sum > 0.0f ? (double)sum * exp((double)peak - (double)highest) : 0.0;
    for (int offset = 16; offset > 0; offset >>= 1) total += __shfl_xor_sync(0xffffffff, total, offset);
    if (lane == 0) warp_sums[warp] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
        total = 0.0;
        for (int i = 0; i < WARPS; i++) total += warp_sums[i];
        if (!renormalize)
            for (int i = first; i < end; i++) total += exp((double)aside[i] - (double)highest);
        normaliser = (double)highest + log(total);
        normalisers[row] = normaliser;
    }
    __syncthreads();

    // The best of all threads, one after the other.
    float last_value = INFINITY;
    int last_token = -1;
    for (int rank = 0; rank < wanted; rank++) {
        float value = kept_values[0];
        int token = kept_tokens[0];
        if (K == 0) {
            value = -INFINITY;
            token = 0x7fffffff;
            for (int i = threadIdx.x; i < columns; i += blockDim.x) {
                if (own[i] == -INFINITY) continue;
                const float v = finished(own[i], i, bias, factor, soft_cap);
                const bool later = v < last_value || (v == last_value && i > last_token);
                if (later && v > value) {
                    value = v;
                    token = i;
                }
            }
        }
        const float own_value = value;
        const int own_token = token;
        for (int offset = 16; offset > 0; offset >>= 1) {
            const float v = __shfl_xor_sync(0xffffffff, value, offset);
            const int t = __shfl_xor_sync(0xffffffff, token, offset);
            if (v > value || (v == value && t < token)) {
                value = v;
                token = t;
            }
        }
        if (lane == 0) {
            warp_values[warp] = value;
            warp_tokens[warp] = token;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < WARPS; i++) {
                const float v = warp_values[i];
                const int t = warp_tokens[i];
                if (v > value || (v == value && t < token)) {
                    value = v;
                    token = t;
                }
            }
            best_value = value;
            best_token = token;
            row_values[rank] = value;
            row_tokens[rank] = value == -INFINITY ? -1 : token;
        }
        __syncthreads();
        last_value = best_value;
        last_token = best_token;
        if (K > 0 && own_token == last_token && own_value == last_value && own_value != -INFINITY) {
#pragma unroll
            for (int k = 0; k + 1 < KEPT; k++) {
                kept_values[k] = kept_values[k + 1];
                kept_tokens[k] = kept_tokens[k + 1];
            }
            kept_values[KEPT - 1] = -INFINITY;
            kept_tokens[KEPT - 1] = 0x7fffffff;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const float shift = greedy ? 0.0f : (float)normaliser;
        for (int i = middle; i < end; i++) {
            float score = aside[i] - shift;
            score = (score < 0.0f ? score * penalty : score / penalty) + shift;
            if (!(score > row_values[wanted - 1])) continue;
            int place = wanted - 1;
            while (place > 0 && score > row_values[place - 1]) {
                row_values[place] = row_values[place - 1];
                row_tokens[place] = row_tokens[place - 1];
                place--;
            }
            row_values[place] = score;
            row_tokens[place] = ruled[i];
        }
        for (int rank = 0; rank < wanted; rank++) row_values[rank] -= (float)normaliser;
    }
}

#define BEST_TOKENS(NAME, K)                                                                                   \
    extern "C" __global__ void __launch_bounds__(256)                                                          \
        best_tokens_##NAME(float* logits, int columns, const float* bias, float factor, float soft_cap,       \
                           const int* starts, const int* middles, const int* ruled, float* aside,             \
                           float penalty, int greedy, int renormalize, int wanted, float* values,             \
                           int* tokens, double* normalisers) {                                                 \
        best_tokens<K>(logits, columns, bias, factor, soft_cap, starts, middles, ruled, aside, penalty,       \
                       greedy, renormalize, wanted, values, tokens, normalisers);                              \
    }

BEST_TOKENS(one, 1)
BEST_TOKENS(few, 16)
BEST_TOKENS(any, 0)

// Logits of (row, token) pairs out of those of the whole vocabulary.
extern "C" __global__ void pick_logits(const float* logits, int columns, const float* bias, float factor,
                                       float soft_cap, const int* rows, const int* tokens, int count, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = finished(logits[(long long)rows[i] * columns + tokens[i]], tokens[i], bias, factor, soft_cap);
}
