#!/usr/bin/env python3
"""AULA and CPS of CrowS-Pairs with PyTorch and `transformers`, beside `epicene score`: the speed comparison of benches/mbe.

    pip install torch==2.6.0 transformers==4.57.6 tokenizers==0.22.2 safetensors==0.8.0
    python benches/mbe/peer.py CACHE crows_pairs.csv --task cps --epicene target/release/epicene

CACHE/bert-base is a bert-base-shaped checkpoint with random weights (seed below) and a WordPiece vocabulary learnt from
the pairs; it is made on first use, so that both engines read the same files.

The ways:
  aula  authors   one sentence a pass, with the attention of all layers (the AUL and MBE scripts)
  cps   authors   one masked position a pass (the CrowS-Pairs script, and the definition)
  cps   sentence  all masked positions of a sentence in one pass (the AUL script)
  both  epicene   `epicene score`

Prints a JSON object for each way, with the ratio of its wall and processor time to epicene's and the largest difference
of a score. No padding anywhere, float32 everywhere, log-probabilities over the whole vocabulary.
"""
import argparse
import csv
import difflib
import json
import os
import resource
import subprocess
import sys
import time

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers as hf
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SEED = 20220707


def make(folder, texts):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(texts, trainers.WordPieceTrainer(vocab_size=8000, special_tokens=names, show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    roles = dict(pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
    hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=512, **roles).save_pretrained(folder)
    torch.manual_seed(SEED)
    hf.BertForMaskedLM(hf.BertConfig()).save_pretrained(folder)


def aula(model, tokenizer, pairs):
    scores = []
    for pair in pairs:
        values = []
        for text in pair:
            ids = tokenizer(text, return_tensors="pt")["input_ids"]
            output = model(ids, output_attentions=True, output_hidden_states=True)
            log_probabilities = output.logits[0].log_softmax(-1)
            own = log_probabilities.gather(1, ids.view(-1, 1))[1:-1, 0]
            attention = torch.cat(output.attentions, 0).mean(0).mean(0).mean(0)[1:-1]
            values.append((own * attention).mean().item())
        scores.append(values)
    return scores


def shared(tokenizer, pair):
    first, second = (tokenizer(text)["input_ids"] for text in pair)
    matcher = difflib.SequenceMatcher(None, [str(x) for x in first], [str(x) for x in second])
    spans = ([], [])
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            spans[0].extend(range(i1, i2))
            spans[1].extend(range(j1, j2))
    return [(torch.tensor([ids]), span[1:-1]) for ids, span in ((first, spans[0]), (second, spans[1]))]


def cps(model, tokenizer, pairs):
    scores = []
    for pair in pairs:
        values = []
        for ids, span in shared(tokenizer, pair):
            total = 0.0
            for position in span:
                masked = ids.clone()
                masked[0, position] = tokenizer.mask_token_id
                total += model(masked).logits[0, position].log_softmax(-1)[ids[0, position]].item()
            values.append(total)
        scores.append(values)
    return scores


def cps_by_sentence(model, tokenizer, pairs):
    scores = []
    for pair in pairs:
        values = []
        for ids, span in shared(tokenizer, pair):
            masked = ids.repeat(len(span), 1)
            rows = range(len(span))
            masked[rows, span] = tokenizer.mask_token_id
            own = model(masked).logits[rows, span].log_softmax(-1)[rows, ids[0, span]]
            values.append(own.sum().item())
        scores.append(values)
    return scores


WAYS = {"aula": {"authors": aula}, "cps": {"authors": cps, "sentence": cps_by_sentence}}


def run_epicene(arguments, folder, pairs):
    """Scores, wall seconds, processor seconds, peak memory of the whole command."""
    command = [arguments.epicene, "score", "--model", f"dir:{folder}", "--task", arguments.task, "--threads", str(arguments.threads), "--quiet"]
    lines = "".join(json.dumps({"id": i, "texts": pair}) + "\n" for i, pair in enumerate(pairs))
    before, wall = os.times(), time.perf_counter()
    done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True)
    wall, after = time.perf_counter() - wall, os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return [json.loads(line)[arguments.task] for line in done.stdout.splitlines()], wall, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("pairs", help="CSV with sent_more, sent_less and bias_type")
    parser.add_argument("--task", choices=WAYS, default="aula")
    parser.add_argument("--epicene", help="the binary")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=0, help="pairs used")
    parser.add_argument("--make", action="store_true", help="only make the checkpoint")
    arguments = parser.parse_args()
    hf.logging.set_verbosity_error()
    torch.set_num_threads(arguments.threads)
    torch.set_num_interop_threads(1)

    with open(arguments.pairs, encoding="utf-8") as file:
        pairs = [[row["sent_more"], row["sent_less"]] for row in csv.DictReader(file) if row["bias_type"] == "gender"]
    folder = os.path.join(arguments.cache, "bert-base")
    if not os.path.exists(os.path.join(folder, "model.safetensors")):
        make(folder, [text for pair in pairs for text in pair])
    if arguments.make:
        return
    pairs = pairs[:arguments.limit or None]

    _, load_wall, load_cpu = run_epicene(arguments, folder, [])
    ours, total_wall, total_cpu = run_epicene(arguments, folder, pairs)
    wall, cpu = total_wall - load_wall, total_cpu - load_cpu
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    facts = dict(task=arguments.task, pairs=len(pairs), threads=arguments.threads,
                 tokens=sum(len(tokenizer(text)["input_ids"]) for pair in pairs for text in pair))
    print(json.dumps(dict(facts, way="epicene", wall_s=round(wall, 2), cpu_s=round(cpu, 2), total_wall_s=round(total_wall, 2),
                          peak_mb=resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)), flush=True)
    # Attentions are only given out by the eager form; elsewhere the library's default is the faster one.
    eager = {"attn_implementation": "eager"} if arguments.task == "aula" else {}
    model = hf.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32, **eager).eval()
    with torch.no_grad():
        for name, way in WAYS[arguments.task].items():
            way(model, tokenizer, pairs[:1])  # warm up
            started_wall, started_cpu = time.perf_counter(), time.process_time()
            scores = way(model, tokenizer, pairs)
            peer_cpu, peer_wall = time.process_time() - started_cpu, time.perf_counter() - started_wall
            difference = max(abs(a - b) for ours, theirs in zip(ours, scores) for a, b in zip(ours, theirs))
            print(json.dumps(dict(
                facts, way=name, wall_s=round(peer_wall, 2), cpu_s=round(peer_cpu, 2), wall_ratio=round(peer_wall / wall, 2),
                cpu_ratio=round(peer_cpu / cpu, 2), largest_difference=difference,
                peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, torch=torch.__version__, transformers=hf.__version__)), flush=True)


if __name__ == "__main__":
    sys.exit(main())
