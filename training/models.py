"""The two architectures in plain PyTorch, module for module under the tensor names of `transformers`.

`Bert` is `BertForMaskedLM` (post-norm, learned positions, tied decoder), `Llama` is `LlamaForCausalLM` (RMSNorm,
rotary positions, SwiGLU, tied head). `config()` gives the matching config.json. Both take token ids, positions and a
boolean attention mask (batch, 1, query, key) and return the hidden states that `logits` maps to the vocabulary.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, HIDDEN, LAYERS, HEADS, POSITIONS = 16_000, 256, 8, 4, 256
HEAD_DIM = HIDDEN // HEADS


def linear(n_in, n_out, bias=True, std=0.02):
    layer = nn.Linear(n_in, n_out, bias=bias)
    nn.init.normal_(layer.weight, std=std)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def embedding(n, width):
    layer = nn.Embedding(n, width)
    nn.init.normal_(layer.weight, std=0.02)
    return layer


def split_heads(x):
    return x.unflatten(-1, (HEADS, HEAD_DIM)).transpose(1, 2)


def attention(q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2)


# ---- BERT


class BertLayer(nn.Module):
    def __init__(self):
        super().__init__()
        norm = lambda: nn.LayerNorm(HIDDEN, eps=1e-12)  # noqa: E731
        dense = lambda a, b, **kw: nn.ModuleDict({"dense": linear(a, b), **kw})  # noqa: E731
        names = ("query", "key", "value")
        self.attention = nn.ModuleDict(
            {
                "self": nn.ModuleDict({n: linear(HIDDEN, HIDDEN) for n in names}),
                "output": dense(HIDDEN, HIDDEN, LayerNorm=norm()),
            }
        )
        self.intermediate = dense(HIDDEN, 4 * HIDDEN)
        self.output = dense(4 * HIDDEN, HIDDEN, LayerNorm=norm())

    def forward(self, x, mask):
        att, out = self.attention["self"], self.attention["output"]
        q, k, v = (split_heads(att[n](x)) for n in ("query", "key", "value"))
        x = out["LayerNorm"](x + out["dense"](attention(q, k, v, mask)))
        h = self.output["dense"](F.gelu(self.intermediate["dense"](x)))
        return self.output["LayerNorm"](x + h)


class Bert(nn.Module):
    def __init__(self):
        super().__init__()
        norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        embeddings = nn.ModuleDict(
            {
                "word_embeddings": embedding(VOCAB, HIDDEN),
                "position_embeddings": embedding(POSITIONS, HIDDEN),
                "token_type_embeddings": embedding(2, HIDDEN),
                "LayerNorm": norm,
            }
        )
        encoder = nn.ModuleDict({"layer": nn.ModuleList(BertLayer() for _ in range(LAYERS))})
        self.bert = nn.ModuleDict({"embeddings": embeddings, "encoder": encoder})
        transform = {"dense": linear(HIDDEN, HIDDEN), "LayerNorm": nn.LayerNorm(HIDDEN, eps=1e-12)}
        self.cls = nn.ModuleDict({"predictions": nn.ModuleDict({"transform": nn.ModuleDict(transform)})})
        self.cls["predictions"].register_parameter("bias", nn.Parameter(torch.zeros(VOCAB)))

    def layers(self):
        return self.bert["encoder"]["layer"]

    def forward(self, ids, pos, mask):
        e = self.bert["embeddings"]
        x = e["word_embeddings"](ids) + e["position_embeddings"](pos) + e["token_type_embeddings"].weight[0]
        x = e["LayerNorm"](x)
        for layer in self.layers():
            x = layer(x, mask)
        return x

    def logits(self, x):
        head = self.cls["predictions"]
        x = head["transform"]["LayerNorm"](F.gelu(head["transform"]["dense"](x)))
        return F.linear(x, self.bert["embeddings"]["word_embeddings"].weight, head.bias)

    @staticmethod
    def config():
        return {
            "architectures": ["BertForMaskedLM"],
            "model_type": "bert",
            "attention_probs_dropout_prob": 0.0,
            "hidden_act": "gelu",
            "hidden_dropout_prob": 0.0,
            "hidden_size": HIDDEN,
            "initializer_range": 0.02,
            "intermediate_size": 4 * HIDDEN,
            "layer_norm_eps": 1e-12,
            "max_position_embeddings": POSITIONS,
            "num_attention_heads": HEADS,
            "num_hidden_layers": LAYERS,
            "bos_token_id": 0,
            "pad_token_id": 1,
            "eos_token_id": 2,
            "position_embedding_type": "absolute",
            "tie_word_embeddings": True,
            "torch_dtype": "float16",
            "type_vocab_size": 2,
            "vocab_size": VOCAB,
        }


# ---- Llama

LLAMA_INNER, ROPE_THETA, RMS_EPS = 688, 10_000.0, 1e-5


class RMSNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(HIDDEN))

    def forward(self, x):
        y = x.float()
        return (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + RMS_EPS)).to(x.dtype) * self.weight


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin


class LlamaLayer(nn.Module):
    def __init__(self):
        super().__init__()
        small = 0.02 / (2 * LAYERS) ** 0.5
        att = {n: linear(HIDDEN, HIDDEN, False) for n in ("q_proj", "k_proj", "v_proj")}
        self.self_attn = nn.ModuleDict(att | {"o_proj": linear(HIDDEN, HIDDEN, False, small)})
        mlp = {n: linear(HIDDEN, LLAMA_INNER, False) for n in ("gate_proj", "up_proj")}
        self.mlp = nn.ModuleDict(mlp | {"down_proj": linear(LLAMA_INNER, HIDDEN, False, small)})
        self.input_layernorm = RMSNorm()
        self.post_attention_layernorm = RMSNorm()

    def forward(self, x, cos, sin, mask):
        a, m = self.self_attn, self.mlp
        h = self.input_layernorm(x)
        q, k, v = (split_heads(a[n](h)) for n in ("q_proj", "k_proj", "v_proj"))
        q, k = rotate(q, cos, sin).to(v.dtype), rotate(k, cos, sin).to(v.dtype)
        x = x + a["o_proj"](attention(q, k, v, mask))
        h = self.post_attention_layernorm(x)
        return x + m["down_proj"](F.silu(m["gate_proj"](h)) * m["up_proj"](h))


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        layers = nn.ModuleList(LlamaLayer() for _ in range(LAYERS))
        self.model = nn.ModuleDict({"embed_tokens": embedding(VOCAB, HIDDEN), "layers": layers, "norm": RMSNorm()})
        freq = ROPE_THETA ** (-torch.arange(0, HEAD_DIM, 2).float() / HEAD_DIM)
        self.register_buffer("freq", freq, persistent=False)

    def layers(self):
        return self.model["layers"]

    def forward(self, ids, pos, mask):
        angle = pos[:, None, :, None].float() * self.freq
        angle = torch.cat((angle, angle), -1)
        cos, sin = angle.cos(), angle.sin()
        x = self.model["embed_tokens"](ids)
        for layer in self.layers():
            x = layer(x, cos, sin, mask)
        return self.model["norm"](x)

    def logits(self, x):
        return F.linear(x, self.model["embed_tokens"].weight)

    @staticmethod
    def config():
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "attention_bias": False,
            "attention_dropout": 0.0,
            "bos_token_id": 0,
            "eos_token_id": 2,
            "pad_token_id": 1,
            "head_dim": HEAD_DIM,
            "hidden_act": "silu",
            "hidden_size": HIDDEN,
            "initializer_range": 0.02,
            "intermediate_size": LLAMA_INNER,
            "max_position_embeddings": POSITIONS,
            "mlp_bias": False,
            "num_attention_heads": HEADS,
            "num_hidden_layers": LAYERS,
            "num_key_value_heads": HEADS,
            "rms_norm_eps": RMS_EPS,
            "rope_theta": ROPE_THETA,
            "tie_word_embeddings": True,
            "torch_dtype": "float16",
            "vocab_size": VOCAB,
        }


MODELS = {"mlm": Bert, "clm": Llama}
