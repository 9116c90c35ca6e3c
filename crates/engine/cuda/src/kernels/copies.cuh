// Copies of the residual stream (Gemma 3n). A row has all of a token's copies side by side, in f32; a layer reads the active
// one, which lies in rows of its own as well. One block a row, and a thread has the same columns of all copies.

// The first copy, and the others with its magnitude; `first` may be the first of `copies` itself. `out` gets the chosen copy,
// or the mean of all where none is.
extern "C" __global__ void level_copies(const float* first, int first_stride, float* copies, int count, int width,
                                        int chosen, float* out) {
    const long long row = blockIdx.x;
    const float* from = first + row * first_stride;
    float* own = copies + row * count * width;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        const float v = from[i];
        squares += v * v;
        own[i] = v;
    }
    const float wanted = sqrtf(block_sum(squares) / width);
    for (int copy = 1; copy < count; copy++) {
        float* other = own + copy * width;
        squares = 0.0f;
        for (int i = threadIdx.x; i < width; i += blockDim.x) squares += other[i] * other[i];
        const float found = sqrtf(block_sum(squares) / width), least = sqrtf(1e-5f);
        const float factor = wanted / fmaxf(found, least);
        for (int i = threadIdx.x; i < width; i += blockDim.x) other[i] *= factor;
    }
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float sum = 0.0f;
        for (int copy = 0; copy < count; copy++)
            if (chosen < 0 || copy == chosen) sum += own[copy * width + i];
        out[row * width + i] = chosen < 0 ? sum / count : sum;
    }
}

// What a row's shares, one for each copy, become through a row of a map.
template <typename T>
__device__ float of_shares(const T* map, const float* routed, float scale, int count) {
    float sum = 0.0f;
    for (int i = 0; i < count; i++) sum += widen(map[i]) * tanhf(routed[i] * scale);
    return sum;
}

// Every copy takes something of all of them; `map` has a row for each pair. The active one goes to `out` too.
template <typename T>
__device__ void predict_copies(float* copies, const float* routed, float scale, const T* map, int count, int width,
                               int active, float* out) {
    extern __shared__ float row_space[];
    float* given = row_space;                                      // count x count
    float* before = row_space + count * count + threadIdx.x;       // count x threads
    const long long row = blockIdx.x;
    float* own = copies + row * count * width;
    for (int i = threadIdx.x; i < count * count; i += blockDim.x)
        given[i] = of_shares(map + i * count, routed + row * count, scale, count);
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        for (int copy = 0; copy < count; copy++) before[copy * blockDim.x] = own[copy * width + i];
        for (int to = 0; to < count; to++) {
            float v = before[to * blockDim.x];
            for (int from = 0; from < count; from++) v += given[to * count + from] * before[from * blockDim.x];
            own[to * width + i] = v;
            if (to == active) out[row * width + i] = v;
        }
    }
}

// Every copy takes its part of what a layer made of the active one. That one, weighed (`weight` may be null), goes to `out`.
template <typename T>
__device__ void correct_copies(float* copies, const float* changed, const float* routed, float scale, const T* map,
                               int count, int width, int active, const float* weight, T* out) {
    extern __shared__ float row_space[];
    const long long row = blockIdx.x;
    float* own = copies + row * count * width;
    for (int copy = threadIdx.x; copy < count; copy += blockDim.x)
        row_space[copy] = 1.0f + of_shares(map + copy * count, routed + row * count, scale, count);
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        const float change = changed[row * width + i] - own[active * width + i];
        for (int copy = 0; copy < count; copy++) own[copy * width + i] += row_space[copy] * change;
        const float v = own[active * width + i];
        out[row * width + i] = narrow<T>(weight ? v * weight[i] : v);
    }
}

// All copies but the first take the same row. The active one goes to `out` too.
template <typename T>
__device__ void add_to_copies(float* copies, const T* added, int count, int width, int active, float* out) {
    const long long row = blockIdx.x;
    float* own = copies + row * count * width;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        const float v = widen(added[row * width + i]);
        for (int copy = 1; copy < count; copy++) own[copy * width + i] += v;
        out[row * width + i] = own[active * width + i];
    }
}

#define COPIES_OF(T, NAME)                                                                                     \
    extern "C" __global__ void predict_copies_##NAME(float* copies, const float* routed, float scale,         \
                                                     const T* map, int count, int width, int active,          \
                                                     float* out) {                                             \
        predict_copies<T>(copies, routed, scale, map, count, width, active, out);                              \
    }                                                                                                          \
    extern "C" __global__ void correct_copies_##NAME(float* copies, const float* changed,                     \
                                                     const float* routed, float scale, const T* map,          \
                                                     int count, int width, int active, const float* weight,   \
                                                     T* out) {                                                 \
        correct_copies<T>(copies, changed, routed, scale, map, count, width, active, weight, out);             \
    }                                                                                                          \
    extern "C" __global__ void add_to_copies_##NAME(float* copies, const T* added, int count, int width,      \
                                                    int active, float* out) {                                  \
        add_to_copies<T>(copies, added, count, width, active, out);                                            \
    }                                                                                                          \
    extern "C" __global__ void join_##NAME(float* sums, const T* first, const T* second, const T* third,      \
                                           float factor, long long count) {                                    \
        for (long long i = 4 * ((long long)blockIdx.x * blockDim.x + threadIdx.x); i < count;                 \
             i += 4LL * gridDim.x * blockDim.x) {                                                              \
            float4 v = plus(plus(load4(sums + i), load4(first + i)), plus(load4(second + i), load4(third + i))); \
            store4(sums + i, make_float4(v.x * factor, v.y * factor, v.z * factor, v.w * factor));             \
        }                                                                                                      \
    }

FOR_EACH_TYPE(COPIES_OF)
