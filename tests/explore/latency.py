"""latency.py PROGRAM SCRIPT: how long `bmsim explore` takes from a change of a slider to the first curve.

It needs neither a browser nor a package: it sends values over HTTP as the page does, and waits for the curve in the
stream of events. At the end it closes the stream, and waits for the end of the process that has the device.
"""

import argparse
import http.client
import json
import math
import os
import queue
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.parse

PLACES = (0.25, 0.45, 0.35, 0.6, 0.5, 0.3, 0.55, 0.4)  # of a slider, one after the other


class Stream:
    """The events of the server. events: (seconds, kind, text) of each; after the last one None."""

    def __init__(self, host, port, path):
        self.place = host, port, path
        self.connection = http.client.HTTPConnection(host, port, timeout=600)
        self.connection.request("GET", path + "events", headers={"Accept": "text/event-stream"})
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        if self.answer.status != 200:
            raise SystemExit(f"latency: no events: {self.answer.status} {self.answer.read(300)!r}")
        self.events = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        kept = b""
        try:
            while True:
                piece = self.answer.read1(1 << 18)
                if not piece:
                    break
                now = time.perf_counter()
                kept += piece
                *whole, kept = kept.split(b"\n\n")
                for event in whole:
                    lines = [line for line in event.decode().split("\n") if line and not line.startswith(":")]
                    fields = dict(line.split(": ", 1) for line in lines)
                    if fields.get("event") == "beat":
                        self.answer_beat()
                    elif "data" in fields:
                        self.events.put((now, fields.get("event", "message"), fields["data"]))
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            pass  # closed, here or there
        self.events.put(None)

    def answer_beat(self):
        """Says that somebody still looks."""
        host, port, path = self.place
        connection = http.client.HTTPConnection(host, port, timeout=60)
        connection.request("POST", path + "here", b"")
        connection.getresponse().read()
        connection.close()

    def next_state(self, end):
        """The next state and when it came; nothing after `end`, a time of perf_counter."""
        while True:
            try:
                event = self.events.get(timeout=max(end - time.perf_counter(), 0.001))
            except queue.Empty:
                return None, None
            if event is None:
                raise SystemExit("latency: the server has closed the stream of events")
            seconds, kind, text = event
            if kind == "failure":
                raise SystemExit("latency: " + json.loads(text)["failure"])
            if kind == "state":
                state = json.loads(text)
                if state.get("error"):
                    raise SystemExit("latency: " + state["error"])
                return seconds, state

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class Sender:
    """Sends values on a connection that is kept, as a browser does."""

    def __init__(self, host, port, path):
        self.host, self.port, self.path, self.connection = host, port, path, None

    def send(self, values):
        """When the values were sent, and their number."""
        body = urllib.parse.urlencode(values)
        begin = time.perf_counter()
        for attempt in 1, 2:
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
                    self.connection.connect()
                    self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.connection.request("POST", self.path + "values", body, {"Content-Type": "text/plain"})
                answer = self.connection.getresponse()
                text = answer.read()
                break
            except (OSError, http.client.HTTPException):  # the server ends a connection that has been idle
                self.connection = None
                if attempt == 2:
                    raise
        if answer.status != 200:
            raise SystemExit(f"latency: the server refuses values: {answer.status} {text[:300]!r}")
        return begin, json.loads(text)["version"]


def children(parent):
    """The processes that a process has started."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                state, mother = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(mother) == parent and state != "Z":
            found.append(int(name))
    return found


def gpu_memory():
    """What nvidia-smi says of memory in use, in words; nothing without it."""
    if not shutil.which("nvidia-smi"):
        return None

    def ask(what):
        command = ["nvidia-smi", what, "--format=csv,noheader,nounits"]
        try:
            return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip().splitlines()
        except (OSError, subprocess.TimeoutExpired):
            return []

    whole = " + ".join(line.strip() for line in ask("--query-gpu=memory.used")) or "?"
    processes = [line for line in ask("--query-compute-apps=pid,used_memory") if line.strip()]
    return f"{whole} MiB; processes (id, MiB): {'; '.join(processes) or 'none'}"


def tell_memory(when):
    memory = gpu_memory()
    if memory is not None:
        print(f"GPU memory in use {when}: {memory}", flush=True)


def value_at(control, part):
    """The value of a slider at this part of its way, as the page rounds it."""
    low, high = control["from"], control["to"]
    value = low * (high / low) ** part if control["log"] else low + (high - low) * part
    return float(f"{value:.3g}")


def simulated(state):
    """The curves with error bars of a state: list of (values, upper ends)."""
    curves = [curve for panel in state["panels"] for curve in panel.get("curves", [])]
    return [(curve["y"], curve["high"]) for curve in curves if curve.get("high") and any(curve["y"])]


def typical_error(state):
    """The relative error of a point, in the middle of all points of the first curve."""
    values, ends = simulated(state)[0]
    errors = [abs((e - v) / v) if v and e is not None else math.inf for v, e in zip(values, ends)]
    return statistics.median(errors)


def in_words(times):
    times = [1000 * one for one in times]
    return f"median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms, best {min(times):.0f} ms"


def measure(stream, sender, arguments):
    begin = time.perf_counter()
    moment, state = stream.next_state(begin + arguments.patience)
    if state is None:
        raise SystemExit(f"latency: no curve within {arguments.patience} s")
    print(f"first page, kernels compiled or loaded: {moment - begin:.2f} s", flush=True)
    sliders = [one for one in state["controls"] if one["kind"] == "slider"]
    sliders = [one for one in sliders if arguments.control in (None, one["name"])]
    if not sliders:
        raise SystemExit("latency: the script has no such slider")
    slider, values = sliders[0], {one["name"]: one["value"] for one in state["controls"]}
    values = {name: str(value).lower() if isinstance(value, bool) else value for name, value in values.items()}
    first, precise, errors, paths = [], [], [], set()
    for k in range(-arguments.warm, arguments.changes):
        values[slider["name"]] = value_at(slider, PLACES[k % len(PLACES)])
        begin, version = sender.send(values)
        seen = good = None
        while good is None:
            moment, state = stream.next_state(begin + arguments.patience)
            if state is None:
                raise SystemExit(f"latency: no curve within {arguments.patience} s of a change")
            if state["version"] < version or not simulated(state):
                continue
            error = typical_error(state)
            if seen is None:
                seen = moment - begin
                if k >= 0:
                    errors.append(error)
                    paths.add(state["paths"])
            if error <= arguments.error or state["done"]:
                good = moment - begin
        if k >= 0:
            first.append(seen)
            precise.append(good if error <= arguments.error else math.inf)
        time.sleep(arguments.pause)
    print(f"{len(first)} changes of {slider['name']}, {arguments.pause} s after the curve of the one before")
    print(f"from a change to the first curve: {in_words(first)}")
    print(
        f"  its errors, relative, of a typical point: {100 * min(errors):.2g} % to {100 * max(errors):.2g} %, "
        f"with {', '.join(map(str, sorted(paths)))} paths"
    )
    print(f"from a change to a curve with {100 * arguments.error:g} %: {in_words(precise)}", flush=True)
    print("each, in ms: " + " ".join(f"{1000 * one:.0f}" for one in first))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("script")
    parser.add_argument("--device", help="of bmsim")
    parser.add_argument("-D", dest="define", metavar="NAME=VALUE", action="append", default=[], help="of bmsim")
    parser.add_argument("--control", metavar="NAME", help="the slider; else the first one")
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--warm", type=int, default=4, help="changes that are not counted, which come first")
    parser.add_argument("--pause", type=float, default=0.3, help="between changes, in seconds")
    parser.add_argument("--error", type=float, default=0.05, help="the relative error that is waited for")
    parser.add_argument("--patience", type=float, default=300, help="the longest wait for a curve, in seconds")
    parser.add_argument("--threads", help="of bmsim")
    arguments = parser.parse_args()

    command = [os.path.abspath(arguments.program)]
    for name in "device", "threads":
        if getattr(arguments, name):
            command += ["--" + name, getattr(arguments, name)]
    for one in arguments.define:
        command += ["-D", one]
    command += ["explore", "--no-browser", "--port", "0", os.path.abspath(arguments.script)]
    tell_memory("before")
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline()
        found = re.search(r"http://([\d.]+):(\d+)(/\w+/)", line)
        if not found:
            raise SystemExit(f"latency: no link in {line!r}")
        place = found[1], int(found[2]), found[3]
        stream, sender = Stream(*place), Sender(*place)
        measure(stream, sender, arguments)
        tell_memory("during")
        workers = children(server.pid)
        stream.close()
        begin = time.perf_counter()
        while children(server.pid) and time.perf_counter() - begin < 120:
            time.sleep(0.05)
        left = children(server.pid)
        if left:
            print(f"after the last tab: process {left} has not ended within 120 s")
        else:
            print(f"after the last tab: process {workers} has ended after {time.perf_counter() - begin:.1f} s")
        tell_memory("after")
        return 1 if left else 0
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


if __name__ == "__main__":
    sys.exit(main())
