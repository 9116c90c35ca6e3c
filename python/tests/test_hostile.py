"""Chat templates and tokenizers made to end a process raise exceptions, and the process goes on."""
import json
import pathlib
import shutil
import unittest

import support

import epicene

TESTS = support.REPOSITORY / "crates/engine/engine/tests"


def expanded(value):
    """Writes out what a value of the lists stands for; the Rust tests read the same ones."""
    if isinstance(value, list):
        values = []
        for one in value:
            if isinstance(one, dict) and "repeat" in one:
                values += [expanded(one["repeat"])] * one["times"]
            else:
                values.append(expanded(one))
        return values
    if not isinstance(value, dict):
        return value
    if "repeat" in value:
        return expanded(value["repeat"]) * value["times"]
    if "join" in value:
        return "".join(map(expanded, value["join"]))
    return {name: expanded(part) for name, part in value.items()}


class Hostile(support.InDirectory):
    def setUp(self):
        super().setUp()
        shutil.copytree(TESTS / "checkpoints/llama", "model")
        self.template = pathlib.Path("model/chat_template.jinja")
        self.tokenizer = pathlib.Path("model/tokenizer.json")
        self.template.write_text("{{ messages[0].content }}", encoding="utf-8")

    def ask(self):
        return epicene.run(
            "gest-chat", model="dir:model", data="epicene-mini", limit=1, frames="character:1", bootstrap=20, fresh=True
        )

    def list(self, name):
        return json.loads((TESTS / "hostile" / name).read_text(encoding="utf-8"))

    def test_templates(self):
        self.ask()
        refused = 0
        for source in map(expanded, self.list("templates.json")):
            self.template.write_text(source, encoding="utf-8")
            try:
                # The parser may fold what is nested: a short text does no harm.
                self.ask()
            except epicene.EpiceneError as error:
                refused += 1
                self.assertTrue(error.message)
                self.assertLess(len(error.message), 3000)
        self.assertGreaterEqual(refused, 60)
        self.template.write_text("{{ messages[0].content }}", encoding="utf-8")
        self.ask()

    def test_tokenizers(self):
        whole = self.tokenizer.read_text(encoding="utf-8")
        lists = self.list("tokenizers.json")
        files = [json.dumps({**json.loads(whole), **expanded(parts)}).encode() for parts in lists["parts"]]
        for one in lists["files"]:
            is_hex = isinstance(one, dict) and "hex" in one
            files.append(bytes.fromhex(one["hex"]) if is_hex else expanded(one).encode())
        self.assertGreaterEqual(len(files), 40)
        for number, content in enumerate(files):
            self.tokenizer.write_bytes(content)
            with self.subTest(number=number), self.assertRaises(epicene.EpiceneError) as raised:
                self.ask()
            self.assertLess(len(raised.exception.message), 3000)
        self.tokenizer.write_text(whole, encoding="utf-8")
        self.ask()


if __name__ == "__main__":
    unittest.main()
