// What is done to single rows: embedding, sums with norms, activations, gates, turns, copies.

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
__device__ void activate(T* values, const float* bias, int kind, Bends bends, int width, long long count) {
    for (long long i = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x); i < count;
         i += 4LL * gridDim.x * blockDim.x) {
        float4 v = load4(values + i);
        if (bias) v = plus(v, load4(bias + i % width));
        store4(values + i, activation4(kind, v, bends));
    }
}

// Rows of 2 x width: activation(first half) x second half. With a bound (gpt-oss) both are bounded, the gate is a sigmoid of
// 1.702 x, and one is added to what it gates. `groups` (may be null) says which row of `bias` a row has.
template <typename T>
__device__ void gate(const T* values, const float* bias, const int* groups, int kind, Bends bends, float bound,
                     int width, long long rows, T* out) {
    for (long long i = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x); i < rows * width;
         i += 4LL * gridDim.x * blockDim.x) {
        const long long row = i / width;
        const int column = i % width;
        const T* from = values + row * 2 * width + column;
        float4 g = load4(from), v = load4(from + width);
        if (bias) {
            const float* own = bias + (groups ? (long long)groups[row] * 2 * width : 0);
            g = plus(g, load4(own + column));
            v = plus(v, load4(own + width + column));
        }
        if (bound > 0.0f) {
            auto open = [&](float x, float gated) {
                x = fminf(x, bound);
                return (fminf(fmaxf(gated, -bound), bound) + 1.0f) * (x / (1.0f + expf(-1.702f * x)));
            };
            v = make_float4(open(g.x, v.x), open(g.y, v.y), open(g.z, v.z), open(g.w, v.w));
        } else {
            g = activation4(kind, g, bends);
            v.x *= g.x; v.y *= g.y; v.z *= g.z; v.w *= g.w;
        }
        store4(out + i, v);
    }
}

// In place: a bias (may be null), then each number times one of `with`, whose rows are `stride` apart.
template <typename T>
__device__ void multiply(T* values, const float* bias, const T* with, int stride, int width, long long count) {
    for (long long i = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x); i < count;
         i += 4LL * gridDim.x * blockDim.x) {
        const int column = i % width;
        float4 v = load4(values + i);
        if (bias) v = plus(v, load4(bias + column));
        const float4 w = load4(with + i / width * stride + column);
        store4(values + i, make_float4(v.x * w.x, v.y * w.y, v.z * w.z, v.w * w.w));
    }
}

// One block a row: of its first `width` columns, what is not so many standard deviations above their mean becomes zero, and
// that is taken off the rest.
template <typename T>
__device__ void cut_off(T* values, int stride, int width, float deviations) {
    T* own = values + (long long)blockIdx.x * stride;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x) sum += widen(own[i]);
    const float mean = block_sum(sum) / width;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        const float apart = widen(own[i]) - mean;
        squares += apart * apart;
    }
    const float cutoff = mean + sqrtf(block_sum(squares) / width) * deviations;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        own[i] = narrow<T>(fmaxf(widen(own[i]) - cutoff, 0.0f));
}

// One block a row: a bias (may be null), then a norm over the row's first `width` columns. `to` may be `from`.
template <typename T>
__device__ void norm_columns(const T* from, int from_stride, const float* added, const float* weight,
                             const float* bias, float epsilon, int kind, int width, T* to, int to_stride) {
    extern __shared__ float row[];
    const T* own = from + (long long)blockIdx.x * from_stride;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        const float v = widen(own[i]) + (added ? added[i] : 0.0f);
        row[i] = v;
        sum += kind == 2 ? v * v : v;
    }
    float mean = 0.0f, scale;
    if (kind == 2) {
        scale = rsqrtf(block_sum(sum) / width + epsilon);
    } else {
        mean = block_sum(sum) / width;
        float squares = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) squares += (row[i] - mean) * (row[i] - mean);
        scale = rsqrtf(block_sum(squares) / width + epsilon);
    }
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        const float v = (row[i] - mean) * scale * weight[i];
        to[(long long)blockIdx.x * to_stride + i] = narrow<T>(bias ? v + bias[i] : v);
    }
}

// One block a row: every head of the row's first heads x size columns gets its bias, a norm of its own
// (0 none, 1 layer, 2 root mean square; the next head's weights lie `norm_stride` further) and its turn.
template <typename T>
__device__ void turn(T* values, int stride, const float* bias, int heads, int size, const float* weight,
                     const float* norm_bias, int norm_stride, float epsilon, int kind, const float* frequencies,
                     int half, float factor, const int* positions) {
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
                float v = (own[i] - mean) * scale * weight[head * norm_stride + i];
                own[i] = norm_bias ? v + norm_bias[head * norm_stride + i] : v;
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

// Heads of `from_size` numbers become heads of `to_size`: the rest is zero, or left out.
template <typename T>
__device__ void resize_heads(const T* from, int from_size, int heads, int to_size, T* to) {
    const long long row = blockIdx.x;
    for (int i = threadIdx.x; i < heads * to_size; i += blockDim.x) {
        const int head = i / to_size, place = i % to_size;
        to[row * heads * to_size + i] =
            place < from_size ? from[row * heads * from_size + head * from_size + place] : narrow<T>(0.0f);
    }
}

// Keys and values of latent attention: a head's key is the turning part, which all heads share and which ends each row of
// `down`, then its own still part; a head of `up` has that part and its value.
template <typename T>
__device__ void unfold_latent(const T* up, const T* down, int down_stride, int rank, int heads, int turning, int still,
                              int value, int size, T* to) {
    const long long row = blockIdx.x;
    const T* shared_part = down + row * down_stride + rank;
    for (int i = threadIdx.x; i < 2 * heads * size; i += blockDim.x) {
        const int head = i % (heads * size) / size, place = i % size;
        const T* own = up + (row * heads + head) * (still + value);
        T v = narrow<T>(0.0f);
        if (i < heads * size) {
            if (place < turning) v = shared_part[place];
            else if (place < turning + still) v = own[place - turning];
        } else if (place < value) {
            v = own[still + place];
        }
        to[row * 2 * heads * size + i] = v;
    }
}

#define ROWS_OF(T, NAME)                                                                                       \
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
    extern "C" __global__ void activate_##NAME(T* values, const float* bias, int kind, float above,           \
                                               float below, float beta, float epsilon, int width,             \
                                               long long count) {                                              \
        activate<T>(values, bias, kind, Bends{above, below, beta, epsilon}, width, count);                     \
    }                                                                                                          \
    extern "C" __global__ void gate_##NAME(const T* values, const float* bias, const int* groups, int kind,   \
                                           float above, float below, float beta, float epsilon, float bound,  \
                                           int width, long long rows, T* out) {                                \
        gate<T>(values, bias, groups, kind, Bends{above, below, beta, epsilon}, bound, width, rows, out);      \
    }                                                                                                          \
    extern "C" __global__ void multiply_##NAME(T* values, const float* bias, const T* with, int stride,        \
                                               int width, long long count) {                                   \
        multiply<T>(values, bias, with, stride, width, count);                                                 \
    }                                                                                                          \
    extern "C" __global__ void cut_off_##NAME(T* values, int stride, int width, float deviations) {            \
        cut_off<T>(values, stride, width, deviations);                                                         \
    }                                                                                                          \
    extern "C" __global__ void norm_columns_##NAME(const T* from, int from_stride, const float* added,        \
                                                   const float* weight, const float* bias, float epsilon,     \
                                                   int kind, int width, T* to, int to_stride) {                \
        norm_columns<T>(from, from_stride, added, weight, bias, epsilon, kind, width, to, to_stride);          \
    }                                                                                                          \
    extern "C" __global__ void turn_##NAME(T* values, int stride, const float* bias, int heads, int size,     \
                                           const float* weight, const float* norm_bias, int norm_stride,      \
                                           float epsilon, int kind, const float* frequencies, int half,       \
                                           float factor, const int* positions) {                               \
        turn<T>(values, stride, bias, heads, size, weight, norm_bias, norm_stride, epsilon, kind,             \
                frequencies, half, factor, positions);                                                         \
    }                                                                                                          \
    extern "C" __global__ void resize_heads_##NAME(const T* from, int from_size, int heads, int to_size,      \
                                                   T* to) {                                                    \
        resize_heads<T>(from, from_size, heads, to_size, to);                                                  \
    }                                                                                                          \
    extern "C" __global__ void unfold_latent_##NAME(const T* up, const T* down, int down_stride, int rank,    \
                                                    int heads, int turning, int still, int value, int size,   \
                                                    T* to) {                                                   \
        unfold_latent<T>(up, down, down_stride, rank, heads, turning, still, value, size, to);                 \
    }                                                                                                          \
    extern "C" __global__ void scatter_##NAME(const T* from, int stride, int first, const int* rows,          \
                                              int width, T* to) {                                              \
        const long long row = blockIdx.x;                                                                      \
        for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x)                                         \
            store4(to + (long long)rows[row] * width + i, load4(from + row * stride + first + i));             \
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

FOR_EACH_TYPE(ROWS_OF)

// Rows of a table of positions onto rows that are there already.
extern "C" __global__ void add_positions(float* values, const int* positions, const float* rows, int width) {
    const long long row = blockIdx.x;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        values[row * width + i] += rows[(long long)positions[row] * width + i];
}
