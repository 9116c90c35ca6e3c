#!/usr/bin/env python3
"""How fast PyTorch and `transformers` give the GEST scores that `epicene-engine` gives: the peer of the speed comparison.

    pip install torch==2.6.0 transformers==4.57.6 tokenizers==0.22.2 safetensors==0.8.0 numpy onnx onnxruntime
    python benches/lm/peer.py CACHE SENTENCES.txt --shape bert-base --ways authors,batched,best --threads 1

CACHE is a folder outside the repository. A checkpoint of the shape asked for, with random weights and a tokenizer of the
real kind trained on SENTENCES.txt (one sentence per line), is made there on first use and kept, so that both engines
read the same files: CACHE/bert-base, CACHE/xlm-roberta-base, CACHE/gpt2.

Ways to the same score:
  authors  one text at a time, logits of every position over the whole vocabulary, softmax, two probabilities
  batched  padded batches in the order given, logits of every position over the whole vocabulary
  best     batches of texts of one length (no padding), hidden states only where they are read, two logits; for gpt2
           both templates from one pass
  onnx, onnx-int8
           as best, with the encoder in ONNX Runtime: in f32, and with weights and activations in eight bits
           (quantize_dynamic, per channel); masked shapes
`--literal` makes `authors` run the masculine and the feminine input apart, as the procedure says, although the two
masked inputs are the same.

Prints a JSON object per way and round: CPU and wall milliseconds per text (a sentence in one template) without start-up,
the time to load, the largest difference of a score from the first way, and the largest resident size so far.
"""
import argparse
import json
import math
import os
import resource
import sys
import time

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers as hf
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SEED = 20231118
MASKED = [('He said: "{}"', 'She said: "{}"'), ('The man said: "{}"', 'The woman said: "{}"'),
          ('"{}", he said.', '"{}", she said.'), ('"{}", the man said.', '"{}", the woman said.')]
CAUSAL = [('"{}",', "he", "she"), ('"{}", the', "man", "woman")]


# Checkpoints ---------------------------------------------------------------------------------------------------


def training_texts(sentences):
    return [template.format(sentence) for sentence in sentences for pair in MASKED for template in pair]


def word_piece(texts):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=8000, special_tokens=names, show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return tokenizer, dict(pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")


def unigram(texts):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    names = ["<s>", "<pad>", "</s>", "<unk>"]
    # The quotes would otherwise be learnt as parts of words, which no tokenizer of many languages does.
    apart = [text.replace('"', ' " ') for text in texts]
    tokenizer.train_from_iterator(apart, trainers.UnigramTrainer(vocab_size=8000, special_tokens=names, unk_token="<unk>", show_progress=False))
    data = json.loads(tokenizer.to_str())
    pieces = dict(map(tuple, data["model"]["vocab"]))
    for word in ["▁He", "▁She", "▁he", "▁she", "▁man", "▁woman"]:
        pieces.setdefault(word, -5.0)
    data["model"]["vocab"] = [list(piece) for piece in pieces.items()]
    tokenizer = Tokenizer.from_str(json.dumps(data))
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, normalized=False)])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", unk_token="<unk>", pad_token="<pad>",
                           mask_token="<mask>")


def byte_pairs(texts):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=8000, special_tokens=["<|endoftext|>"], initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False))
    return tokenizer, dict(bos_token="<|endoftext|>", eos_token="<|endoftext|>", unk_token="<|endoftext|>", pad_token="<|endoftext|>")


SHAPES = {
    "bert-base": (word_piece, lambda: hf.BertForMaskedLM(hf.BertConfig())),
    "xlm-roberta-base": (unigram, lambda: hf.XLMRobertaForMaskedLM(hf.XLMRobertaConfig(
        vocab_size=250002, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5))),
    "gpt2": (byte_pairs, lambda: hf.GPT2LMHeadModel(hf.GPT2Config())),
}


def make(folder, shape, sentences):
    make_tokenizer, make_model = SHAPES[shape]
    tokenizer, roles = make_tokenizer(training_texts(sentences))
    torch.manual_seed(SEED)
    model = make_model()
    hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=512, **roles).save_pretrained(folder)
    model.save_pretrained(folder + ".part")
    for file in os.listdir(folder + ".part"):
        os.replace(os.path.join(folder + ".part", file), os.path.join(folder, file))
    os.rmdir(folder + ".part")


# Queries: input ids, the position that is read, the two words compared there ------------------------------------


def masked_queries(tokenizer, sentences):
    queries = []
    for masculine, feminine in MASKED:
        pairs = zip(tokenizer([masculine.format(s) for s in sentences])["input_ids"],
                    tokenizer([feminine.format(s) for s in sentences])["input_ids"])
        for m, f in pairs:
            differing = [index for index, (a, b) in enumerate(zip(m, f)) if a != b]
            if len(differing) != 1 or len(m) != len(f):
                raise SystemExit(f"the words compared are not one token: {tokenizer.convert_ids_to_tokens(m)}")
            position = differing[0]
            ids = m[:position] + [tokenizer.mask_token_id] + m[position + 1:]
            queries.append((ids, position, m[position], f[position]))
    return queries


def causal_queries(tokenizer, sentences):
    queries = []
    for prompt, masculine, feminine in CAUSAL:
        words = [tokenizer(" " + word)["input_ids"] for word in (masculine, feminine)]
        if any(len(word) != 1 for word in words):
            raise SystemExit(f"the words compared are not one token: {words}")
        for ids in tokenizer([prompt.format(s) for s in sentences])["input_ids"]:
            queries.append((ids, len(ids) - 1, words[0][0], words[1][0]))
    return queries


# The ways --------------------------------------------------------------------------------------------------


def authors(model, tokenizer, queries, arguments):
    masked = tokenizer.mask_token_id is not None
    scores = []
    for ids, position, masculine, feminine in queries:
        inputs = torch.tensor([ids])
        values = []
        for word in (masculine, feminine):
            if not values or (arguments.literal and masked):
                table = torch.softmax(model(inputs, attention_mask=torch.ones_like(inputs)).logits, dim=-1)
            values.append(math.log10(table[0, position, word].item()))
        scores.append(values[0] - values[1])
    return scores


def batched(model, tokenizer, queries, arguments):
    scores = []
    for start in range(0, len(queries), arguments.batch):
        part = queries[start:start + arguments.batch]
        longest = max(len(ids) for ids, *_ in part)
        inputs = torch.full((len(part), longest), tokenizer.pad_token_id)
        attention = torch.zeros_like(inputs)
        for row, (ids, *_) in enumerate(part):  # padded on the right: a causal model does not see it
            inputs[row, :len(ids)] = torch.tensor(ids)
            attention[row, :len(ids)] = 1
        logits = model(inputs, attention_mask=attention).logits
        rows = torch.log_softmax(logits[torch.arange(len(part)), [position for _, position, _, _ in part]], dim=-1)
        for row, (_, _, masculine, feminine) in zip(rows, part):
            scores.append((row[masculine] - row[feminine]).item() / math.log(10))
    return scores


def head_rows(model):
    """What turns hidden states into the vectors that meet the vocabulary, the vocabulary matrix, its bias."""
    if hasattr(model, "cls"):
        return model.bert, model.cls.predictions.transform, model.cls.predictions.decoder.weight, model.cls.predictions.decoder.bias
    if hasattr(model, "roberta"):
        head = model.lm_head
        return model.roberta, lambda x: head.layer_norm(torch.nn.functional.gelu(head.dense(x))), head.decoder.weight, head.decoder.bias
    return model.transformer, lambda x: x, model.lm_head.weight, None


def onnx_encoder(model, arguments, quantised):
    """The encoder as a session of ONNX Runtime; exported and quantised on first use."""
    import onnxruntime as ort

    folder = os.path.join(arguments.cache, arguments.shape)
    exact, small = os.path.join(folder, "encoder.onnx"), os.path.join(folder, "encoder.int8.onnx")
    if not os.path.exists(exact):
        encoder = head_rows(model)[0]
        ids = torch.ones((2, 9), dtype=torch.long)
        axes = {name: {0: "texts", 1: "tokens"} for name in ["input_ids", "attention_mask", "hidden"]}
        encoder.config.return_dict = False
        torch.onnx.export(encoder, (ids, torch.ones_like(ids)), exact, input_names=["input_ids", "attention_mask"], output_names=["hidden"],
                          dynamic_axes=axes, opset_version=17)
        encoder.config.return_dict = True
    if quantised and not os.path.exists(small):
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(exact, small, weight_type=QuantType.QInt8, per_channel=True)
    options = ort.SessionOptions()
    options.intra_op_num_threads = arguments.threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = ort.InferenceSession(small if quantised else exact, options, providers=["CPUExecutionProvider"])

    def encode(ids):
        hidden = session.run(["hidden"], {"input_ids": ids.numpy(), "attention_mask": torch.ones_like(ids).numpy()})
        return torch.from_numpy(hidden[0])

    return encode


SESSIONS = {}


def onnx(model, tokenizer, queries, arguments, quantised=False):
    if quantised not in SESSIONS:
        SESSIONS[quantised] = onnx_encoder(model, arguments, quantised)
    return best(model, tokenizer, queries, arguments, SESSIONS[quantised])


def onnx_int8(model, tokenizer, queries, arguments):
    return onnx(model, tokenizer, queries, arguments, quantised=True)


def best(model, tokenizer, queries, arguments, encode=None):
    encoder, transform, weight, bias = head_rows(model)
    encode = encode or (lambda ids: encoder(ids).last_hidden_state)
    # A causal text that another one begins with is read from the longer one's pass.
    passes = {}
    if tokenizer.mask_token_id is None:
        half = len(queries) // 2
        for index in range(half):
            short, long = queries[index][0], queries[half + index][0]
            if long[:len(short)] == short:
                passes[half + index] = (long, [index, half + index])
            else:
                passes[index], passes[half + index] = (short, [index]), (long, [half + index])
    else:
        passes = {index: (query[0], [index]) for index, query in enumerate(queries)}
    ordered = sorted(passes.values(), key=lambda one: len(one[0]))
    scores = [0.0] * len(queries)
    start = 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and end - start < arguments.batch and len(ordered[end][0]) == len(ordered[start][0]):
            end += 1
        part = ordered[start:end]
        start = end
        hidden = encode(torch.tensor([ids for ids, _ in part]))
        read = [(row, index) for row, (_, indices) in enumerate(part) for index in indices]
        vectors = transform(hidden[[row for row, _ in read], [queries[index][1] for _, index in read]])
        masculine = torch.tensor([queries[index][2] for _, index in read])
        feminine = torch.tensor([queries[index][3] for _, index in read])
        values = (vectors * (weight[masculine] - weight[feminine])).sum(-1)
        if bias is not None:
            values = values + bias[masculine] - bias[feminine]
        for (_, index), value in zip(read, values.tolist()):
            scores[index] = value / math.log(10)
    return scores


WAYS = {"authors": authors, "batched": batched, "best": best, "onnx": onnx, "onnx-int8": onnx_int8}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("sentences", help="text file, one sentence per line")
    parser.add_argument("--shape", choices=SHAPES, default="bert-base")
    parser.add_argument("--ways", default="authors,batched,best")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=int, default=200, help="sentences used")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=1, help="the ways take turns this many times")
    parser.add_argument("--literal", action="store_true")
    parser.add_argument("--scores", help="write the scores of the last way, one per line, templates one after another")
    parser.add_argument("--make", action="store_true", help="only make the checkpoint")
    arguments = parser.parse_args()
    hf.logging.set_verbosity_error()
    torch.set_num_threads(arguments.threads)
    torch.set_num_interop_threads(1)

    with open(arguments.sentences, encoding="utf-8") as file:
        sentences = [line.strip() for line in file if line.strip()]
    folder = os.path.join(arguments.cache, arguments.shape)
    if not os.path.exists(os.path.join(folder, "model.safetensors")):
        make(folder, arguments.shape, sentences)
    if arguments.make:
        return
    sentences = sentences[:arguments.limit]

    started = time.process_time()
    causal = arguments.shape == "gpt2"
    model = (hf.AutoModelForCausalLM if causal else hf.AutoModelForMaskedLM).from_pretrained(folder, dtype=torch.float32).eval()
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    load = time.process_time() - started
    ask = causal_queries if causal else masked_queries
    with torch.no_grad():
        for way in arguments.ways.split(","):
            WAYS[way](model, tokenizer, ask(tokenizer, sentences[:2]), arguments)  # warm up
        first = None
        for number in range(arguments.rounds):
            for way in arguments.ways.split(","):
                wall, cpu = time.perf_counter(), time.process_time()
                queries = ask(tokenizer, sentences)
                scores = WAYS[way](model, tokenizer, queries, arguments)
                cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
                first = first or scores
                print(json.dumps(dict(
                    shape=arguments.shape, way=way, round=number + 1, threads=arguments.threads, sentences=len(sentences), texts=len(queries),
                    tokens=sum(len(query[0]) for query in queries), cpu_ms_per_text=round(1000 * cpu / len(queries), 3),
                    wall_ms_per_text=round(1000 * wall / len(queries), 3), load_cpu_s=round(load, 2),
                    largest_difference=max(abs(a - b) for a, b in zip(first, scores)),
                    peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                    torch=torch.__version__, transformers=hf.__version__)), flush=True)
    if arguments.scores:
        with open(arguments.scores, "w", encoding="utf-8") as file:
            file.writelines(f"{score:.7g}\n" for score in scores)


if __name__ == "__main__":
    sys.exit(main())
