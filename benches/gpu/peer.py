#!/usr/bin/env python3
"""How fast PyTorch gives the GEST scores on a GPU: the peer of the comparison in benches/gpu/run.sh.

    python benches/gpu/peer.py CACHE SENTENCES.txt --shape llama-7b --make
    python benches/gpu/peer.py CACHE SENTENCES.txt --shape llama-7b --ways authors,batched

Checkpoints have random weights (seeded), bf16, and a tokenizer of the real kind trained on SENTENCES.txt. Ways:
  authors  one text at a time, logits of every position over the whole vocabulary, softmax
  plain    padded batches of like lengths through the model as it is, logits of every position: what most scripts do
  batched  batches of texts of one length (no padding), hidden states only, two logits: the best plain PyTorch does
Tokenisation is not timed here; it is timed on epicene's side. Prints one JSON object per way and round.
"""
import argparse
import importlib.util
import json
import math
import os
import time

import torch
import transformers as hf

spec = importlib.util.spec_from_file_location("lm_peer", os.path.join(os.path.dirname(__file__), "..", "lm", "peer.py"))
lm = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lm)

SHAPES = {
    "llama-7b": (lm.byte_pairs, lambda: hf.LlamaForCausalLM(hf.LlamaConfig())),
    "llama-8b": (lm.byte_pairs, lambda: hf.LlamaForCausalLM(hf.LlamaConfig(
        vocab_size=128256, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8))),
    "llama-small": (lm.byte_pairs, lambda: hf.LlamaForCausalLM(hf.LlamaConfig(
        vocab_size=8192, hidden_size=512, intermediate_size=1408, num_hidden_layers=8, num_attention_heads=8, num_key_value_heads=4))),
    "gpt2": (lm.byte_pairs, lambda: hf.GPT2LMHeadModel(hf.GPT2Config())),
    "xlm-roberta-large": (lm.unigram, lambda: hf.XLMRobertaForMaskedLM(hf.XLMRobertaConfig(
        vocab_size=250002, hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096,
        max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5))),
    "xlm-roberta-base": (lm.unigram, lm.SHAPES["xlm-roberta-base"][1]),
    "deberta-v3-large": (lm.unigram, lambda: hf.DebertaV2ForMaskedLM(hf.DebertaV2Config(
        vocab_size=128100, hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096,
        relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type="p2c|c2p",
        max_relative_positions=-1, position_biased_input=False, type_vocab_size=0, layer_norm_eps=1e-7))),
    "bert-base": (lm.word_piece, lambda: hf.BertForMaskedLM(hf.BertConfig())),
}


def make(folder, shape, sentences, dtype):
    make_tokenizer, make_model = SHAPES[shape]
    tokenizer, roles = make_tokenizer(lm.training_texts(sentences))
    torch.manual_seed(lm.SEED)
    torch.set_default_dtype(dtype)
    with torch.device("cuda" if torch.cuda.is_available() else "cpu"):
        model = make_model()
    torch.set_default_dtype(torch.float32)
    hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=512, **roles).save_pretrained(folder)
    model.save_pretrained(folder, max_shard_size="5GB")


def authors(model, queries):
    scores = []
    for ids, position, masculine, feminine in queries:
        table = torch.softmax(model(torch.tensor([ids], device="cuda")).logits.float(), dim=-1)
        scores.append(math.log10(table[0, position, masculine].item()) - math.log10(table[0, position, feminine].item()))
    return scores


def plain(model, queries, tokens):
    """Padding follows the text, so that neither positions nor a causal model's mask need more than the attention mask."""
    order = sorted(range(len(queries)), key=lambda index: len(queries[index][0]))
    scores, start = [0.0] * len(queries), 0
    while start < len(order):
        end = start
        while end < len(order) and len(queries[order[end]][0]) * (end - start + 1) <= max(tokens, len(queries[order[end]][0])):
            end += 1
        part = [queries[index] for index in order[start:end]]
        longest = len(part[-1][0])
        ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, *_ in part], device="cuda")
        mask = torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids, *_ in part], device="cuda")
        logits = model(input_ids=ids, attention_mask=mask).logits
        rows = torch.arange(len(part), device="cuda")
        at, masculine, feminine = (torch.tensor([query[place] for query in part], device="cuda") for place in (1, 2, 3))
        table = logits[rows, at].float()
        for index, value in zip(order[start:end], (table[rows, masculine] - table[rows, feminine]).tolist()):
            scores[index] = value / math.log(10)
        start = end
    return scores


def parts(model):
    if hasattr(model, "cls"):
        return getattr(model, "bert", None) or model.deberta, model.cls.predictions.transform, model.cls.predictions.decoder.weight, model.cls.predictions.decoder.bias
    if hasattr(model, "roberta"):
        head = model.lm_head
        return model.roberta, lambda x: head.layer_norm(torch.nn.functional.gelu(head.dense(x))), head.decoder.weight, head.decoder.bias
    if hasattr(model, "transformer"):
        return model.transformer, lambda x: x, model.lm_head.weight, None
    return model.model, lambda x: x, model.lm_head.weight, None


def batched(model, queries, tokens):
    encoder, transform, weight, bias = parts(model)
    order = sorted(range(len(queries)), key=lambda index: len(queries[index][0]))
    scores, start, pending = [0.0] * len(queries), 0, []
    while start < len(order):
        length = len(queries[order[start]][0])
        end = start
        while end < len(order) and len(queries[order[end]][0]) == length and (end - start) * length < tokens:
            end += 1
        part = [queries[index] for index in order[start:end]]
        hidden = encoder(torch.tensor([ids for ids, *_ in part], device="cuda")).last_hidden_state
        vectors = transform(hidden[torch.arange(len(part)), [position for _, position, _, _ in part]])
        masculine, feminine = (torch.tensor([query[place] for query in part], device="cuda") for place in (2, 3))
        values = (vectors.float() * (weight[masculine].float() - weight[feminine].float())).sum(-1)
        if bias is not None:
            values = values + bias[masculine].float() - bias[feminine].float()
        pending.append((order[start:end], values))
        start = end
    for indices, values in pending:
        for index, value in zip(indices, values.tolist()):
            scores[index] = value / math.log(10)
    return scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("sentences")
    parser.add_argument("--shape", choices=SHAPES, required=True)
    parser.add_argument("--ways", default="authors,batched")
    parser.add_argument("--limit", type=int, default=0, help="sentences used; 0 for all")
    parser.add_argument("--slow-limit", type=int, default=200, help="sentences used one at a time")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--batch-tokens", type=int, default=16384)
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--scores")
    arguments = parser.parse_args()
    hf.logging.set_verbosity_error()
    dtype = getattr(torch, arguments.dtype)
    with open(arguments.sentences, encoding="utf-8") as file:
        sentences = [line.strip() for line in file if line.strip()]
    folder = os.path.join(arguments.cache, arguments.shape)
    if not os.path.exists(os.path.join(folder, "config.json")):
        make(folder, arguments.shape, sentences, dtype)
    if arguments.make:
        return
    causal = arguments.shape in ("llama-7b", "llama-8b", "llama-small", "gpt2")
    kind = hf.AutoModelForCausalLM if causal else hf.AutoModelForMaskedLM
    model = kind.from_pretrained(folder, dtype=dtype).eval().cuda()
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    ask = lm.causal_queries if causal else lm.masked_queries
    sentences = sentences[:arguments.limit or None]
    everything, few = ask(tokenizer, sentences), ask(tokenizer, sentences[:arguments.slow_limit])
    scores = []
    with torch.inference_mode():
        for way in arguments.ways.split(","):
            queries = few if way == "authors" else everything
            run = {
                "authors": lambda: authors(model, queries),
                "plain": lambda: plain(model, queries, arguments.batch_tokens),
                "batched": lambda: batched(model, queries, arguments.batch_tokens),
            }[way]
            (authors(model, few[:8]) if way == "authors" else run())
            torch.cuda.synchronize()
            for number in range(arguments.rounds):
                started = time.perf_counter()
                scores = run()
                torch.cuda.synchronize()
                wall = time.perf_counter() - started
                print(json.dumps(dict(shape=arguments.shape, way=way, round=number + 1, texts=len(queries),
                                      tokens=sum(len(query[0]) for query in queries), dtype=arguments.dtype,
                                      batch_tokens=arguments.batch_tokens, wall_ms_per_text=round(1000 * wall / len(queries), 4), torch=torch.__version__,
                                      transformers=hf.__version__, device=torch.cuda.get_device_name())), flush=True)
    if arguments.scores:
        with open(arguments.scores, "w", encoding="utf-8") as file:
            file.writelines(f"{score:.7g}\n" for score in scores)


if __name__ == "__main__":
    main()
