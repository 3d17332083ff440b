"""bmsim explore as the tests drive it: the server, what it answers to anybody, and a browser without a screen."""

import os
import re
import subprocess
import time
import urllib.error
import urllib.request


class Server:
    """The program, started in a directory, until it is closed."""

    running = set()

    def __init__(self, program, script, directory, *options, token="abcdefghijklmnop2345", port=0, environment=None):
        self.directory = directory
        environment = dict(os.environ, BMSIM_EXPLORE_TOKEN=token, **(environment or {}))
        self.process = subprocess.Popen(
            [program, *options, "explore", "--no-browser", "--port", str(port), script],
            cwd=directory,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        Server.running.add(self)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/(\w+)/", line)
        assert found, f"no link in {line!r}"
        self.link, self.port, self.token = found[0], int(found[1]), found[2]

    def workers(self):
        """The processes that run the script."""
        return children(self.process.pid)

    def ask(self, path, headers=None, data=None, timeout=60):
        """Status, headers and bytes of an answer. path: after the token, or from the root if it begins with /."""
        address = f"http://127.0.0.1:{self.port}{path}" if path.startswith("/") else self.link + path
        request = urllib.request.Request(address, data=data, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def kill(self):
        Server.running.discard(self)
        self.process.kill()
        self.process.wait()

    def close(self):
        Server.running.discard(self)
        self.process.terminate()
        status = self.process.wait(20)
        self.process.stdout.close()
        return status


def children(process):
    """The processes that a process has started, and that run."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:  # it has ended
            continue
        if int(parent) == process and state != "Z":
            found.append(int(name))
    return found


def runs(process):
    """Whether there is such a process, and it is no zombie."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def descendants(process):
    """Those, and what they have started in turn; parents come first."""
    own = children(process)
    return own + [one for child in own for one in descendants(child)]


def browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    for one in "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000":
        options.add_argument(one)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = "/usr/bin/chromium"
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def wait_until(condition, seconds=150, what="the condition"):
    """Waits until condition() is true, and returns what it gives."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} has not come within {seconds} s")


class Tab:
    """The page in the browser."""

    def __init__(self, driver, link):
        self.driver = driver
        driver.get(link)

    def run(self, script, *arguments):
        return self.driver.execute_script("return " + script, *arguments)

    def data(self, name):
        return self.run("document.documentElement.dataset[arguments[0]]", name)

    def settle(self, after=0):
        """Waits until all paths of values number `after` or later are done."""
        wait_until(
            lambda: self.run(
                "(({done, version}) => done === 'true' && version >= arguments[0] && !explorer.pending)"
                "(document.documentElement.dataset)",
                after,
            ),
            what=f"the end of values {after}; {self.text('#status')} {self.text('#failure')}",
        )

    def change(self, do):
        """Does something to a control, and waits until the page shows its final result."""
        before = int(self.data("version") or 0)
        do()
        self.settle(before + 1)

    def text(self, selector):
        return self.run("document.querySelector(arguments[0]).textContent", selector)

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def curve(self, panel, title):
        """The points of a curve as they are drawn, with the ends of their bars."""
        return self.run(
            "(([p, t]) => { const one = explorer.panels[p].view.chart.data.datasets.find(d => d.label === t);"
            " return one && {x: one.data.map(d => d.x), y: one.data.map(d => d.y), low: one.low, high: one.high}; })"
            "(arguments)",
            panel,
            title,
        )
