"""The parameters of the tokenizer classes that are read here, for crates/engine/tokenize/src/text/parameters.txt: a setting of
`tokenizer_config.json` that none of them takes changes nothing.

    VENV4/bin/python tools/reference/tokenizer_parameters.py > four.txt       # transformers 4.57.6
    VENV5/bin/python tools/reference/tokenizer_parameters.py > five.txt       # transformers 5.22.2
    LC_ALL=C sort -u four.txt five.txt > crates/engine/tokenize/src/text/parameters.txt

Names are those of `__init__` of every class and of those it is derived from, and those that a class takes out of its keyword arguments.
"""
import inspect
import re
from pathlib import Path

import transformers

HERE = Path(__file__).parents[2] / "crates/engine/tokenize/src/text"
BASES = ["PreTrainedTokenizer", "PreTrainedTokenizerFast", "PythonBackend", "TokenizersBackend"]
classes = BASES + re.findall(r'"(\w+Tokenizer)"', (HERE / "classes.rs").read_text() + (HERE / "old/mod.rs").read_text())
names = set()
for name in classes:
    for one in filter(None, (getattr(transformers, name, None), getattr(transformers, name + "Fast", None))):
        for base in one.__mro__:
            if "__init__" not in base.__dict__ or base is object:
                continue
            parameters = inspect.signature(base.__init__).parameters.values()
            names.update(p.name for p in parameters if p.name != "self" and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD))
            source = inspect.getsource(base)
            names.update(re.findall(r'kwargs\.(?:pop|get|setdefault)\(\s*"(\w+)"', source))
            names.update(re.findall(r'kwargs\["(\w+)"\]', source))
print("\n".join(sorted(names)))
