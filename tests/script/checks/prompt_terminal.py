"""The prompt on a pseudo-terminal: prompt_terminal.py PROGRAM CASE. An empty directory is its home."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PROGRAM = sys.argv[1]
PATIENCE = 60
PROMPT = "(\n|\r\033\\[K)> "  # also where a list of names or the progress of a run was above it
LEFT, UP, DOWN, DELETE = "\033[D", "\033[A", "\033[B", "\033[3~"


class Prompt:
    """A program on a terminal of its own. Waits for each prompt before it types, as people do."""

    def __init__(self, *options, width=100, environment=None):
        self.read, self.marks = "", 0
        pid, self.terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
            os.environ.update({"TERM": "xterm", "LC_ALL": "C.UTF-8", **(environment or {})})
            os.execv(PROGRAM, [PROGRAM, "--device", "cpu", *options])
        self.pid = pid
        self.wait("leaves")
        self.wait(PROMPT)

    def fail(self, what):
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(f"{what}; on the terminal: {self.read!r}")

    def wait(self, pattern):
        """Waits for a regular expression, and returns what came before; that and what has come with it is forgotten."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.read)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            try:
                data = os.read(self.terminal, 65536) if ready else b""
            except OSError:
                data = b""
            if not data:
                self.fail(f"{pattern!r} does not come")
            self.read += data.decode(errors="replace")
        before, self.read = self.read[: found.start()], self.read[found.end() :]
        return before

    def keys(self, text):
        os.write(self.terminal, text.encode())

    def line(self, text):
        """Types a line and returns what is printed until the next prompt."""
        self.keys(text + "\r")
        return self.answer()

    def answer(self):
        """What is printed below the line, until the next prompt."""
        return self.wait(PROMPT).partition("\n")[2]

    def abandon(self):
        """Abandons the line, which may have been drawn anew, with its prompt, any number of times. Returns what came.
        What is typed while the signal is on its way may be lost, or be before it."""
        self.keys("\003")
        while select.select([self.terminal], [], [], 0.5)[0]:
            self.read += os.read(self.terminal, 65536).decode(errors="replace")
        self.marks += 1
        self.keys(f'\025"ma" .. "rk{self.marks}"\r')
        before = self.wait(f"mark{self.marks}\r?(?=\n)")
        self.wait(PROMPT)
        return before

    def says(self, text, answer):
        said = self.line(text)
        if answer not in said:
            self.fail(f"{text!r} says {said!r}, not {answer!r}")

    def ends(self, text=None, status=0):
        if text is not None:
            self.keys(text)
        end = time.monotonic() + PATIENCE
        while True:
            pid, ended = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                break
            ready, _, _ = select.select([self.terminal], [], [], 0.05)
            try:
                self.read += os.read(self.terminal, 65536).decode(errors="replace") if ready else ""
            except OSError:
                pass
            if time.monotonic() > end:
                self.fail("does not end")
        if os.waitstatus_to_exitcode(ended) != status:
            sys.exit(f"ends with {os.waitstatus_to_exitcode(ended)}, not {status}: {self.read!r}")


MODEL = "m = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }"
RUN = "r = bm.run { model = m, paths = 64, dt = 0.001, time = 0.1, check_step = false }"


def history():
    with open(os.path.join(os.environ["XDG_STATE_HOME"], "bmsim", "history"), encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def editing():
    p = Prompt(environment={"LC_ALL": "POSIX"})  # UTF-8 all the same
    p.says("40 + 3" + LEFT + "\b2", "63")  # "3" is behind the cursor: 40 + 23
    p.says("1234" + LEFT * 3 + DELETE, "134")
    p.says("11" + "\001" + "2" + "\005" + "3", "2113")  # Ctrl-A, Ctrl-E
    p.says("11" + "\033[H" + "2" + "\033[F" + "3", "2113")  # Home, End
    p.says("10 20" + "\033[1;5D" + "-- ", "10")  # Ctrl-left: a word
    p.says("5 5 5" + "\025" + "8", "8")  # Ctrl-U
    p.says("7 * 6 -- nothing" + "\027" * 2, "42")  # Ctrl-W
    p.says('"Hängi"' + LEFT * 3 + "g", "Hänggi")  # UTF-8: a letter is one step
    p.says(UP * 2, "42")
    p.says(UP * 12 + DOWN * 11 + "\001\013" + "99", "99")  # Ctrl-K
    p.says("\0220 +2", "63")  # Ctrl-R
    p.keys("1 +")
    p.abandon()
    p.says("5", "5")
    p.ends("\004")


def several_lines():
    p = Prompt()
    p.keys("for i = 1, 2 do\r")
    p.wait(">> ")
    p.keys('print("line " .. i)\r')
    p.wait(">> ")
    p.says("end", "line 2")
    p.keys("if true then\r")
    p.wait(">> ")
    p.keys("\003")  # Ctrl-C abandons them all
    p.wait(PROMPT)
    p.says("6 * 7", "42")
    p.says("local a, b = 1, 2", "")
    p.says("a + b", "3")
    p.says("local function twice(x) return 2 * x end", "")
    p.says("twice(_)", "6")
    p.says("error = 4", "")  # hides a function that the library needs
    p.says("bm.noise.none", "unknown noise 'none'")
    p.says("error", "4")
    p.says("\t1", "1")  # what is pasted may be indented
    p.keys("if true then\r")
    p.wait(">> ")
    p.ends("\004")


def leaving():
    for word in ("exit", "quit", "exit()", " quit() ; "):
        Prompt().ends(word.replace(" ;", "") + "\r")
    Prompt().ends("\004")
    p = Prompt()
    p.says("exited", "undefined global 'exited'")
    os.kill(p.pid, signal.SIGTERM)
    p.ends(status=-signal.SIGTERM)


def remembered():
    p = Prompt()
    p.says("100 + 11", "111")
    p.says("100 + 11", "111")
    other = Prompt()
    other.says("200 + 22", "222")
    p.says("300 + 33", "333")
    p.says(UP * 2, "111")
    p.ends("exit\r")
    other.says(UP, "222")
    other.ends("exit\r")
    expected = ["100 + 11", "200 + 22", "300 + 33", "100 + 11"]
    if history()[:4] != expected:
        sys.exit(f"history: {history()}")
    path = os.path.join(os.environ["XDG_STATE_HOME"], "bmsim", "history")
    mode = os.stat(path).st_mode & 0o777
    if mode != 0o600:
        sys.exit(f"history has mode {mode:o}")
    p = Prompt()
    p.says(UP * 3, "333")  # behind exit, of which there is one, and 100 + 11
    p.ends("\004")
    # No more than 1000 lines, of which the last ones.
    with open(path, "a", encoding="utf-8") as file:
        file.writelines(f"x{i} = {i}\n" for i in range(3000))
    p = Prompt()
    p.says("400 + 44", "444")
    p.ends("\004")
    lines = history()
    if len(lines) != 1000 or lines[-1] != "400 + 44" or lines[0] != "x2001 = 2001":
        sys.exit(f"history: {len(lines)} lines, {lines[0]!r} to {lines[-1]!r}")
    # What cannot be kept is said once, and is no error.
    os.unlink(path)
    os.mkdir(path)
    p = Prompt()
    p.says("1 + 1", "lines are not kept in")
    if "lines are not kept" in p.line("2 + 2"):
        p.fail("said twice")
    p.ends("\004")
    os.rmdir(path)
    os.symlink("/dev/null", path)  # for no history
    p = Prompt()
    if "kept" in p.line("1 + 1"):
        p.fail("/dev/null is warned of")
    p.ends("\004")


def together():
    """Prompts that write the history at the same time lose no line."""
    prompts = [Prompt() for _ in range(6)]
    for i in range(20):
        for number, p in enumerate(prompts):
            p.keys(f"x{number} = {i}\r")
    for p in prompts:
        p.ends("exit\r")
    lines = history()
    for number in range(len(prompts)):
        mine = [line for line in lines if line.startswith(f"x{number} ")]
        if mine != [f"x{number} = {i}" for i in range(20)]:
            sys.exit(f"history has of prompt {number}: {mine}")


def completing():
    p = Prompt()
    p.says("bm.ver\t", ".")
    p.says("bm.noise.gau\t", "function")
    p.line(MODEL)
    p.line(RUN)
    p.says("r.poi\t", "1")
    p.says("#r:colu\t \"veloc\t\"", "1")
    p.says('#r:column "velocity_e\t"', "1")
    p.says("r.info.prec\t", "single")
    p.says("tostr\t(12)", "12")
    p.says("mine = { first = 7 }", "")
    p.says("min\t.fi\t", "7")
    p.says("bm.run { mod\t = 1 }", "run: model must be made by")
    p.says("bm.noise.poisson { lam\t = -1 }", "lambda must be > 0")
    p.says('bm.run { model = m, observe = { "peclet", "non_g\t" }, time = 1, dt = 2 }', "run: ")
    p.says("bm.observe.dens\t { bi\t = 5 }", "bins = 5")
    p.says("r:plot { xr\t = 1 }", "plot: ")
    p.says("text = 'abc'", "")
    p.says("text:rev\t()", "cba")
    p.says("class = setmetatable({}, { __index = { method = 5 } })", "")
    p.says("class.meth\t", "5")
    # What may become several names is listed, and the line stays.
    p.keys("bm.theory.\t")
    listed = p.wait(PROMPT)
    for name in ("torus", "kramers", "stratonovich", "lifson_jackson"):
        if name not in listed:
            p.fail(f"{name} is not listed: {listed!r}")
    p.says("kram\t", "function bm.theory.kramers")
    p.keys("r:\t")
    listed = p.wait(PROMPT)
    if "points" in listed or "compare" not in listed:
        p.fail(f"of methods it lists {listed!r}")
    p.abandon()
    # Nothing that was made by the user is called.
    p.line('function call() print("called") end')
    p.line("trap = setmetatable({}, { __index = call, __names = call, __peek = call, __fields = call, __words = call })")
    p.keys('trap.x\t\t.y\t; trap.x { a\t }; trap:x "a\t"')
    if "called" in p.abandon():
        p.fail("completion calls what the user has made")
    # What does not exist.
    p.keys("nowhere.at.all.\t")
    p.abandon()
    p.says("1", "1")
    p.ends("\004")


def interrupting():
    p = Prompt()
    p.line(MODEL)
    p.keys("bm.run { model = m, paths = 20000, dt = 1e-4, time = 1e5 }\r")
    p.wait("steps/s")
    p.keys("\003")
    p.wait("interrupted")
    p.wait(PROMPT)
    p.keys("while true do end\r")
    time.sleep(1)
    p.keys("\003")
    p.wait("interrupted")
    p.wait(PROMPT)
    p.line(RUN)  # and the next run is a run
    p.says("r.info.complete", "true")
    p.keys("\003")  # nothing is there to be interrupted
    p.wait(PROMPT)
    p.says("r.points", "1")
    p.ends("\004")


def resized():
    p = Prompt()
    p.keys("12")
    fcntl.ioctl(p.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 60, 0, 0))
    time.sleep(0.5)
    p.says("34", "1234")
    p.ends("\004")


def stopped():
    """Ctrl-Z, under a shell."""
    p = Prompt.__new__(Prompt)
    p.read = ""
    p.pid, p.terminal = pty.fork()
    if p.pid == 0:
        os.environ.update({"TERM": "xterm", "LC_ALL": "C.UTF-8", "PS1": "shell: "})
        os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
    p.wait("shell: ")
    p.keys(f"{PROGRAM}\r")
    p.wait("leaves")
    p.wait(PROMPT)
    p.keys("12")
    p.wait("12")
    p.keys("\032")
    p.wait("shell: ")
    p.keys("stty -a\r")  # the terminal is as the shell wants it
    if " icanon" not in p.wait("shell: "):
        p.fail("the terminal is not as it was")
    p.keys("fg\r")
    p.wait(PROMPT)
    p.says("34", "1234")
    p.keys("\004")
    p.wait("shell: ")
    p.ends("exit\r")


def simple_terminal():
    p = Prompt(environment={"TERM": "dumb"})
    p.says("6 * 7", "42")
    p.keys("\003")
    p.wait(PROMPT)
    p.says("6 * 8", "48")
    p.ends("\004")


globals()[sys.argv[2]]()
