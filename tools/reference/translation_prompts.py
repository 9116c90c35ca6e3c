"""What causal models read that are asked to translate: the wordings of Tower, EuroLLM and ALMA, the one for any chat model, and one of
a file, with the ids that `transformers` makes of them with a chat template, for crates/systems/mt/src/prompted.json.

    python tools/reference/translation_prompts.py crates/engine/engine/tests/checkpoints crates/systems/mt/src/prompted.json

Needs transformers 4.57. Nothing is drawn; the tokenizer is that of a tiny checkpoint.
"""

import json
import sys
from pathlib import Path

from transformers import AutoTokenizer

CHECKPOINTS, OUT = Path(sys.argv[1]), Path(sys.argv[2])
CHECKPOINT = "llama"
TEMPLATE = ("{{ bos_token }}{% for message in messages %}{{ '<|' + message['role'] + '|>\\n' + message['content'] | trim + eos_token + '\\n' }}"
            "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}")
OWN = "Write this in {to}, from {from}: {text}"
# As on the cards of the models.
WORDINGS = {
    "tower": "Translate the following text from {from} into {to}.\n{from}: {text}\n{to}:",
    "eurollm": "Translate the following {from} source text to {to}:\n{from}: {text}\n{to}: ",
    "alma": "Translate this from {from} to {to}:\n{from}: {text}\n{to}:",
    "chat": "Translate the following sentence from {from} into {to}. Answer with the translation alone: no quotation marks around it, "
            "no notes, no alternatives.\n\n{text}",
    "FILE": OWN,
    "chat:FILE": OWN,
}
PLAIN = ("alma", "FILE")
NAMES = {"en": "English", "de": "German", "cs": "Czech"}
ITEMS = [("en", "de", "The doctor said that she was tired."), ("en", "cs", "I {to} ran; \u201eh\u00e9\u201c.")]

tokenizer = AutoTokenizer.from_pretrained(CHECKPOINTS / CHECKPOINT)
tokenizer.chat_template = TEMPLATE
prompts = []
for name, wording in WORDINGS.items():
    for source, target, text in ITEMS:
        asked = wording.replace("{from}", NAMES[source]).replace("{to}", NAMES[target]).replace("{text}", text)
        if name in PLAIN:
            ids = tokenizer(asked)["input_ids"]
        else:
            ids = tokenizer.apply_chat_template([{"role": "user", "content": asked}], add_generation_prompt=True)
        prompts.append({"prompt": name, "from": source, "to": target, "text": text, "ids": ids})
OUT.write_text(json.dumps({"checkpoint": CHECKPOINT, "template": TEMPLATE, "own": OWN, "prompts": prompts}, ensure_ascii=False) + "\n")
