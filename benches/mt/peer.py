#!/usr/bin/env python3
"""The peers of `benches/mt/run.sh`: `transformers` and CTranslate2 on the same checkpoint, sentences and length.

    python benches/mt/peer.py CACHE --make                       # a random Marian of OPUS-MT's base shape, and its twin
    python benches/mt/peer.py CACHE SENTENCES.txt --engine transformers --batch 1
    python benches/mt/peer.py CACHE SENTENCES.txt --engine ctranslate2 --batch 48 --compute int8

Six and six layers, width 512, feed-forward 2048, 8 heads, a vocabulary of 60,000; beam 5, every translation forced to
LENGTH tokens. One line of JSON per measurement. Encoding and decoding of text is part of the time, as it is ours.
"""
import argparse
import io
import json
import os
import resource
import time

VOCABULARY = 60000


def corpus():
    """Invented sentences of invented words, the first words the commonest."""
    import numpy as np

    generator = np.random.Generator(np.random.PCG64(7))
    onsets = "b d f g k l m n p r s t v z br dr st tr kl gr sp".split()
    vowels = "a e i o u ai ea ou".split()
    codas = ["", "n", "r", "s", "t", "l", "nd", "st", "ng"]
    syllables = [o + v + c for o in onsets for v in vowels for c in codas]
    words = ["".join(syllables[i] for i in generator.integers(0, len(syllables), size=count)) for count in generator.integers(1, 4, size=5000)]
    for count in generator.integers(4, 14, size=8000):
        places = (len(words) ** generator.random(count)).astype(int) - 1
        yield " ".join(words[place] for place in places)


def make(cache):
    import numpy as np
    import sentencepiece as spm
    import torch
    import transformers as hf

    folder = os.path.join(cache, "marian-base")
    if os.path.exists(os.path.join(folder, "ct2", "model.bin")):
        return
    os.makedirs(folder, exist_ok=True)
    model = io.BytesIO()
    spm.SentencePieceTrainer.train(sentence_iterator=corpus(), model_writer=model, vocab_size=4000, model_type="unigram",
                                   hard_vocab_limit=False, minloglevel=2)
    processor = spm.SentencePieceProcessor(model_proto=model.getvalue())
    for name in ["source.spm", "target.spm"]:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(model.getvalue())
    pieces = ["</s>", "<unk>"] + [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]
    pieces += [f"▁unused{i}" for i in range(VOCABULARY - 1 - len(pieces))] + ["<pad>"]
    with open(os.path.join(folder, "vocab.json"), "w") as file:
        json.dump({piece: i for i, piece in enumerate(pieces)}, file)
    with open(os.path.join(folder, "tokenizer_config.json"), "w") as file:
        json.dump({"source_lang": "eng", "target_lang": "deu"}, file)
    pad = VOCABULARY - 1
    config = hf.MarianConfig(
        vocab_size=VOCABULARY, decoder_vocab_size=VOCABULARY, d_model=512, encoder_layers=6, decoder_layers=6, encoder_ffn_dim=2048,
        decoder_ffn_dim=2048, encoder_attention_heads=8, decoder_attention_heads=8, max_position_embeddings=512,
        activation_function="swish", scale_embedding=True, pad_token_id=pad, eos_token_id=0, decoder_start_token_id=pad,
        forced_eos_token_id=None)
    torch.manual_seed(7)
    network = hf.MarianMTModel(config)
    network.generation_config = hf.GenerationConfig(
        bad_words_ids=[[pad]], decoder_start_token_id=pad, eos_token_id=0, pad_token_id=pad, bos_token_id=0, max_length=512, num_beams=5)
    network.save_pretrained(folder, safe_serialization=True)
    import ctranslate2

    converter = ctranslate2.converters.TransformersConverter(folder)
    converter.convert(os.path.join(folder, "ct2"), quantization="float32", force=True)


def measure(arguments):
    sentences = open(arguments.sentences).read().splitlines()[: arguments.limit]
    folder = os.path.join(arguments.cache, "marian-base")
    if arguments.engine == "transformers":
        import torch
        import transformers as hf

        torch.set_num_threads(arguments.threads)
        tokenizer = hf.MarianTokenizer.from_pretrained(folder)
        model = hf.MarianMTModel.from_pretrained(folder).eval()

        def run(texts):
            inputs = tokenizer(texts, return_tensors="pt", padding=True)
            with torch.inference_mode():
                out = model.generate(**inputs, num_beams=arguments.beams, max_new_tokens=arguments.length, min_new_tokens=arguments.length)
            tokenizer.batch_decode(out, skip_special_tokens=True)
            return sum(int((row != tokenizer.pad_token_id).sum()) for row in out)
    else:
        import ctranslate2
        import transformers as hf

        tokenizer = hf.MarianTokenizer.from_pretrained(folder)
        inter = arguments.inter
        translator = ctranslate2.Translator(os.path.join(folder, "ct2"), device="cpu", compute_type=arguments.compute, inter_threads=inter,
                                            intra_threads=max(1, arguments.threads // inter))

        def run(texts):
            tokens = [tokenizer.convert_ids_to_tokens(tokenizer.encode(text)) for text in texts]
            results = translator.translate_batch(tokens, beam_size=arguments.beams, max_decoding_length=arguments.length,
                                                 min_decoding_length=arguments.length, max_batch_size=arguments.batch)
            count = 0
            for result in results:
                ids = tokenizer.convert_tokens_to_ids(result.hypotheses[0])
                tokenizer.decode(ids, skip_special_tokens=True)
                count += len(ids)
            return count

    order = sorted(sentences, key=len)
    step = arguments.batch if arguments.engine == "transformers" else len(order)
    run(order[:1])
    cpu = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    tokens = sum(run(order[first : first + step]) for first in range(0, len(order), step))
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
    print(json.dumps({"engine": arguments.engine, "compute": arguments.compute, "batch": arguments.batch, "threads": arguments.threads, "inter": arguments.inter,
                      "sentences": len(order), "tokens": tokens, "wall_s": round(wall, 3), "cpu_s": round(used, 3),
                      "ms_per_sentence": round(1000 * wall / len(order), 2), "cpu_ms_per_sentence": round(1000 * used / len(order), 2)}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache")
    parser.add_argument("sentences", nargs="?")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--write-sentences", metavar="FILE", help="invented sentences, one a line")
    parser.add_argument("--engine", choices=["transformers", "ctranslate2"], default="transformers")
    parser.add_argument("--compute", default="float32", help="CTranslate2's compute_type")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--inter", type=int, default=1)
    parser.add_argument("--limit", type=int, default=96)
    parser.add_argument("--beams", type=int, default=5)
    parser.add_argument("--length", type=int, default=24)
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.cache)
    if arguments.write_sentences:
        lines = [line for line, _ in zip(corpus(), range(400))]
        with open(arguments.write_sentences, "w") as file:
            file.write("\n".join(lines) + "\n")
    if arguments.sentences:
        measure(arguments)
