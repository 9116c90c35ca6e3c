// Logits of single tokens, and normalisers folded over chunks of the vocabulary.

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

#define LOGITS_OF(T, NAME)                                                                                     \
    extern "C" __global__ void logits_##NAME(const float* rows, const T* decoder, const float* bias,          \
                                             float soft_cap, int width, const int* pair_rows,                 \
                                             const int* pair_tokens, int pairs, float* out) {                  \
        logits<T>(rows, decoder, bias, soft_cap, width, pair_rows, pair_tokens, pairs, out);                   \
    }

FOR_EACH_TYPE(LOGITS_OF)

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
