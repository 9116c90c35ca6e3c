"""llama.cpp as the peer of the GGUF reader: its own server, inside this process, asked over HTTP.

Used by gguf_scores.py and gguf_golden.py. Needs the bindings `xllamacpp` (a wheel with llama.cpp in it):

    python3 -m venv venv && venv/bin/pip install numpy gguf xllamacpp
"""

import json
import urllib.request

import xllamacpp

# As many of the most probable tokens as are asked for at first, and how the number grows.
FIRST_PROBABILITIES = 2_000
GROWTH = 16


class Peer:
    """One model, loaded by llama.cpp."""

    def __init__(self, path, threads=2, context=1024, wide_cache=False):
        settings = xllamacpp.CommonParams()
        settings.model.path = str(path)
        settings.n_ctx = context
        settings.n_parallel = 1
        settings.warmup = False
        settings.verbosity = 0
        settings.cpuparams.n_threads = threads
        if wide_cache:
            # Keys and values in 32 bits instead of 16.
            settings.cache_type_k = settings.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
            settings.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self.server = xllamacpp.Server(settings)

    def post(self, where, body):
        request = urllib.request.Request(
            self.server.listening_address + where,
            json.dumps(body).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def encode(self, text, special=True):
        """Ids of a text; `special` adds BOS where the file asks for it."""
        body = {"content": text, "add_special": special, "parse_special": True}
        return self.post("/tokenize", body)["tokens"]

    def word(self, word):
        """The id of a word after a blank: the last one, as the GEST authors take it."""
        for text in (f" {word}", word):
            ids = self.encode(text, special=False)
            if len(ids) == 1:
                return ids[0]
        return ids[-1]

    def log_probabilities(self, prompt, ids):
        """Natural log-probabilities of tokens right after a prompt, from the unmodified distribution.

        The server reports nothing where it would go on with an end or half a letter; the bias makes it go
        on with one of the tokens. Reported probabilities are those before biases.
        """
        count = FIRST_PROBABILITIES
        while True:
            body = {
                "prompt": prompt,
                "n_predict": 1,
                "n_probs": count,
                "temperature": -1.0,
                "cache_prompt": False,
                "logit_bias": [[ids[0], 1000.0]],
            }
            top = self.post("/completion", body)["completion_probabilities"][0]["top_logprobs"]
            found = {entry["id"]: entry["logprob"] for entry in top}
            if all(token in found for token in ids):
                return [found[token] for token in ids]
            if len(top) < count:
                raise LookupError(f"{prompt!r}: no probability for one of {ids}")
            count *= GROWTH
