#!/usr/bin/env python3
"""What `apply_chat_template` of `transformers` makes of conversations with the templates in
`crates/engine/engine/tests/chat_templates` (written for these tests in the styles that published models use); the judge of
`crates/engine/engine/tests/it/chat_templates.rs`.

    pip install transformers==4.57.6 jinja2==3.1.6
    python tools/reference/chat_templates.py crates/engine/engine/tests/chat_templates

Every template is rendered with every conversation and every set of variables, with and without the beginning of an
answer; the date is always 2024-07-26. Where a template raises, its words are recorded.
"""
import datetime
import json
import pathlib
import sys

import jinja2
from transformers.utils import chat_template_utils

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "</s>"}

CONVERSATIONS = [
    [{"role": "user", "content": "Who said it?"}],
    [{"role": "system", "content": "  Answer with one letter.\n"}, {"role": "user", "content": " \"I cried.\" – A: a man; B: a woman "}],
    [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello, it's 5 > 3 & 2 < 4 'quoted' \"twice\""},
        {"role": "assistant", "content": "<think>\nhm\n</think>\n\nYes, 日本 😀."},
        {"role": "user", "content": "And\n\nnow?\n"},
    ],
    [
        {"role": "user", "content": "one ### two"},
        {"role": "assistant", "content": "\nthree"},
        {"role": "user", "content": "four"},
        {"role": "assistant", "content": "five "},
    ],
    [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}],
    [{"role": "assistant", "content": "I begin."}, {"role": "user", "content": ""}],
]

VARIABLES = [
    {},
    {"enable_thinking": False, "thinking": True, "shout": True, "show_facts": True},
    {
        "enable_thinking": True,
        "controls": {"length": "short", "originality": "é"},
        "tools": [{"function": {"name": "look", "parameters": {"a": [1, 2.5, None, True], "b": {}, "ü": "\"\n"}}, "type": "function"}],
    },
]


class Date(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2024, 7, 26)


def main():
    folder = pathlib.Path(sys.argv[1])
    chat_template_utils.datetime = Date
    cases = []
    for path in sorted(folder.glob("*.jinja")):
        template = path.read_text()
        for place, messages in enumerate(CONVERSATIONS):
            for which, variables in enumerate(VARIABLES):
                for answering in (True, False):
                    case = {"template": path.stem, "conversation": place, "variables": which, "answering": answering}
                    try:
                        kwargs = {**SPECIAL, **variables}
                        tools = kwargs.pop("tools", None)
                        rendered, _ = chat_template_utils.render_jinja_template(
                            [messages], tools=tools, chat_template=template, add_generation_prompt=answering, **kwargs)
                        case["text"] = rendered[0]
                    except jinja2.exceptions.TemplateError as error:
                        case["error"] = str(error)
                    cases.append(case)
    golden = {"special": SPECIAL, "conversations": CONVERSATIONS, "variables": VARIABLES, "cases": cases}
    (folder / "golden.json").write_text(json.dumps(golden, ensure_ascii=False, indent=0) + "\n")
    print(len(cases), "cases,", sum("error" in case for case in cases), "errors")


main()
