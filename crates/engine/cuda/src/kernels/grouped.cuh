// Attention of single queries where several heads share keys and values, in sixteen bits: scores by the matrix units.
//
// One warp for a row and a key head. Its query heads are the rows of a matrix of sixteen, eight keys at a time the columns of
// another. Which feature stands at which place of a product does not matter as long as both sides agree: a lane takes eight
// features of a key that lie side by side.

#ifndef EMULATED
__device__ __forceinline__ void multiply_16x8(float (&sums)[4], unsigned a0, unsigned a2, unsigned b0, unsigned b1, bf16) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a0), "r"(0u), "r"(a2), "r"(0u), "r"(b0), "r"(b1));
}
__device__ __forceinline__ void multiply_16x8(float (&sums)[4], unsigned a0, unsigned a2, unsigned b0, unsigned b1, f16) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a0), "r"(0u), "r"(a2), "r"(0u), "r"(b0), "r"(b1));
}
#endif

struct alignas(16) Words { unsigned v[4]; };

// HEADS is at least the number of query heads of a key head; heads have 32, 64, 96 or 128 features. Keys and values are read
// once, a chunk after the other; what was summed shrinks as the peak grows.
template <typename T, int HEADS>
__device__ void attend_grouped(const T* queries, int query_stride, const T* keys_values, int key_stride,
                               const int* firsts, const int* lengths, const int* list, int rows, int heads,
                               int key_heads, int size, float scale, int reach, float soft_cap, const float* distances,
                               int farthest, const float* slopes, float rounded, const float* sinks, T* out) {
    constexpr int BLOCKS = 4, TILES = 2, AHEAD = 8, CHUNK = 64, WARPS = 4;
    __shared__ float all_shares[WARPS * CHUNK * HEADS];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const long long item = (long long)blockIdx.x * WARPS + warp;
    if (item >= (long long)rows * key_heads) return;
    const int key_head = item % key_heads, share = heads / key_heads;
    const long long row = item / key_heads;
    float* shares = all_shares + warp * CHUNK * HEADS;
    const int skipped = reach >= 0 ? max(0, lengths[row] - 1 - reach) : 0;
    const int count = lengths[row] - skipped;
    const int* named = list + firsts[row] + skipped;
    const int own = lane >> 2, part = lane & 3, blocks = size / 32;

    // Eight features of a head, of which each lane has its own; heads that are not there are zero.
    Words query[BLOCKS];
#pragma unroll
    for (int b = 0; b < BLOCKS; b++) {
        const T* from = queries + row * query_stride + (key_head * share + own) * size + b * 32 + part * 8;
        query[b] = own < share && b < blocks ? *reinterpret_cast<const Words*>(from) : Words{{0, 0, 0, 0}};
    }
    const int head = key_head * share + min(own, share - 1);
    // A lane has four features of the values; where heads are narrow, other lanes have other keys.
    int lanes = 8;
    while (4 * lanes < size) lanes <<= 1;
    const int groups = 32 / lanes, group = lane / lanes, column = 4 * (lane % lanes);
    const T* keys = keys_values + key_head * size + part * 8;
    const T* values = keys_values + (key_heads + key_head) * size + min(column, size - 4);

    float peaks[HEADS], totals[HEADS];
    float4 mixed[HEADS];
#pragma unroll
    for (int h = 0; h < HEADS; h++) {
        peaks[h] = -INFINITY;
        totals[h] = 0.0f;
        mixed[h] = make_float4(0, 0, 0, 0);
    }
    for (int start = 0; start < count; start += CHUNK) {
        const int chunk = min(CHUNK, count - start);
        for (int base = 0; base < chunk; base += 8 * TILES) {
            Words key[TILES][BLOCKS];
#pragma unroll
            for (int tile = 0; tile < TILES; tile++) {
                const int place = start + min(base + 8 * tile + own, chunk - 1);
                const T* at = keys + (long long)named[place] * key_stride;
#pragma unroll
                for (int b = 0; b < BLOCKS; b++)
                    if (b < blocks) key[tile][b] = *reinterpret_cast<const Words*>(at + b * 32);
            }
#pragma unroll
            for (int tile = 0; tile < TILES; tile++) {
                float sums[4] = {0, 0, 0, 0};
#pragma unroll
                for (int b = 0; b < BLOCKS; b++) {
                    if (b < blocks) {
                        multiply_16x8(sums, query[b].v[0], query[b].v[1], key[tile][b].v[0], key[tile][b].v[1], T());
                        multiply_16x8(sums, query[b].v[2], query[b].v[3], key[tile][b].v[2], key[tile][b].v[3], T());
                    }
                }
#pragma unroll
                for (int j = 0; j < 2; j++) {
                    const int place = base + 8 * tile + 2 * part + j;
                    float score = sums[j] * scale;
                    if (distances) {
                        const int distance = min(max(count - 1 - start - place, 0), farthest);
                        score += distances[(long long)(distance + farthest) * heads + head];
                    }
                    if (slopes) score += slope(slopes[head], rounded, skipped + start + place);
                    if (soft_cap > 0.0f) score = soft_cap * tanhf(score / soft_cap);
                    if (place < chunk && own < HEADS) shares[place * HEADS + own] = score;
                }
            }
        }
        __syncwarp();
#pragma unroll
        for (int h = 0; h < HEADS; h++) {
            float first = lane < chunk ? shares[lane * HEADS + h] : -INFINITY;
            float second = lane + 32 < chunk ? shares[(lane + 32) * HEADS + h] : -INFINITY;
            const float peak = fmaxf(peaks[h], warp_max(fmaxf(first, second)));
            const float shrink = expf(peaks[h] - peak);
            peaks[h] = peak;
            first = expf(first - peak);
            second = expf(second - peak);
            totals[h] = totals[h] * shrink + first + second;
            mixed[h].x *= shrink; mixed[h].y *= shrink; mixed[h].z *= shrink; mixed[h].w *= shrink;
            shares[lane * HEADS + h] = first;
            shares[(lane + 32) * HEADS + h] = second;
        }
        __syncwarp();
        // Shares beyond the chunk are zero.
        for (int base = group; base < chunk; base += AHEAD * groups) {
            Four<T> value[AHEAD];
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                const int place = start + min(base + u * groups, chunk - 1);
                value[u] = *reinterpret_cast<const Four<T>*>(values + (long long)named[place] * key_stride);
            }
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                const float x = widen(value[u].v[0]), y = widen(value[u].v[1]);
                const float z = widen(value[u].v[2]), w = widen(value[u].v[3]);
                const float* p = shares + min(base + u * groups, CHUNK - 1) * HEADS;
                if (base + u * groups >= CHUNK) continue;
#pragma unroll
                for (int h = 0; h < HEADS; h++) {
                    mixed[h].x += p[h] * x; mixed[h].y += p[h] * y; mixed[h].z += p[h] * z; mixed[h].w += p[h] * w;
                }
            }
        }
        __syncwarp();
    }
#pragma unroll
    for (int h = 0; h < HEADS; h++) {
        float total = warp_sum(totals[h]), factor = 1.0f;
        if (sinks && h < share) {
            const float sink = sinks[key_head * share + h], peak = fmaxf(peaks[h], sink);
            factor = expf(peaks[h] - peak);
            total = total * factor + expf(sink - peak);
        }
        factor /= total;
        for (int offset = lanes; offset < 32; offset <<= 1) {
            mixed[h].x += __shfl_xor_sync(0xffffffff, mixed[h].x, offset);
            mixed[h].y += __shfl_xor_sync(0xffffffff, mixed[h].y, offset);
            mixed[h].z += __shfl_xor_sync(0xffffffff, mixed[h].z, offset);
            mixed[h].w += __shfl_xor_sync(0xffffffff, mixed[h].w, offset);
        }
        if (h < share && group == 0 && column < size) {
            mixed[h].x *= factor; mixed[h].y *= factor; mixed[h].z *= factor; mixed[h].w *= factor;
            store4(out + row * heads * size + (key_head * share + h) * size + column, mixed[h]);
        }
    }
}

#define GROUPED_AS(T, NAME, HEADS)                                                                                   \
    extern "C" __global__ void __launch_bounds__(128)                                                                \
        NAME(const T* queries, int query_stride, const T* keys_values, int key_stride, const int* firsts,            \
             const int* lengths, const int* list, int rows, int heads, int key_heads, int size, float scale,         \
             int reach, float soft_cap, const float* distances, int farthest, const float* slopes, float rounded,    \
             const float* sinks, T* out) {                                                                           \
        attend_grouped<T, HEADS>(queries, query_stride, keys_values, key_stride, firsts, lengths, list, rows, heads, \
                                 key_heads, size, scale, reach, soft_cap, distances, farthest, slopes, rounded,      \
                                 sinks, out);                                                                        \
    }
#define GROUPED_OF(T, NAME) GROUPED_AS(T, attend_grouped_four_##NAME, 4) GROUPED_AS(T, attend_grouped_eight_##NAME, 8)

GROUPED_OF(f16, f16)
GROUPED_OF(bf16, bf16)
