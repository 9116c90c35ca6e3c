"""Gender bias of language models and machine translation, measured: the command line `epicene` as a library.

    import epicene
    result = epicene.run("gest", model="demo:mlm", data="epicene-mini")
    print(result)

What a command takes as `--some-option VALUE` a function takes as `some_option=VALUE`; `epicene.options("run")` lists them.
Numbers, words of errors and signatures are the command line's, because it is the same code.
"""
from __future__ import annotations

from ._epicene import version as _version
from . import audit, data
from .calls import compare, detect, judge, list_ as list, measure, options, questions, report, run
from .errors import EpiceneError, EpiceneWarning, GateFailed, InputError, SystemFailed, UsageError
from .results import Check, Figure, Figures, Questions, Result, Table, Text, Verdict
from .sharing import to_eee, to_mlflow, to_wandb
from .systems import System, one_by_one, translator

__version__: str = _version()
__all__ = [
    "Check",
    "EpiceneError",
    "EpiceneWarning",
    "Figure",
    "Figures",
    "GateFailed",
    "InputError",
    "Questions",
    "Result",
    "System",
    "SystemFailed",
    "Table",
    "Text",
    "UsageError",
    "Verdict",
    "audit",
    "compare",
    "data",
    "detect",
    "judge",
    "list",
    "measure",
    "one_by_one",
    "options",
    "questions",
    "report",
    "run",
    "to_eee",
    "to_mlflow",
    "to_wandb",
    "translator",
]
