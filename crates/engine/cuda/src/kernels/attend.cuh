// Attention over sentences packed one after the other.

// What a score gains by the key's position (ALiBi).
__device__ __forceinline__ float slope(float of_head, float rounded, int position) {
    const float bias = of_head * (float)position;
    return rounded != 0.0f ? widen(narrow<bf16>(bias)) * rounded : bias;
}

// One block (four warps) for a head of a sentence. Sixteen (or four, in long sentences) queries at a
// time: scores against tiles of 32 keys, softmax in shared memory, then the values. A lane owns a key of
// a tile, and columns of the output. What may be added to a score: `distances`, a row of numbers for the heads for each
// distance from -farthest to farthest; `slopes` of the heads with the key's position (rounded to sixteen bits and scaled
// where `rounded` is not 0); `by_query` and `by_key`, numbers of a token's heads for relative positions, of which
// `relative_rows` names one for each distance from -farthest_relative on, less `relative_low`. `sinks` are scores that nothing stands behind.
template <typename T, int ROWS>
__device__ void attend(const T* queries, int query_stride, const T* keys_values, int key_stride,
                       const float* query_bias, const float* key_bias, const float* value_bias,
                       const int* starts, const int* query_starts, const int* query_positions, int heads,
                       int key_heads, int size, float scale, int causal, int reach, float soft_cap,
                       const float* distances, int farthest, const float* slopes, float rounded,
                       const float* sinks, const float* by_query, const float* by_key, const int* relative_rows,
                       int relative_low, int relative_count, int farthest_relative, T* out, float* received, int tokens) {
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
        // Keys that any of these queries sees.
        int seen_end = length;
        if (causal) {
            seen_end = 0;
            for (int row = start; row < min(start + QUERIES, query_count); row++)
                seen_end = max(seen_end, query_positions[query_first + row] + 1);
            seen_end = min(seen_end, length);
        }
        const int seen_padded = (seen_end + TILE - 1) / TILE * TILE;
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
        for (int key = 0; key < seen_end; key += TILE) {
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
                        if (relative_rows) {
                            const int relative = relative_rows[distance + farthest_relative] - relative_low;
                            const long long query_row = query_first + start + row, key_row = first + at;
                            float sum = 0.0f;
                            if (by_query) sum += by_query[(query_row * heads + head) * relative_count + relative];
                            if (by_key) sum += by_key[(key_row * heads + head) * relative_count + relative];
                            score += scale * sum;
                        }
                        if (distances) {
                            const int near = max(-farthest, min(distance, farthest));
                            score += distances[(long long)(near + farthest) * heads + head];
                        }
                        if (slopes) score += slope(slopes[head], rounded, at);
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
                for (int i = lane; i < seen_padded; i += 32) own[i] = 0.0f;
                continue;
            }
            float peak = sinks ? sinks[head] : -INFINITY;
            for (int i = lane; i < seen_padded; i += 32) peak = fmaxf(peak, own[i]);
            peak = warp_max(peak);
            float sum = 0.0f;
            for (int i = lane; i < seen_padded; i += 32) {
                const float p = expf(own[i] - peak);
                own[i] = p;
                sum += p;
            }
            sum = warp_sum(sum);
            if (sinks) sum += expf(sinks[head] - peak);
            const float share = 1.0f / sum;
            for (int i = lane; i < seen_padded; i += 32) own[i] *= share;
        }
        __syncthreads();
        if (received) {
            for (int i = threadIdx.x; i < seen_end; i += blockDim.x) {
                float sum = 0.0f;
                for (int row = 0; row < QUERIES; row++) sum += scores[row * padded + i];
                received[(long long)head * tokens + first + i] += sum;
            }
        }
        float mixed[ROWS][8];
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c < 8; c++) mixed[r][c] = 0.0f;
        for (int key = 0; key < seen_end; key += TILE) {
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
            const int count = min(TILE, seen_end - key);
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

#define ATTEND_AS(T, NAME, ROWS)                                                                                       \
    extern "C" __global__ void __launch_bounds__(128)                                                                  \
        NAME(const T* queries, int query_stride, const T* keys_values, int key_stride, const float* query_bias,       \
                   const float* key_bias, const float* value_bias, const int* starts, const int* query_starts,        \
                   const int* query_positions, int heads, int key_heads, int size, float scale, int causal,           \
                   int reach, float soft_cap, const float* distances, int farthest, const float* slopes,              \
                   float rounded, const float* sinks, const float* by_query, const float* by_key,                     \
                   const int* relative_rows, int relative_low, int relative_count, int farthest_relative, T* out, float* received, int tokens) {             \
        attend<T, ROWS>(queries, query_stride, keys_values, key_stride, query_bias, key_bias, value_bias, starts,      \
                        query_starts, query_positions, heads, key_heads, size, scale, causal, reach, soft_cap,         \
                        distances, farthest, slopes, rounded, sinks, by_query, by_key, relative_rows, relative_low,    \
                        relative_count, farthest_relative, out, received, tokens);                                                               \
    }
#define ATTEND_OF(T, NAME) ATTEND_AS(T, attend_##NAME, 4) ATTEND_AS(T, attend_long_##NAME, 1)

FOR_EACH_TYPE(ATTEND_OF)

// Attention received: the heads' sums, head by head, onto what earlier layers gave.
extern "C" __global__ void sum_heads(const float* by_head, int heads, int tokens, double* received) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < tokens; i += gridDim.x * blockDim.x) {
        double sum = 0.0;
        for (int head = 0; head < heads; head++) sum += by_head[(long long)head * tokens + i];
        received[i] += sum;
    }
}

