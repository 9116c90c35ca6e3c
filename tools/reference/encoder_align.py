"""Links from the hidden states of tiny encoders, for crates/app/cli/tests/it/align.rs.

Each side is read alone; dot products of sub-word vectors of one layer; softmax over targets and over
sources; a sub-word pair is kept where both exceed the threshold; words are linked if any of their
sub-words are (Dou and Neubig 2021, as the Unambiguous paper uses it).

    python tools/reference/encoder_align.py > crates/app/cli/tests/golden/encoder_align.json

Needs torch and transformers; nothing is drawn at random. The checkpoints are those of
tools/reference/tiny_checkpoints.py.
"""

import json
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

CHECKPOINTS = Path(__file__).parents[2] / "crates/engine/engine/tests/checkpoints"
PAIRS = [
    ("The nurse is her brother .", "Die Krankenschwester ist ihr Bruder ."),
    ("He said that she was strong , and he left .", "Sie war stark , und er ging ."),
    ("unbelievable", "a b c"),
]
MODELS = ["bert", "roberta", "xlm-roberta", "modernbert", "deberta-v2", "bert-encoder"]
THRESHOLDS = [0.001, 0.05, 0.1, 0.2]


def pieces(model, tokenizer, text, layer):
    """Vectors of the sub-words of a text and the word each ends in."""
    encoded = tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
    ids = torch.tensor([encoded["input_ids"]])
    with torch.no_grad():
        output = model(ids, output_hidden_states=True)
    # The last layer's output is what the model gives out, its last norm included.
    last = layer == model.config.num_hidden_layers
    hidden = (output.last_hidden_state if last else output.hidden_states[layer])[0]
    ends, end = [], 0
    for word in text.split(" "):
        end += len(word)
        ends.append(end)
        end += 1
    vectors, words = [], []
    for place, ((start, stop), special) in enumerate(
        zip(encoded["offset_mapping"], encoded["special_tokens_mask"])
    ):
        if special or not text[start:stop].strip():
            continue
        words.append(next(k for k, e in enumerate(ends) if e >= stop))
        vectors.append(hidden[place])
    return torch.stack(vectors), words


def main():
    golden = []
    for name in MODELS:
        directory = CHECKPOINTS / name
        tokenizer = AutoTokenizer.from_pretrained(directory, use_fast=True)
        model = AutoModel.from_pretrained(directory, torch_dtype=torch.float32).eval()
        for layer in range(1, model.config.num_hidden_layers + 1):
            for source, target in PAIRS:
                a, source_words = pieces(model, tokenizer, source, layer)
                b, target_words = pieces(model, tokenizer, target, layer)
                scores = a.double() @ b.double().T
                forward, backward = scores.softmax(1), scores.softmax(0)
                least = torch.minimum(forward, backward)
                for threshold in THRESHOLDS:
                    # A pair whose probability is the threshold itself tests nothing but rounding.
                    if (least - threshold).abs().min() < 1e-4 * threshold:
                        continue
                    kept = (least > threshold).nonzero().tolist()
                    links = sorted({(source_words[i], target_words[j]) for i, j in kept})
                    golden.append(
                        {
                            "checkpoint": name,
                            "layer": layer,
                            "threshold": threshold,
                            "source": source,
                            "target": target,
                            "links": " ".join(f"{i}-{j}" for i, j in links),
                        }
                    )
    print(json.dumps(golden, indent=0, ensure_ascii=False))


main()
