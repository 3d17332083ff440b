"""What all runs share: settings, warnings, progress, and Ctrl-C."""

import math
import sys
import threading
import time
import warnings

from ._library import ON_PROGRESS, ON_WARNING, C, Error, Interrupted, check


class RunWarning(UserWarning):
    """What bmsim warns of: a step that is too long, a transient that is too short, ..."""

    __module__ = "bmsim"


def _duration(seconds):
    if not math.isfinite(seconds):
        return "?"
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min" if seconds < 5400 else \
        f"{seconds / 3600:.1f} h"


class _Line:
    """The progress of a run: in a notebook a line below the cell, in a terminal one on stderr, elsewhere none."""

    def __init__(self):
        self._handle, self._last, self._shown = None, 0.0, False
        self._notebook = "ipykernel" in sys.modules and sys.modules["IPython"].get_ipython() is not None

    def show(self, progress):
        now = time.monotonic()
        if now - self._last < 0.2 or not (self._notebook or sys.stderr.isatty()):
            return
        self._last = now
        fraction, speed, left, worst = progress
        text = f"{100 * fraction:3.0f} %  {speed:.3g} steps/s  {_duration(left)} left"
        if math.isfinite(worst):
            text += f"  worst error {100 * worst:.2g} %"
        self._shown = True
        if self._notebook:
            from IPython.display import display  # pylint: disable=import-outside-toplevel
            data = {"text/plain": text, "text/html": f"<pre>{text}</pre>"}
            if self._handle is None:
                self._handle = display(data, raw=True, display_id=True)
            else:
                self._handle.update(data, raw=True)
        else:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self):
        if not self._shown:
            return
        if self._notebook:
            self._handle.update({"text/plain": ""}, raw=True)
        else:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class Session:
    """Settings of all runs, and who hears of them."""

    options = ("device", "precision", "seed", "threads", "overwrite", "strict", "keep_source", "checkpoint",
               "checkpoint_every", "part")

    def __init__(self):
        self.pointer = C.bm_session_new()
        self.shows_progress = True
        self.strict = False
        self._said, self._progress, self._interrupted, self._workers = [], None, False, set()
        self._listeners = (ON_WARNING(self._on_warning), ON_PROGRESS(self._on_progress), ON_WARNING(self._on_notice))
        C.bm_session_on_warning(self.pointer, self._listeners[0], None)
        C.bm_session_on_progress(self.pointer, self._listeners[1], None)
        C.bm_session_on_notice(self.pointer, self._listeners[2], None)

    def set(self, **options):
        """See bm.settings."""
        for name, value in options.items():
            if name == "progress":
                self.shows_progress = bool(value)
                continue
            if name not in self.options:
                raise Error(f"settings: unknown option '{name}'; known: {', '.join(self.options)}, progress")
            if name in ("overwrite", "strict"):
                text = "1" if value else ""
            else:
                text = "" if value is None else str(value)
            check(C.bm_session_set(self.pointer, name.encode(), text.encode()))
            if name == "strict":
                self.strict = bool(value)

    def _on_warning(self, _, text):
        self._said.append(text.decode(errors="replace"))

    def _on_notice(self, _, text):
        if self.shows_progress:
            print(f"bmsim: {text.decode(errors='replace')}", file=sys.stderr, flush=True)

    def _on_progress(self, _, progress):
        one = progress.contents
        self._progress = (one.fraction, one.steps_per_second, one.seconds_left, one.worst_relative_error)

    def interrupted(self):
        """Whether what is under way is to end."""
        return self._interrupted

    def work(self, function, *args):
        """Calls a function in another thread, while this one shows progress and hears Ctrl-C. Emits warnings. What is
        called by such a function is done in its thread, which has the lock of its Lua state."""
        if threading.current_thread() in self._workers:
            value = function(*args)
            if self._interrupted:
                raise Interrupted("interrupted")
            return value
        outcome, ended = {}, threading.Event()

        def call():
            try:
                outcome["value"] = function(*args)
            except BaseException as error:  # pylint: disable=broad-except
                outcome["error"] = error
            ended.set()

        self._progress, self._interrupted, line = None, False, _Line()
        worker = threading.Thread(target=call, name="bmsim", daemon=True)
        self._workers.add(worker)
        worker.start()
        while not ended.is_set():
            try:
                ended.wait(0.05)
                if self.shows_progress and self._progress is not None:
                    line.show(self._progress)
            except KeyboardInterrupt:
                self._interrupted = True
                C.bm_session_interrupt(self.pointer)
        worker.join()
        self._workers.remove(worker)
        line.clear()
        self.say()
        if "error" in outcome:
            raise outcome["error"]
        if self._interrupted:
            stop = Interrupted("interrupted; the points that are missing are nan in this exception's dataset")
            stop.dataset = outcome["value"]
            raise stop
        return outcome["value"]

    def say(self):
        """Emits the warnings of what has run."""
        said, self._said = self._said, []
        for text in said:
            warnings.warn(text, RunWarning, stacklevel=4)
