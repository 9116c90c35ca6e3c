"""What can go wrong, in the words of the command line."""
from __future__ import annotations

from typing import Any


class EpiceneError(Exception):
    """What the command line ends with exit code 2 for; its kinds are below."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class UsageError(EpiceneError, ValueError):
    """The call itself: an option, a name, a combination that has no meaning."""


class InputError(EpiceneError, ValueError):
    """What the call was given to read: a file, a line, a run."""


class SystemFailed(EpiceneError, RuntimeError):
    """What the call needs and does not command: a model, a server, the disk."""


class Stopped(EpiceneError):
    """Work that was asked to stop; callers see KeyboardInterrupt."""


class GateFailed(EpiceneError):
    """`fail_if` holds: what the command line ends with exit code 1 for. `result` is what was measured, `rows` says where."""

    def __init__(self, expression: str, rows: list[str], result: Any) -> None:
        super().__init__("\n".join([f"the check `{expression}` failed", *(f"FAIL {row}" for row in rows)]))
        self.expression = expression
        self.rows = rows
        self.result = result


class EpiceneWarning(UserWarning):
    """Something is off, but the work goes on."""
