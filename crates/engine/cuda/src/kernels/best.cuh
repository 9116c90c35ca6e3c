// The best next tokens of rows of logits, and the rows' normalisers. One block (eight warps) a row.
//
// Tokens `starts[row]..middles[row]` of `ruled` are forbidden, those to `starts[row + 1]` penalised; `aside`, as long as
// `ruled`, keeps what their logits were. Of equals the token with the lower number comes first.

constexpr int BEST_WARPS = 8, BEST_THREADS = 32 * BEST_WARPS;
// Candidates that a block keeps, those that it thins them out beyond, and the most that may be wanted of it.
constexpr int BEST_ROOM = 1024, BEST_THIN = 96, BEST_FEW = 32;
constexpr int NO_TOKEN = 0x7fffffff;

// What a product with the vocabulary becomes: scaled, with its bias, within its bounds.
__device__ __forceinline__ float finished(float v, int token, const float* bias, float factor, float soft_cap) {
    v *= factor;
    if (bias) v += bias[token];
    return soft_cap > 0.0f ? soft_cap * tanhf(v / soft_cap) : v;
}

__device__ __forceinline__ bool better(float a, int a_token, float b, int b_token) {
    return a > b || (a == b && a_token < b_token);
}

// Takes the ruled tokens' logits out of the row.
__device__ void set_aside(float* own, const int* ruled, int first, int end, const float* bias, float factor,
                          float soft_cap, float* aside) {
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        aside[i] = finished(own[ruled[i]], ruled[i], bias, factor, soft_cap);
    __syncthreads();
    for (int i = first + threadIdx.x; i < end; i += blockDim.x) own[ruled[i]] = -INFINITY;
    __syncthreads();
}

// The logarithm of the sum of all exponentials from each thread's peak and sum, in a fixed order.
__device__ double normaliser_of(float peak, float sum, const float* aside, int first, int end) {
    __shared__ float peaks[BEST_WARPS];
    __shared__ double sums[BEST_WARPS];
    __shared__ double result;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float highest = warp_max(peak);
    if (lane == 0) peaks[warp] = highest;
    __syncthreads();
    highest = peaks[0];
    for (int i = 1; i < BEST_WARPS; i++) highest = fmaxf(highest, peaks[i]);
    for (int i = first; i < end; i++) highest = fmaxf(highest, aside[i]);
    double total = sum > 0.0f ? (double)sum * exp((double)peak - (double)highest) : 0.0;
    for (int offset = 16; offset > 0; offset >>= 1) total += __shfl_xor_sync(0xffffffff, total, offset);
    if (lane == 0) sums[warp] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
        total = 0.0;
        for (int i = 0; i < BEST_WARPS; i++) total += sums[i];
        for (int i = first; i < end; i++) total += exp((double)aside[i] - (double)highest);
        result = (double)highest + log(total);
    }
    __syncthreads();
    return result;
}

// One thread: penalised tokens take their places among the best, and logits become log-probabilities.
__device__ void settle(const int* ruled, const float* aside, int middle, int end, float penalty, int greedy,
                       double normaliser, int wanted, float* values, int* tokens) {
    const float shift = greedy ? 0.0f : (float)normaliser;
    for (int i = middle; i < end; i++) {
        float score = aside[i] - shift;
        score = (score < 0.0f ? score * penalty : score / penalty) + shift;
        if (!better(score, ruled[i], values[wanted - 1], tokens[wanted - 1] < 0 ? NO_TOKEN : tokens[wanted - 1])) continue;
        int place = wanted - 1;
        while (place > 0 && better(score, ruled[i], values[place - 1], tokens[place - 1] < 0 ? NO_TOKEN : tokens[place - 1])) {
            values[place] = values[place - 1];
            tokens[place] = tokens[place - 1];
            place--;
        }
        values[place] = score;
        tokens[place] = ruled[i];
    }
    for (int rank = 0; rank < wanted; rank++) values[rank] -= (float)normaliser;
}

// The next best of a row after one that is known, by a sweep over all of it.
__device__ void next_best(const float* own, int columns, const float* bias, float factor, float soft_cap,
                          float& last_value, int& last_token) {
    __shared__ float warp_values[BEST_WARPS];
    __shared__ int warp_tokens[BEST_WARPS];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float value = -INFINITY;
    int token = NO_TOKEN;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        if (own[i] == -INFINITY) continue;
        const float v = finished(own[i], i, bias, factor, soft_cap);
        if (better(last_value, last_token, v, i) && better(v, i, value, token)) {
            value = v;
            token = i;
        }
    }
    for (int offset = 16; offset > 0; offset >>= 1) {
        const float v = __shfl_xor_sync(0xffffffff, value, offset);
        const int t = __shfl_xor_sync(0xffffffff, token, offset);
        if (better(v, t, value, token)) {
            value = v;
            token = t;
        }
    }
    __syncthreads();
    if (lane == 0) {
        warp_values[warp] = value;
        warp_tokens[warp] = token;
    }
    __syncthreads();
    value = warp_values[0];
    token = warp_tokens[0];
    for (int i = 1; i < BEST_WARPS; i++) {
        if (better(warp_values[i], warp_tokens[i], value, token)) {
            value = warp_values[i];
            token = warp_tokens[i];
        }
    }
    last_value = value;
    last_token = token;
}

// A row is read once, a piece of each thread after the other. What reaches the bar is a candidate; the bar is at most the
// value of the last one wanted so far. Where candidates outgrow their room (thousands of equals), and where more are wanted
// than fit (`sweep`), the row is swept once for every token instead.
__device__ void best_tokens(float* logits, int columns, int stride, const float* bias, float factor, float soft_cap,
                            const int* starts, const int* middles, const int* ruled, float* aside, float penalty,
                            int greedy, int renormalize, int wanted, int sweep, float* values, int* tokens,
                            double* normalisers) {
    constexpr int EACH = 16;
    __shared__ float found_values[BEST_ROOM];
    __shared__ int found_tokens[BEST_ROOM];
    __shared__ float group_peaks[BEST_FEW];
    __shared__ float bar;
    __shared__ int found, crowded;
    const long long row = blockIdx.x;
    float* own = logits + row * stride;
    float* row_values = values + row * wanted;
    int* row_tokens = tokens + row * wanted;
    const int first = starts[row], middle = middles[row], end = starts[row + 1];
    if (threadIdx.x == 0) {
        found = 0;
        crowded = sweep;
    }
    set_aside(own, ruled, first, end, bias, factor, soft_cap, aside);

    float peak = -INFINITY, sum = 0.0f;
    for (int base = 0; base < columns; base += EACH * BEST_THREADS) {
        float v[EACH], highest = -INFINITY;
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const int i = base + j * BEST_THREADS + threadIdx.x;
            v[j] = i < columns ? own[i] : -INFINITY;
        }
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const int i = base + j * BEST_THREADS + threadIdx.x;
            if (v[j] != -INFINITY) v[j] = finished(v[j], i, bias, factor, soft_cap);
            highest = fmaxf(highest, v[j]);
        }
        if (highest > peak) {
            sum *= expf(peak - highest);
            peak = highest;
        }
        if (peak != -INFINITY) {
#pragma unroll
            for (int j = 0; j < EACH; j++) sum += expf(v[j] - peak);
        }
        if (base == 0) {
            // Each eight threads have one at least as high as the lowest of their peaks.
            float of_group = highest;
            for (int offset = 4; offset > 0; offset >>= 1)
                of_group = fmaxf(of_group, __shfl_xor_sync(0xffffffff, of_group, offset));
            if ((threadIdx.x & 7) == 0) group_peaks[threadIdx.x >> 3] = of_group;
            __syncthreads();
            if (threadIdx.x == 0) {
                bar = group_peaks[0];
                for (int i = 1; i < BEST_FEW; i++) bar = fminf(bar, group_peaks[i]);
            }
            __syncthreads();
        }
        const float least = bar;
        if (highest >= least && highest != -INFINITY) {
#pragma unroll
            for (int j = 0; j < EACH; j++) {
                if (v[j] >= least && v[j] != -INFINITY) {
                    const int place = atomicAdd(&found, 1);
                    if (place < BEST_ROOM) {
                        found_values[place] = v[j];
                        found_tokens[place] = base + j * BEST_THREADS + threadIdx.x;
                    }
                }
            }
        }
        __syncthreads();
        const int now = found;
        __syncthreads();
        const bool last = base + EACH * BEST_THREADS >= columns;
        if (now > BEST_ROOM) {
            if (threadIdx.x == 0) {
                crowded = 1;
                found = 0;
                bar = INFINITY;
            }
            __syncthreads();
        } else if (!crowded && (now > BEST_THIN || last)) {
            // The rank of each among all; the best stay, in order.
            float kept[BEST_ROOM / BEST_THREADS];
            int kept_tokens[BEST_ROOM / BEST_THREADS], ranks[BEST_ROOM / BEST_THREADS];
#pragma unroll
            for (int e = 0; e < BEST_ROOM / BEST_THREADS; e++) {
                const int i = e * BEST_THREADS + threadIdx.x;
                ranks[e] = BEST_ROOM;
                if (i < now) {
                    kept[e] = found_values[i];
                    kept_tokens[e] = found_tokens[i];
                    int rank = 0;
                    for (int other = 0; other < now; other++)
                        rank += better(found_values[other], found_tokens[other], kept[e], kept_tokens[e]);
                    ranks[e] = rank;
                }
            }
            __syncthreads();
#pragma unroll
            for (int e = 0; e < BEST_ROOM / BEST_THREADS; e++) {
                if (ranks[e] < wanted) {
                    found_values[ranks[e]] = kept[e];
                    found_tokens[ranks[e]] = kept_tokens[e];
                    if (ranks[e] == wanted - 1) bar = kept[e];
                }
            }
            if (threadIdx.x == 0) found = min(now, wanted);
            __syncthreads();
        }
    }
    const double normaliser = normaliser_of(peak, sum, aside, renormalize ? end : first, end);
    if (threadIdx.x == 0) normalisers[row] = normaliser;
    if (crowded) {
        float last_value = INFINITY;
        int last_token = -1;
        for (int rank = 0; rank < wanted; rank++) {
            next_best(own, columns, bias, factor, soft_cap, last_value, last_token);
            if (threadIdx.x == 0) {
                row_values[rank] = last_value;
                row_tokens[rank] = last_token == NO_TOKEN ? -1 : last_token;
            }
        }
    } else {
        for (int rank = threadIdx.x; rank < wanted; rank += blockDim.x) {
            row_values[rank] = rank < found ? found_values[rank] : -INFINITY;
            row_tokens[rank] = rank < found ? found_tokens[rank] : -1;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        settle(ruled, aside, middle, end, penalty, greedy, normaliser, wanted, row_values, row_tokens);
}

extern "C" __global__ void __launch_bounds__(256)
    best_tokens_of(float* logits, int columns, int stride, const float* bias, float factor, float soft_cap, const int* starts,
                   const int* middles, const int* ruled, float* aside, float penalty, int greedy, int renormalize,
                   int wanted, float* values, int* tokens, double* normalisers) {
    best_tokens(logits, columns, stride, bias, factor, soft_cap, starts, middles, ruled, aside, penalty, greedy, renormalize,
                wanted, wanted > BEST_FEW, values, tokens, normalisers);
}

// Logits of (row, token) pairs out of those of the whole vocabulary.
extern "C" __global__ void pick_logits(const float* logits, int stride, const float* bias, float factor,
                                       float soft_cap, const int* rows, const int* tokens, int count, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = finished(logits[(long long)rows[i] * stride + tokens[i]], tokens[i], bias, factor, soft_cap);
}
