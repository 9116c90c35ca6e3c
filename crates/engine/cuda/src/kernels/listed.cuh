// Attention of single queries over keys and values that lie where a list says: texts that are being written, and share
// what they have in common.

// Eight numbers of a row; the second half may lie beyond its end.
template <typename T> struct Eight { T v[8]; };
template <typename T> struct alignas(16) Wide { T v[16 / sizeof(T)]; };

template <typename T>
__device__ __forceinline__ Eight<T> load8(const T* from, bool first, bool second, bool whole) {
    Eight<T> eight;
    if (whole && sizeof(T) == 2) {
        if (first) {
            const Wide<T> wide = *reinterpret_cast<const Wide<T>*>(from);
#pragma unroll
            for (int j = 0; j < 8; j++) eight.v[j] = wide.v[j % (16 / sizeof(T))];
            return eight;
        }
    }
#pragma unroll
    for (int j = 0; j < 8; j++) eight.v[j] = narrow<T>(0.0f);
    if (first) {
        const Four<T> four = *reinterpret_cast<const Four<T>*>(from);
#pragma unroll
        for (int j = 0; j < 4; j++) eight.v[j] = four.v[j];
    }
    if (second) {
        const Four<T> four = *reinterpret_cast<const Four<T>*>(from + 4);
#pragma unroll
        for (int j = 0; j < 4; j++) eight.v[4 + j] = four.v[j];
    }
    return eight;
}

// One warp for HEADS query heads of a row that share a key head. Row r sees `lengths[r]` rows from `firsts[r]` of the list
// on. A lane has eight columns; lanes beside it have the others of the same key, further lanes other keys. Shares of the
// attention are kept as sums that grow with the peak: keys and values are read once, in any number.
template <typename T, int HEADS>
__device__ void attend_listed(const T* queries, int query_stride, const T* keys_values, int key_stride,
                              const int* firsts, const int* lengths, const int* list, int rows, int heads,
                              int key_heads, int size, float scale, int reach, float soft_cap,
                              const float* distances, int farthest, const float* slopes, float rounded,
                              const float* sinks, T* out) {
    constexpr int AHEAD = 4;
    const int lane = threadIdx.x & 31;
    const int share = heads / key_heads, passes = (share + HEADS - 1) / HEADS;
    const long long item = (long long)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (item >= (long long)rows * key_heads * passes) return;
    const int pass = item % passes, key_head = item / passes % key_heads;
    const long long row = item / passes / key_heads;
    const int first_head = key_head * share + pass * HEADS, own_heads = min(HEADS, share - pass * HEADS);

    int lanes = 1;
    while (8 * lanes < size) lanes <<= 1;
    const int groups = 32 / lanes, group = lane / lanes, column = 8 * (lane % lanes);
    const bool first = column < size, second = column + 4 < size, whole = size % 8 == 0;

    const int skipped = reach >= 0 ? max(0, lengths[row] - 1 - reach) : 0;
    const int count = lengths[row] - skipped;
    const int* named = list + firsts[row] + skipped;
    const T* keys = keys_values + key_head * size + column;
    const int to_values = key_heads * size;

    float query[HEADS][8], mixed[HEADS][8], peak[HEADS], sum[HEADS];
#pragma unroll
    for (int h = 0; h < HEADS; h++) {
        const bool there = h < own_heads;
        const T* from = queries + row * query_stride + (first_head + h) * size + column;
#pragma unroll
        for (int j = 0; j < 8; j++) {
            query[h][j] = there && column + j < size ? widen(from[j]) * scale : 0.0f;
            mixed[h][j] = 0.0f;
        }
        peak[h] = -INFINITY;
        sum[h] = 0.0f;
    }
    for (int base = 0; base < count; base += AHEAD * groups) {
        Eight<T> key[AHEAD], value[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const int place = min(base + u * groups + group, count - 1);
            const T* at = keys + (long long)named[place] * key_stride;
            key[u] = load8(at, first, second, whole);
            value[u] = load8(at + to_values, first, second, whole);
        }
#pragma unroll
        for (int h = 0; h < HEADS; h++) {
            float scores[AHEAD], highest = peak[h];
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                const int place = base + u * groups + group;
                float score = 0.0f;
#pragma unroll
                for (int j = 0; j < 8; j++) score += query[h][j] * widen(key[u].v[j]);
                score = lanes_sum(score, lanes);
                const int head = min(first_head + h, heads - 1);
                if (distances) {
                    const int distance = min(max(count - 1 - place, 0), farthest);
                    score += distances[(long long)(distance + farthest) * heads + head];
                }
                if (slopes) score += slope(slopes[head], rounded, skipped + place);
                if (soft_cap > 0.0f) score = soft_cap * tanhf(score / soft_cap);
                scores[u] = place < count ? score : -INFINITY;
                highest = fmaxf(highest, scores[u]);
            }
            if (highest == -INFINITY) continue;
            const float shrink = expf(peak[h] - highest);
            peak[h] = highest;
            sum[h] *= shrink;
#pragma unroll
            for (int j = 0; j < 8; j++) mixed[h][j] *= shrink;
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                const float p = expf(scores[u] - highest);
                sum[h] += p;
#pragma unroll
                for (int j = 0; j < 8; j++) mixed[h][j] += p * widen(value[u].v[j]);
            }
        }
    }
#pragma unroll
    for (int h = 0; h < HEADS; h++) {
        if (h >= own_heads) break;
        float highest = peak[h];
        for (int offset = lanes; offset < 32; offset <<= 1)
            highest = fmaxf(highest, __shfl_xor_sync(0xffffffff, highest, offset));
        if (sinks) highest = fmaxf(highest, sinks[first_head + h]);
        const float shrink = peak[h] == -INFINITY ? 0.0f : expf(peak[h] - highest);
        float total = sum[h] * shrink;
        for (int offset = lanes; offset < 32; offset <<= 1) total += __shfl_xor_sync(0xffffffff, total, offset);
        if (sinks) total += expf(sinks[first_head + h] - highest);
        T* to = out + row * heads * size + (first_head + h) * size + column;
#pragma unroll
        for (int j = 0; j < 8; j++) {
            float v = mixed[h][j] * shrink;
            for (int offset = lanes; offset < 32; offset <<= 1) v += __shfl_xor_sync(0xffffffff, v, offset);
            if (group == 0 && column + j < size) to[j] = narrow<T>(v / total);
        }
    }
}

#define LISTED_AS(T, NAME, HEADS)                                                                                     \
    extern "C" __global__ void __launch_bounds__(128)                                                                 \
        NAME(const T* queries, int query_stride, const T* keys_values, int key_stride, const int* firsts,             \
             const int* lengths, const int* list, int rows, int heads, int key_heads, int size, float scale,          \
             int reach, float soft_cap, const float* distances, int farthest, const float* slopes, float rounded,     \
             const float* sinks, T* out) {                                                                            \
        attend_listed<T, HEADS>(queries, query_stride, keys_values, key_stride, firsts, lengths, list, rows, heads,   \
                                key_heads, size, scale, reach, soft_cap, distances, farthest, slopes, rounded, sinks, \
                                out);                                                                                 \
    }
#define LISTED_OF(T, NAME) LISTED_AS(T, attend_listed_##NAME, 1) LISTED_AS(T, attend_listed_four_##NAME, 4)

FOR_EACH_TYPE(LISTED_OF)
