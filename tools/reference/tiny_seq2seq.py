#!/usr/bin/env python3
"""Tiny random translation models of every architecture of `epicene_lm::seq2seq`, with what `transformers` generates from
them; the judge of `crates/engine/engine/tests/it/seq2seq.rs`.

    pip install torch==2.6.0 transformers==4.57.6 tokenizers==0.22.2 safetensors==0.8.0 sentencepiece==0.2.2 numpy==2.4.6
    python tools/reference/tiny_seq2seq.py crates/engine/engine/tests/seq2seq            # all of them
    python tools/reference/tiny_seq2seq.py crates/engine/engine/tests/seq2seq marian t5  # some
    python tools/reference/tiny_seq2seq.py --judge crates/engine/engine/tests/seq2seq    # golden.json of those there are

Every checkpoint is a folder with config.json, generation_config.json, safetensors, the tokenizer's files and
golden.json. Weights come from NumPy's PCG64 seeded with SEED and the name of the checkpoint. Matrices are larger than a
fresh model's, so that distributions are peaked and hypotheses differ. golden.json is computed from the saved files, read
back in float32 with eager attention, one sentence at a time, no padding.

golden.json: `from` and `to`; `sentences`: text and ids of the encoder's input; `runs`: each with `options` (what is given
to `generate`) and for each of its sentences ids (from the decoder's first token on), text and score. The score of beam
search is `sequences_scores`; of greedy search the sum of the chosen tokens' log-probabilities over the number of tokens,
forced tokens counting 0, as a beam of one would have it.
"""
import argparse
import io
import json
import os
import shutil
import sys
import tempfile
import zlib

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import sentencepiece as spm
import torch
import transformers as hf

sys.path.insert(0, os.path.dirname(__file__))

SEED = 20260115
LONGEST = 22

# What the SentencePiece models are trained on; the target side is another language.
SOURCE = """
The doctor asked the nurse to help her. The nurse asked the doctor to wait. The teacher wrote a letter to the manager.
I was tired when I came home. I am a good friend. She was the first engineer in the town. He was the last one to leave.
The cook burned the soup because he was late. The baker sold bread to the lawyer. They said that they were happy.
My sister drives a lorry. My brother takes care of the children. The president met the secretary at the station.
I have never been so angry. I bought a new car yesterday. Nobody asked me what I think. It's not my fault, is it?
The mechanic gave the clerk a present. The farmer likes the painter. The guard looked at the visitor and smiled.
We were walking in the garden when it began to rain. You should have seen the house. What do you want to do today?
The cleaner found the keys of the analyst under the table. The driver told the passenger that she was early.
He said: "I was strong." She said: "I was proud." The judge read the book to the end. The writer read it twice.
An old woman sat by the river. A young man stood on the bridge. The boy and the girl played with the dog.
""".replace("\n", " ")
TARGET = """
Die Ärztin bat den Pfleger, ihr zu helfen. Der Pfleger bat die Ärztin zu warten. Die Lehrerin schrieb dem Leiter einen Brief.
Ich war müde, als ich nach Hause kam. Ich bin eine gute Freundin. Sie war die erste Ingenieurin in der Stadt. Er ging als Letzter.
Der Koch ließ die Suppe anbrennen, weil er zu spät kam. Die Bäckerin verkaufte dem Anwalt Brot. Sie sagten, sie seien glücklich.
Meine Schwester fährt einen Lastwagen. Mein Bruder kümmert sich um die Kinder. Die Präsidentin traf den Sekretär am Bahnhof.
Ich war noch nie so wütend. Ich habe gestern ein neues Auto gekauft. Niemand hat mich gefragt, was ich denke. Das ist nicht meine Schuld.
Der Mechaniker gab der Angestellten ein Geschenk. Die Bäuerin mag den Maler. Der Wächter sah die Besucherin an und lächelte.
Wir gingen im Garten spazieren, als es zu regnen begann. Du hättest das Haus sehen sollen. Was willst du heute machen?
Die Putzkraft fand die Schlüssel der Analystin unter dem Tisch. Der Fahrer sagte der Reisenden, dass sie zu früh sei.
Er sagte: „Ich war stark.“ Sie sagte: „Ich war stolz.“ Die Richterin las das Buch zu Ende. Der Schriftsteller las es zweimal.
""".replace("\n", " ")

# Rules of the tests' normaliser, in SentencePiece's format: source code points, tab, target code points. Ligatures, full
# width, spaces of all kinds, things that vanish, a sequence whose beginning is a rule too.
RULES = "\n".join([
    "A0\t20", "9\t20", "A\t20", "3000\t20", "2009\t20", "FB01\t66 69", "FB02\t66 6C", "FF21\t41", "FF42\t62", "2026\t2E 2E 2E",
    "200B\t", "AD\t", "61 301\tE1", "65 301\tE9", "61 308\tE4", "61 308 301\tE1", "BD\t31 2044 32", "2126\t3A9", "",
])

# Text that spells special tokens and language codes is compared by translator_tokenizers.py.
JUDGED = [
    "The doctor asked the nurse to help her.",
    "I was tired.",
    "It's not my fault, is it?",
    "He said: \"I was strong.\"",
    "  The  nurse   was late  . ",
    "I met José at a café in Kraków – it cost 5 € and I paid.",
    "Café, café\u0301, cafe\u0301, a\u0308, a\u0308\u0301 and a\u0301!",
    "The \ufb01rst \ufb02oor of \uff21\uff42c is … ½ done.",
    "no\u00adhyphen zero\u200bwidth\u00a0nbsp\u3000wide\ttab",
    "I said 'naïve' and 日本 on the radio 😀😀.",
    "X",
    "a",
    "…",
    "12,345.67 % of 3 × 4",
    "The mechanic gave the clerk a present because she had finished the work of the week early.",
    "ALL CAPITALS AND lower",
    "▁ literal mark ▁▁ twice",
    "What do you want to do today? Nobody asked me what I think.",
    "less < more > less",
    "it says >> quoted << text",
]


def judged():
    """50 sentences: those above, then combinations of the training text."""
    sentences = list(JUDGED)
    subjects = ["The doctor", "My sister", "An old woman", "The baker", "Nobody", "The young engineer"]
    verbs = ["asked", "met", "likes", "looked at", "gave a letter to"]
    objects = ["the manager", "the nurse and the cook", "me", "the driver of the lorry", "her brother"]
    tails = [".", " at the station.", " because he was late.", "!", ", is it?", " yesterday, when it began to rain."]
    index = 0
    while len(sentences) < 50:
        sentences.append(subjects[index % 6] + " " + verbs[index % 5] + " " + objects[(index // 2) % 5] + tails[(index * 5 + index // 6) % 6])
        index += 1
    return sentences


def train_spm(text, size, kind, rules=True, **options):
    sentences = [part.strip() + "." for part in text.split(". ") if part.strip()]
    model = io.BytesIO()
    if rules:
        path = f"/tmp/epicene-rules-{os.getpid()}.tsv"
        with open(path, "w") as file:
            file.write(RULES)
        options["normalization_rule_tsv"] = path
    spm.SentencePieceTrainer.train(sentence_iterator=iter(sentences * 3), model_writer=model, vocab_size=size, model_type=kind,
                                   character_coverage=1.0, minloglevel=2, num_threads=1, **options)
    if rules:
        os.remove(path)
    return model.getvalue()


def pieces_of(model):
    processor = spm.SentencePieceProcessor(model_proto=model)
    return [processor.id_to_piece(i) for i in range(processor.get_piece_size())]


def write(folder, name, data):
    mode = "wb" if isinstance(data, bytes) else "w"
    with open(os.path.join(folder, name), mode) as file:
        file.write(data if isinstance(data, (bytes, str)) else json.dumps(data, ensure_ascii=False, indent=0) + "\n")


def fill(model, name, scale=0.4, embedding=0.25):
    """Random numbers for every parameter, from the name alone."""
    generator = np.random.Generator(np.random.PCG64([SEED, zlib.crc32(name.encode())]))
    seen = set()
    for key, tensor in sorted(model.state_dict().items()):
        if tensor.data_ptr() in seen or "embed_positions" in key and "marian" in name:
            continue
        seen.add(tensor.data_ptr())
        shape = tuple(tensor.shape)
        draw = generator.standard_normal(shape)
        if "layer_norm" in key or "layernorm" in key:
            values = 1.0 + 0.2 * draw if key.endswith("weight") else 0.05 * draw
        elif key.endswith("bias"):
            values = 0.4 * draw if key == "final_logits_bias" else 0.1 * draw
        elif "shared" in key or "embed_tokens" in key or "lm_head" in key:
            values = embedding * draw
        elif "encoder_attn" in key or "EncDecAttention" in key:
            values = 2.5 * scale * draw  # the source decides more than the last token does
        else:
            values = scale * draw
        with torch.no_grad():
            tensor.copy_(torch.from_numpy(np.ascontiguousarray(values)).to(tensor.dtype))


def tune(model, encode, tokenizer):
    """Makes the end of a sentence as likely as gives the most different lengths."""
    end = model.generation_config.eos_token_id
    state = model.state_dict()
    biased = "final_logits_bias" in state
    row = state["final_logits_bias"][0, end] if biased else state["lm_head.weight"][end]
    before = row.clone()
    inputs = [encode(tokenizer, text) for text in judged()]
    best = (-1.0, None)
    for step in range(13):
        with torch.no_grad():
            row.copy_(before + 0.5 * step if biased else before * (0.6 + 0.15 * step))
            found = [model.generate(ids, **forced, num_beams=5, do_sample=False)[0].tolist() for ids, forced in inputs]
        quality = len({len(ids) for ids in found}) + len({tuple(ids) for ids in found}) / 10
        if quality > best[0]:
            best = (quality, row.clone())
    with torch.no_grad():
        row.copy_(best[1])


# ---------------------------------------------------------------------------------------------------------------
# One function for each checkpoint: writes the folder's tokenizer, returns model, `from`, `to` and how to encode.


def marian(folder, name, multilingual=False, separate=False, kind="unigram", activation="swish"):
    source = train_spm(SOURCE, 180 if kind == "unigram" else 230, kind)
    target = train_spm(TARGET, 190 if kind == "unigram" else 230, kind)
    write(folder, "source.spm", source)
    write(folder, "target.spm", target)
    codes = [">>deu<<", ">>ces<<", ">>spa<<"] if multilingual else []

    def vocabulary(*models):
        words = ["</s>", "<unk>"] + (["<pad>"] if separate else [])
        for model in models:
            words += [p for p in pieces_of(model) if p not in words and p not in ("<s>",)]
        return {word: index for index, word in enumerate(words + codes + ([] if separate else ["<pad>"]))}

    settings = {"source_lang": "eng", "target_lang": "mul" if multilingual else "deu", "tokenizer_class": "MarianTokenizer", "model_max_length": 512}
    if separate:
        vocab, target_vocab = vocabulary(source), vocabulary(target)
        write(folder, "target_vocab.json", target_vocab)
        settings["separate_vocabs"] = True
    else:
        vocab = target_vocab = vocabulary(source, target)
    write(folder, "vocab.json", vocab)
    write(folder, "tokenizer_config.json", settings)
    config = hf.MarianConfig(
        vocab_size=len(vocab), decoder_vocab_size=len(target_vocab), d_model=24 if separate else 32, encoder_layers=2, decoder_layers=3 if separate else 2,
        encoder_ffn_dim=48, decoder_ffn_dim=40, encoder_attention_heads=4, decoder_attention_heads=2 if separate else 4,
        max_position_embeddings=64, activation_function=activation, scale_embedding=True, share_encoder_decoder_embeddings=not separate,
        tie_word_embeddings=not separate, pad_token_id=target_vocab["<pad>"], eos_token_id=0, decoder_start_token_id=target_vocab["<pad>"],
        forced_eos_token_id=0)
    model = hf.MarianMTModel(config)
    fill(model, name)
    model.generation_config = hf.GenerationConfig(
        bad_words_ids=[[target_vocab["<pad>"]]], decoder_start_token_id=target_vocab["<pad>"], eos_token_id=0, forced_eos_token_id=0,
        pad_token_id=target_vocab["<pad>"], bos_token_id=0, max_length=LONGEST, num_beams=4, renormalize_logits=not separate)
    prefix = ">>deu<< " if multilingual else ""

    def encode(tokenizer, text):
        return tokenizer(prefix + text, return_tensors="pt").input_ids, {}

    return model, "en", "de", encode


def m2m_codes():
    from transformers.models.m2m_100 import tokenization_m2m_100

    return tokenization_m2m_100.FAIRSEQ_LANGUAGE_CODES["m2m100"]


def m2m_100(folder, name):
    model_file = train_spm(SOURCE + TARGET, 260, "bpe")
    write(folder, "sentencepiece.bpe.model", model_file)
    words = ["<s>", "<pad>", "</s>", "<unk>"]
    words += [p for p in pieces_of(model_file) if p not in words]
    write(folder, "vocab.json", {word: index for index, word in enumerate(words)})
    write(folder, "tokenizer_config.json", {"tokenizer_class": "M2M100Tokenizer", "model_max_length": 1024, "num_madeup_words": 8,
                                            "additional_special_tokens": [f"__{code}__" for code in m2m_codes()]})
    config = hf.M2M100Config(
        vocab_size=len(words) + 100 + 8, d_model=32, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=48, decoder_ffn_dim=40,
        encoder_attention_heads=4, decoder_attention_heads=4, max_position_embeddings=64, activation_function="relu", scale_embedding=True,
        pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2)
    model = hf.M2M100ForConditionalGeneration(config)
    fill(model, name)
    model.generation_config = hf.GenerationConfig(
        decoder_start_token_id=2, eos_token_id=2, pad_token_id=1, bos_token_id=0, max_length=LONGEST, num_beams=5, early_stopping=True)

    def encode(tokenizer, text):
        tokenizer.src_lang = "en"
        return tokenizer(text, return_tensors="pt").input_ids, {"forced_bos_token_id": tokenizer.get_lang_id("de")}

    return model, "en", "de", encode


NLLB_CODES = ["ces_Latn", "deu_Latn", "eng_Latn", "fra_Latn", "spa_Latn", "zho_Hans"]


def nllb(folder, name):
    model_file = train_spm(SOURCE + TARGET, 260, "bpe")
    write(folder, "sentencepiece.bpe.model", model_file)
    path = os.path.join(folder, "sentencepiece.bpe.model")
    tokenizer = hf.NllbTokenizerFast(path, additional_special_tokens=NLLB_CODES, src_lang="eng_Latn", tgt_lang="deu_Latn")
    tokenizer.save_pretrained(folder)
    os.remove(path)
    config = hf.M2M100Config(
        vocab_size=len(tokenizer), d_model=32, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=48, decoder_ffn_dim=40,
        encoder_attention_heads=4, decoder_attention_heads=4, max_position_embeddings=64, activation_function="relu", scale_embedding=True,
        pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2)
    model = hf.M2M100ForConditionalGeneration(config)
    fill(model, name)
    model.generation_config = hf.GenerationConfig(
        decoder_start_token_id=2, eos_token_id=2, pad_token_id=1, bos_token_id=0, max_length=LONGEST)

    def encode(tokenizer, text):
        tokenizer.src_lang = "eng_Latn"
        return tokenizer(text, return_tensors="pt").input_ids, {"forced_bos_token_id": tokenizer.convert_tokens_to_ids("deu_Latn")}

    return model, "en", "de", encode


def mbart50(folder, name):
    model_file = train_spm(SOURCE + TARGET, 200, "unigram")
    write(folder, "sentencepiece.bpe.model", model_file)
    path = os.path.join(folder, "sentencepiece.bpe.model")
    tokenizer = hf.MBart50TokenizerFast(path, src_lang="en_XX", tgt_lang="de_DE")
    tokenizer.save_pretrained(folder)
    write(folder, "sentencepiece.bpe.model", model_file)
    config = hf.MBartConfig(
        vocab_size=len(tokenizer), d_model=32, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=48, decoder_ffn_dim=40,
        encoder_attention_heads=4, decoder_attention_heads=4, max_position_embeddings=64, activation_function="relu", scale_embedding=True,
        pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2)
    model = hf.MBartForConditionalGeneration(config)
    fill(model, name)
    model.generation_config = hf.GenerationConfig(
        decoder_start_token_id=2, eos_token_id=2, pad_token_id=1, bos_token_id=0, forced_eos_token_id=2, max_length=LONGEST, num_beams=5,
        early_stopping=True)

    def encode(tokenizer, text):
        tokenizer.src_lang = "en_XX"
        return tokenizer(text, return_tensors="pt").input_ids, {"forced_bos_token_id": tokenizer.convert_tokens_to_ids("de_DE")}

    return model, "en", "de", encode


def t5(folder, name, gated=False):
    options = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}
    codes = ["<2de>", "<2cs>"] if gated else []
    model_file = train_spm(SOURCE + TARGET, 220, "unigram", user_defined_symbols=codes, **options)
    write(folder, "spiece.model", model_file)
    tokenizer = hf.T5TokenizerFast(os.path.join(folder, "spiece.model"), extra_ids=0, legacy=True)
    tokenizer.save_pretrained(folder)
    os.remove(os.path.join(folder, "spiece.model"))
    config = hf.T5Config(
        vocab_size=len(tokenizer) + 4, d_model=32, d_kv=10, d_ff=48, num_layers=2, num_decoder_layers=2, num_heads=3,
        relative_attention_num_buckets=8, relative_attention_max_distance=12, feed_forward_proj="gated-gelu" if gated else "relu",
        tie_word_embeddings=not gated, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0)
    if not gated:
        config.task_specific_params = {"translation_en_to_de": {"prefix": "translate English to German: ", "num_beams": 4, "early_stopping": True}}
    model = hf.T5ForConditionalGeneration(config)
    fill(model, name, scale=0.2, embedding=1.0 if gated else 3.0)  # attention is not scaled: more would be chaos
    prefix = "<2de> " if gated else "translate English to German: "
    model.generation_config = hf.GenerationConfig(decoder_start_token_id=0, eos_token_id=1, pad_token_id=0, max_length=LONGEST)

    def encode(tokenizer, text):
        return tokenizer(prefix + text, return_tensors="pt").input_ids, {}

    return model, "en", "de", encode


CHECKPOINTS = {
    "marian": marian,
    "marian-multilingual": lambda folder, name: marian(folder, name, multilingual=True),
    "marian-separate": lambda folder, name: marian(folder, name, separate=True, kind="bpe", activation="relu"),
    "m2m_100": m2m_100,
    "nllb": nllb,
    "mbart50": mbart50,
    "t5": t5,
    "t5-gated": lambda folder, name: t5(folder, name, gated=True),
}

RUNS = [
    (50, {"num_beams": 1}),
    (50, {"num_beams": 5}),
    (12, {"num_beams": 3, "length_penalty": 0.6, "early_stopping": "never", "no_repeat_ngram_size": 2}),
    (12, {"num_beams": 4, "length_penalty": 2.0, "early_stopping": True, "max_new_tokens": 9}),
    (12, {"num_beams": 5, "length_penalty": -1.0, "early_stopping": False, "bad_words_ids": [[7], [8, 9], [12]], "min_length": 6}),
    (12, {"num_beams": 1, "no_repeat_ngram_size": 1, "repetition_penalty": 1.3}),
]


def greedy_score(model, output, options):
    """Mean log-probability of the chosen tokens, after the processors that beam search applies to log-probabilities."""
    ids = output.sequences[0].tolist()
    total = 0.0
    for step, (scores, logits) in enumerate(zip(output.scores, output.logits)):
        token = ids[step + 1]
        forced = torch.isinf(scores[0]).sum() == scores.shape[1] - 1
        if forced:
            continue
        log_probs = torch.log_softmax(logits[0].float(), -1)
        if model.generation_config.renormalize_logits:
            log_probs = log_probs.masked_fill(torch.isinf(scores[0]), float("-inf"))
            log_probs = torch.log_softmax(log_probs, -1)
        total += float(log_probs[token])
    return total / (len(ids) - 1)


def open_tokenizer(folder, model):
    names = {"marian": "MarianTokenizer", "t5": "T5TokenizerFast", "mbart": "MBart50TokenizerFast", "m2m_100": "M2M100Tokenizer"}
    name = names[model.config.model_type]
    if name.startswith("M2M") and os.path.exists(os.path.join(folder, "tokenizer.json")):
        name = "NllbTokenizerFast"
    return getattr(hf, name).from_pretrained(folder)


def judge(folder, source, target, encode):
    model = hf.AutoModelForSeq2SeqLM.from_pretrained(folder, attn_implementation="eager").eval()
    tokenizer = open_tokenizer(folder, model)
    texts = judged()
    golden = {"from": source, "to": target, "sentences": [], "runs": []}
    inputs = [encode(tokenizer, text) for text in texts]
    for text, (ids, _) in zip(texts, inputs):
        golden["sentences"].append({"text": text, "ids": ids[0].tolist()})
    for count, options in RUNS:
        results = []
        lengths = []
        for ids, forced in inputs[:count]:
            with torch.no_grad():
                output = model.generate(ids, **forced, **options, do_sample=False, return_dict_in_generate=True, output_scores=True, output_logits=True)
            sequence = output.sequences[0].tolist()
            if options["num_beams"] > 1:
                score = float(output.sequences_scores[0])
            elif "repetition_penalty" in options:
                score = None
            else:
                score = greedy_score(model, output, options)
            lengths.append(len(sequence))
            known = [token for token in sequence if tokenizer.convert_ids_to_tokens(token) not in (None, "<unk>")]
            results.append({"ids": sequence, "text": tokenizer.decode(known, skip_special_tokens=True).strip(), "score": score})
        distinct = len({tuple(result["ids"]) for result in results})
        print(f"{os.path.basename(folder):20} {options}: {distinct} of {count} distinct, lengths {sorted(lengths)}")
        golden["runs"].append({"options": options, "results": results})
    with open(os.path.join(folder, "golden.json"), "w") as file:
        file.write('{"from": %s, "to": %s,\n"sentences": [\n' % (json.dumps(source), json.dumps(target)))
        file.write(",\n".join(json.dumps(entry, ensure_ascii=False) for entry in golden["sentences"]))
        file.write('],\n"runs": [\n')
        blocks = []
        for run in golden["runs"]:
            lines = ",\n".join(json.dumps(result, ensure_ascii=False) for result in run["results"])
            blocks.append('{"options": %s, "results": [\n%s]}' % (json.dumps(run["options"]), lines))
        file.write(",\n".join(blocks) + "]}\n")


def encoder_of(name):
    """How a checkpoint's sentences are encoded, without making it."""
    with tempfile.TemporaryDirectory() as folder:
        return CHECKPOINTS[name](folder, name)[1:]


def make(folder, name):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    model, source, target, encode = CHECKPOINTS[name](folder, name)
    tune(model.eval(), encode, open_tokenizer(folder, model))
    model.save_pretrained(folder, safe_serialization=True)
    for unused in ["special_tokens_map.json", "added_tokens.json"]:
        path = os.path.join(folder, unused)
        if os.path.exists(path) and name not in ("nllb", "mbart50"):
            os.remove(path)
    judge(folder, source, target, encode)
    size = sum(os.path.getsize(os.path.join(folder, file)) for file in os.listdir(folder))
    print(f"{name:20} {size / 1024:.0f} KB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--judge", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    for name in arguments.names or CHECKPOINTS:
        folder = os.path.join(arguments.out, name)
        if arguments.judge:
            judge(folder, *encoder_of(name))
        else:
            make(folder, name)
