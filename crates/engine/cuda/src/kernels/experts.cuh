// Mixtures of experts: which networks a token chooses, its rows sorted by network, and what the networks gave added up.
// Every sum has the order of the experts' numbers; nothing is counted with atomics.

// One warp a token: the numbers of its experts, in order, and their weights. `groups` of experts may be chosen from first.
extern "C" __global__ void __launch_bounds__(32)
    route(const float* logits, const float* bias, int count, int sigmoid, const float* correction, int groups, int kept,
          int best_of_group, int chosen, int to_one, float scale, int* experts, float* weights) {
    extern __shared__ float shared[];
    float* scores = shared;
    float* wanted = scores + count;
    float* picked = wanted + count;
    float* of_groups = picked + count;
    const int lane = threadIdx.x;
    const long long token = blockIdx.x;
    float peak = -INFINITY;
    for (int i = lane; i < count; i += 32) {
        scores[i] = logits[token * count + i] + (bias ? bias[i] : 0.0f);
        peak = fmaxf(peak, scores[i]);
    }
    peak = warp_max(peak);
    float sum = 0.0f;
    for (int i = lane; i < count; i += 32) {
        scores[i] = sigmoid ? 1.0f / (1.0f + expf(-scores[i])) : expf(scores[i] - peak);
        sum += scores[i];
    }
    sum = warp_sum(sum);
    for (int i = lane; i < count; i += 32) {
        if (!sigmoid) scores[i] /= sum;
        wanted[i] = scores[i] + (correction ? correction[i] : 0.0f);
    }
    __syncwarp();
    if (groups > 0) {
        const int size = count / groups;
        for (int group = lane; group < groups; group += 32) {
            float last = INFINITY, total = 0.0f;
            int last_place = -1;
            for (int rank = 0; rank < best_of_group; rank++) {
                float value = -INFINITY;
                int place = NO_TOKEN;
                for (int i = group * size; i < (group + 1) * size; i++)
                    if (better(last, last_place, wanted[i], i) && better(wanted[i], i, value, place)) {
                        value = wanted[i];
                        place = i;
                    }
                total += value;
                last = value;
                last_place = place;
            }
            of_groups[group] = total;
        }
        __syncwarp();
        for (int group = lane; group < groups; group += 32) {
            int rank = 0;
            for (int other = 0; other < groups; other++)
                rank += better(of_groups[other], other, of_groups[group], group);
            if (rank >= kept)
                for (int i = group * size; i < (group + 1) * size; i++) wanted[i] = 0.0f;
        }
        __syncwarp();
    }
    // The rank of each among all; those chosen in the order of their numbers.
    for (int i = lane; i < count; i += 32) {
        int rank = 0;
        for (int other = 0; other < count; other++) rank += better(wanted[other], other, wanted[i], i);
        picked[i] = rank < chosen;
    }
    __syncwarp();
    if (lane == 0) {
        int place = 0;
        float total = 0.0f;
        for (int i = 0; i < count && place < chosen; i++) {
            if (picked[i] == 0.0f) continue;
            experts[token * chosen + place] = i;
            weights[token * chosen + place] = scores[i];
            total += scores[i];
            place++;
        }
        total = fmaxf(total, 1.17549435e-38f);
        for (int i = 0; i < chosen; i++) {
            float weight = weights[token * chosen + i];
            if (to_one) weight /= total;
            weights[token * chosen + i] = weight * scale;
        }
    }
}

// One block an expert: how many have chosen it.
extern "C" __global__ void __launch_bounds__(256)
    count_chosen(const int* experts, int entries, int* counts) {
    int own = 0;
    for (int i = threadIdx.x; i < entries; i += blockDim.x) own += experts[i] == (int)blockIdx.x;
    // Exact: a block has fewer than 2^24 of them.
    const float sum = block_sum((float)own);
    if (threadIdx.x == 0) counts[blockIdx.x] = (int)sum;
}

// One block an expert: its choices, in order, get rows of their own after those of the experts before it.
extern "C" __global__ void __launch_bounds__(256)
    place_chosen(const int* experts, int entries, const int* counts, int* row_of, int* entry_of, int* expert_of) {
    __shared__ int warp_counts[8];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, expert = blockIdx.x;
    int next = 0;
    for (int i = 0; i < expert; i++) next += counts[i];
    for (int base = 0; base < entries; base += 256) {
        const int i = base + threadIdx.x;
        const bool own = i < entries && experts[i] == expert;
        const unsigned both = __ballot_sync(0xffffffff, own);
        if (lane == 0) warp_counts[warp] = __popc(both);
        __syncthreads();
        int row = next + __popc(both & ((1u << lane) - 1));
        for (int w = 0; w < 8; w++) {
            if (w < warp) row += warp_counts[w];
            next += warp_counts[w];
        }
        if (own) {
            row_of[i] = row;
            entry_of[row] = i;
            expert_of[row] = expert;
        }
        __syncthreads();
    }
}

// A row for each choice: its token's, weighed where that is done before the network.
template <typename T>
__device__ void gather_chosen(const T* from, const int* entry_of, const float* weights, int chosen, int width, T* to) {
    const long long row = blockIdx.x;
    const int entry = entry_of[row];
    const T* own = from + (long long)(entry / chosen) * width;
    const float weight = weights ? weights[entry] : 1.0f;
    for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x) {
        float4 v = load4(own + i);
        v.x *= weight; v.y *= weight; v.z *= weight; v.w *= weight;
        store4(to + row * width + i, v);
    }
}

// One block a token: what its experts gave, weighed (`weights` may be null), then what all tokens pass through (may be
// null), opened by a gate of one number (may be null).
template <typename T>
__device__ void add_chosen(const T* given, const int* row_of, const int* experts, const float* weights, int chosen,
                           const float* bias, const T* beside, const float* gate, const float* gate_bias, int width,
                           T* out) {
    const long long token = blockIdx.x;
    const float open = gate ? 1.0f / (1.0f + expf(-(gate[token] + (gate_bias ? gate_bias[0] : 0.0f)))) : 1.0f;
    for (int i = 4 * threadIdx.x; i < width; i += 4 * blockDim.x) {
        float4 sum = make_float4(0, 0, 0, 0);
        for (int j = 0; j < chosen; j++) {
            const long long entry = token * chosen + j;
            float4 v = load4(given + (long long)row_of[entry] * width + i);
            if (bias) v = plus(v, load4(bias + (long long)experts[entry] * width + i));
            const float weight = weights ? weights[entry] : 1.0f;
            sum.x += v.x * weight; sum.y += v.y * weight; sum.z += v.z * weight; sum.w += v.w * weight;
        }
        if (beside) {
            const float4 v = load4(beside + token * width + i);
            sum.x += v.x * open; sum.y += v.y * open; sum.z += v.z * open; sum.w += v.w * open;
        }
        store4(out + token * width + i, sum);
    }
}

#define EXPERTS_OF(T, NAME)                                                                                    \
    extern "C" __global__ void gather_chosen_##NAME(const T* from, const int* entry_of, const float* weights, \
                                                    int chosen, int width, T* to) {                            \
        gather_chosen<T>(from, entry_of, weights, chosen, width, to);                                          \
    }                                                                                                          \
    extern "C" __global__ void add_chosen_##NAME(const T* given, const int* row_of, const int* experts,       \
                                                 const float* weights, int chosen, const float* bias,         \
                                                 const T* beside, const float* gate, const float* gate_bias,  \
                                                 int width, T* out) {                                          \
        add_chosen<T>(given, row_of, experts, weights, chosen, bias, beside, gate, gate_bias, width, out);     \
    }

FOR_EACH_TYPE(EXPERTS_OF)
