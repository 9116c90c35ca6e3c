// Convolutions along packed sentences: ConvBERT's, whose kernels the tokens make themselves, and DeBERTa's over embeddings.

// One block an asking row: for each feature, its neighbours' values with that feature's kernel.
template <typename T>
__device__ void span_depthwise(const T* input, const float* depthwise, int kernel, const int* starts,
                               const int* query_starts, const int* query_positions, int sentences, int width, T* out) {
    const int row = blockIdx.x, sentence = sentence_of(query_starts, sentences, row);
    const int first = starts[sentence], length = starts[sentence + 1] - first, reach = kernel / 2;
    const int position = query_positions[row];
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float sum = 0.0f;
        for (int tap = 0; tap < kernel; tap++) {
            const int token = position + tap - reach;
            if (token >= 0 && token < length)
                sum += widen(input[(long long)(first + token) * width + i]) * depthwise[i * kernel + tap];
        }
        out[(long long)row * width + i] = narrow<T>(sum);
    }
}

// One block an asking row: a softmax over each head's kernel, then the neighbours' values mixed with it. What comes out
// stands behind `width` columns that attention gave.
template <typename T>
__device__ void span_mix(const T* attended, const T* kernels, const float* kernel_bias, const T* values, int kernel,
                         int heads, const int* starts, const int* query_starts, const int* query_positions,
                         int sentences, int width, T* out) {
    extern __shared__ float shared[];
    const int row = blockIdx.x, sentence = sentence_of(query_starts, sentences, row);
    const int first = starts[sentence], length = starts[sentence + 1] - first, reach = kernel / 2;
    const int position = query_positions[row], size = width / heads;
    for (int head = threadIdx.x; head < heads; head += blockDim.x) {
        float* own = shared + head * kernel;
        float peak = -INFINITY, sum = 0.0f;
        for (int tap = 0; tap < kernel; tap++) {
            const int at = head * kernel + tap;
            own[tap] = widen(kernels[(long long)row * heads * kernel + at]) + (kernel_bias ? kernel_bias[at] : 0.0f);
            peak = fmaxf(peak, own[tap]);
        }
        for (int tap = 0; tap < kernel; tap++) {
            own[tap] = expf(own[tap] - peak);
            sum += own[tap];
        }
        for (int tap = 0; tap < kernel; tap++) own[tap] /= sum;
    }
    __syncthreads();
    T* to = out + (long long)row * 2 * width;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        to[i] = attended[(long long)row * width + i];
        float sum = 0.0f;
        for (int tap = 0; tap < kernel; tap++) {
            const int token = position + tap - reach;
            if (token >= 0 && token < length)
                sum += widen(values[(long long)(first + token) * width + i]) * shared[i / size * kernel + tap];
        }
        to[width + i] = narrow<T>(sum);
    }
}

// Onto each row, the row of `moved` that lies `offset` further in the same sentence.
template <typename T>
__device__ void add_shifted(float* sums, const T* moved, const int* starts, int sentences, int offset, int width) {
    const int row = blockIdx.x, sentence = sentence_of(starts, sentences, row), from = row + offset;
    if (from < starts[sentence] || from >= starts[sentence + 1]) return;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        sums[(long long)row * width + i] += widen(moved[(long long)from * width + i]);
}

#define SPANS_OF(T, NAME)                                                                                      \
    extern "C" __global__ void span_depthwise_##NAME(const T* input, const float* depthwise, int kernel,      \
                                                     const int* starts, const int* query_starts,              \
                                                     const int* query_positions, int sentences, int width,    \
                                                     T* out) {                                                 \
        span_depthwise<T>(input, depthwise, kernel, starts, query_starts, query_positions, sentences, width,  \
                          out);                                                                                \
    }                                                                                                          \
    extern "C" __global__ void span_mix_##NAME(const T* attended, const T* kernels, const float* kernel_bias, \
                                               const T* values, int kernel, int heads, const int* starts,     \
                                               const int* query_starts, const int* query_positions,           \
                                               int sentences, int width, T* out) {                             \
        span_mix<T>(attended, kernels, kernel_bias, values, kernel, heads, starts, query_starts,              \
                    query_positions, sentences, width, out);                                                   \
    }                                                                                                          \
    extern "C" __global__ void add_shifted_##NAME(float* sums, const T* moved, const int* starts,             \
                                                  int sentences, int offset, int width) {                      \
        add_shifted<T>(sums, moved, starts, sentences, offset, width);                                         \
    }

FOR_EACH_TYPE(SPANS_OF)
