"""The explorer's server without a browser. test_server.py PROGRAM DIRECTORY [REGEX]: DIRECTORY is made anew."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import traceback

import explorer

program, place = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
if not os.path.exists(os.path.join(os.path.dirname(program), "..", "lib", "bmsim", "explore")):
    print("skipped: this build has no explorer (libcpp-httplib-dev, libjs-chart.js)")
    sys.exit(77)

SCRIPT = """local bm = require "bmsim"
local D = bm.slider("D", { 0.5, 4, value = bm.args.start or 1 })
local r = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = D } }, paths = 64, time = 2, dt = 0.1,
  observe = "velocity", check_step = false,
}
r:print { "velocity" }
"""


def fresh(name):
    """An empty directory with the script and a parameter file."""
    directory = os.path.join(place, name)
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    with open(os.path.join(directory, "script.lua"), "w") as file:
        file.write(SCRIPT)
    with open(os.path.join(directory, "start.yaml"), "w") as file:
        file.write("start: 2\n")
    return directory


def start(name, *options):
    return explorer.Server(program, "script.lua", fresh(name), *options)


def connect(server):
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.settimeout(60)
    return connection


def request(path, *headers):
    return ("\r\n".join([f"GET {path} HTTP/1.1", *headers]) + "\r\n\r\n").encode()


def all_of(connection):
    """What comes until the server closes the connection."""
    answer = b""
    try:
        while part := connection.recv(65536):
            answer += part
    except ConnectionResetError:
        pass
    return answer


def head_of(connection):
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = connection.recv(65536)
        assert part, f"the connection ends after {answer!r}"
        answer += part
    return answer.decode("latin1")


class Events:
    """What the server tells a tab."""

    def __init__(self, server):
        self.connection = connect(server)
        self.connection.sendall(request(f"/{server.token}/events", f"Host: localhost:{server.port}"))
        self.heard = ""

    def wait_for(self, text):
        """Reads until this comes, and forgets what came before."""
        while text not in self.heard:
            part = self.connection.recv(65536)
            assert part, f"the events end before {text!r}: {self.heard[-500:]}"
            self.heard += part.decode("utf-8", "replace")
        self.heard = self.heard[self.heard.index(text) + len(text):]


def test_port():
    """A port has one server, though both are of one user."""
    server = start("port")
    second = subprocess.run([program, "explore", "--no-browser", "--port", str(server.port), "script.lua"],
                            cwd=server.directory, capture_output=True, text=True, timeout=60)
    assert second.returncode == 2, second
    assert f"port {server.port} is taken" in second.stderr, second.stderr
    assert second.stdout == "", second.stdout
    for _ in range(20):
        assert server.ask("")[0] == 200
    assert server.close() == 0
    again = explorer.Server(program, "script.lua", server.directory, port=server.port)
    assert again.ask("")[0] == 200, "a port whose server has ended is not free"
    again.close()


def test_idle_strangers():
    """Who does not show the token holds neither a thread nor a file for long, however many there are."""
    server = start("idle_strangers")
    slow = connect(server)
    slow.sendall(b"GET / HTTP/1.1\r\nHost: lo")
    silent = [connect(server) for _ in range(300)]
    assert server.ask("", timeout=4)[0] == 200, "silent connections keep others out"
    slow.settimeout(0.2)
    for _ in range(150):  # a byte at a time is no way to stay
        try:
            slow.sendall(b"c")
            if slow.recv(1) == b"":
                break
        except TimeoutError:
            continue
        except OSError:
            break
    else:
        raise AssertionError("a request may take for ever")
    for one in silent:
        assert all_of(one) == b""
    assert server.close() == 0


def test_tabs_stay():
    """A connection that had the token is not ended for its age, nor when strangers come."""
    server = start("tabs_stay")
    events = Events(server)
    events.wait_for("event: state")
    strangers = [connect(server) for _ in range(100)]
    for one in strangers:
        all_of(one)
    events.wait_for("event: beat")
    assert server.ask("values", data=b"D=3")[0] == 200
    events.wait_for('"version":1')
    assert server.close() == 0


def test_refusals():
    """What is refused is told so, and its connection ends."""
    server = start("refusals")
    host, page = f"Host: localhost:{server.port}", f"/{server.token}/"
    for good in (host, "Host: localhost", "Host: 127.0.0.1:1", "Host: [::1]:65535"):
        connection = connect(server)
        connection.sendall(request(page, good))
        assert " 200 " in head_of(connection), good
    refused = [[f"Host: {name}"] for name in
               ("localhost:x", "localhost:", "localhost:80x", "localhost:8000000", "localhost:80:90", "localhost:-1",
                "127.0.0.1:evil.example", "[::1]:", "[::1]x", "[::1", "localhost80", "evil.example:80")]
    origin = f"Origin: http://localhost:{server.port}"
    refused += [[host, origin, origin], [host, origin, "Origin: http://evil.example"], [host, host],
                [host, "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"], []]
    requests = [request(page, *headers) for headers in refused]
    requests += [request(path, host) * 3 for path in ("/", "/index.html", f"/{server.token[:-1]}/")]
    connections = [connect(server) for _ in requests]
    for connection, one in zip(connections, requests):
        connection.sendall(one)
    for connection, one in zip(connections, requests):
        answer = all_of(connection).decode("latin1")
        assert " 403 " in answer and "Connection: close" in answer and " 200 " not in answer, (one, answer)
    assert server.close() == 0


def test_end():
    """Ctrl-C ends the server at once, whoever is connected."""
    server = start("end")
    events = Events(server)
    events.wait_for("event: state")
    silent = [connect(server) for _ in range(20)]
    kept = connect(server)
    kept.sendall(request(f"/{server.token}/", f"Host: localhost:{server.port}"))
    head_of(kept)
    begin = time.monotonic()
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(60) == 0
    seconds = time.monotonic() - begin
    print(f"  ends within {seconds:.2f} s")
    assert seconds < 3, "it waits for connections"
    for one in [events.connection, kept, *silent]:
        all_of(one)
    server.close()


def test_end_of_compilation():
    """So it does while a kernel is compiled; neither the compiler nor a temporary directory is left."""
    directory = fresh("end_of_compilation")
    compiler, temporary = os.path.join(directory, "slow-c++"), os.path.join(directory, "temporary")
    with open(compiler, "w") as file:
        file.write("#!/bin/sh\nsleep 1000\n")
    os.chmod(compiler, 0o755)
    os.mkdir(temporary)
    environment = {"BMSIM_CXX": compiler, "XDG_CACHE_HOME": os.path.join(directory, "cache"), "TMPDIR": temporary}
    server = explorer.Server(program, "script.lua", directory, environment=environment)
    Events(server)
    explorer.wait_until(lambda: len(explorer.descendants(server.process.pid)) > 3, what="a compiler")
    processes = explorer.descendants(server.process.pid)
    begin = time.monotonic()
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(60) == 0
    seconds = time.monotonic() - begin
    print(f"  ends within {seconds:.2f} s")
    assert seconds < 3, "it waits for the compiler"
    explorer.wait_until(lambda: not any(map(explorer.runs, processes)), seconds=10, what="the end of the compiler")
    assert not os.listdir(temporary), os.listdir(temporary)
    server.close()


def check_replaced(server, name):
    events = Events(server)
    events.wait_for("event: state")
    file = os.path.join(server.directory, name)
    os.rename(file, file + ".aside")
    os.mkfifo(file)
    events.wait_for(f"'{name}' must be a regular file")
    os.remove(file)
    events.wait_for(f"cannot open '{name}': No such file")
    os.rename(file + ".aside", file)
    events.wait_for("event: state")
    assert server.close() == 0


def test_script_is_fifo():
    """A FIFO in the script's place is said, and what comes back in its place is run."""
    check_replaced(start("fifo"), "script.lua")


def test_parameters_are_fifo():
    """The same of a parameter file."""
    check_replaced(start("fifo_parameters", "--params", "start.yaml"), "start.yaml")


def main():
    wanted = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_") or not wanted.search(name):
            continue
        begin = time.monotonic()
        try:
            test()
            print(f"ok     {name} ({time.monotonic() - begin:.1f} s)")
        except Exception as error:
            failed += 1
            line = traceback.extract_tb(error.__traceback__)[1].lineno
            print(f"FAILED {name}, line {line}: {type(error).__name__}: {error}")
            for server in list(explorer.Server.running):
                server.kill()
    sys.exit(1 if failed else 0)


main()
