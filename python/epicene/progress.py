"""How far a command is: a bar in a notebook, a line on a terminal, a function of your own, or nothing."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable


class Bar:
    """Draws nothing."""

    def update(self, done: int, total: int, what: str) -> None:
        pass

    def close(self) -> None:
        pass


class Told(Bar):
    """Tells a function, once for each change."""

    def __init__(self, function: Callable[[int, int, str], None]) -> None:
        self.function = function
        self.last: tuple[int, int, str] | None = None

    def update(self, done: int, total: int, what: str) -> None:
        if (done, total, what) != self.last:
            self.last = (done, total, what)
            self.function(done, total, what)


class Drawn(Bar):
    """Begins when work takes longer than a moment, and is drawn at most a few times a second."""

    def __init__(self) -> None:
        self.began: float | None = None
        self.drawn = 0.0
        self.first = 0
        self.shown = False

    def update(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if self.began is None:
            self.began, self.first = now, done
        if now - self.began < 0.5 or now - self.drawn < 0.2:
            return
        self.drawn = now
        self.shown = True
        rate = (done - self.first) / (now - self.began)
        left = f", {_time((total - done) / rate)} left" if rate > 0 else ""
        self.draw(done, total, f"{what} {done:,}/{total:,} ({rate:,.0f}/s{left})")

    def draw(self, done: int, total: int, text: str) -> None:
        raise NotImplementedError


class Terminal(Drawn):
    def draw(self, done: int, total: int, text: str) -> None:
        filled = 20 * done // total if total else 0
        sys.stderr.write(f"\r\x1b[K{'█' * filled}{'░' * (20 - filled)} {text}")
        sys.stderr.flush()

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Notebook(Drawn):
    def __init__(self) -> None:
        super().__init__()
        self.handle = None

    def draw(self, done: int, total: int, text: str) -> None:
        from html import escape

        from IPython.display import HTML, display

        page = HTML(f'<progress value="{done}" max="{max(total, 1)}"></progress> {escape(text)}')
        if self.handle is None:
            self.handle = display(page, display_id=True)
        else:
            self.handle.update(page)

    def close(self) -> None:
        if self.handle is not None:
            from IPython.display import HTML

            self.handle.update(HTML(""))


def choose(wish: bool | Callable[[int, int, str], None] | None) -> Bar:
    """`None` is a bar where somebody looks."""
    if callable(wish):
        return Told(wish)
    if wish is False:
        return Bar()
    if _in_notebook():
        return Notebook()
    if wish or sys.stderr.isatty():
        return Terminal()
    return Bar()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell is not None and hasattr(shell, "get_ipython") else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
