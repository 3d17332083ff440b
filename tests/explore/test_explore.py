"""The explorer in a real browser. test_explore.py PROGRAM DIRECTORY [REGEX]: pictures of the page stay in DIRECTORY."""

import csv
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback

try:
    from selenium.webdriver.common.keys import Keys

    import explorer
except ImportError as error:
    print(f"skipped: {error} (python3-selenium, chromium-driver)")
    sys.exit(77)
if not os.path.exists("/usr/bin/chromedriver"):
    print("skipped: there is no chromedriver (chromium-driver)")
    sys.exit(77)
if not os.path.exists(os.path.join(os.path.dirname(sys.argv[1]), "..", "lib", "bmsim", "explore")):
    print("skipped: this build has no explorer (libcpp-httplib-dev, libjs-chart.js)")
    sys.exit(77)

program, pictures = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
here = os.path.dirname(os.path.abspath(__file__))
PLOT, SIMULATION = 1, "simulation"


def fresh(name):
    """An empty directory with the script."""
    directory = os.path.join(pictures, name)
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    shutil.copy(os.path.join(here, "ratchet.lua"), directory)
    return directory


def ordinary(directory, *options, script="ratchet.lua"):
    """The table of an ordinary run of the script: name -> numbers."""
    aside = os.path.join(directory, "aside")
    os.makedirs(aside, exist_ok=True)
    subprocess.run([program, *options, os.path.join(directory, script)], cwd=aside, check=True, capture_output=True)
    with open(os.path.join(aside, "ratchet.csv")) as table:
        rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def check_curve(tab, table):
    """The page shows this table, to the bit."""
    curve = tab.curve(PLOT, SIMULATION)
    assert curve["x"] == table["poisson.D"], (curve["x"], table["poisson.D"])
    assert curve["y"] == table["velocity"], (curve["y"], table["velocity"])
    ends = [v + e for v, e in zip(table["velocity"], table["velocity_err"])]
    assert curve["high"] == ends, (curve["high"], ends)
    theory = tab.curve(PLOT, "")
    assert len(theory["x"]) > 50, "no line of theory"


def test_values(driver):
    """Sliders, typed values, choices and toggles give what the command line gives."""
    directory = fresh("values")
    server = explorer.Server(program, "ratchet.lua", directory)
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    driver.save_screenshot(os.path.join(pictures, "page.png"))
    check_curve(tab, ordinary(directory))

    slider = tab.find("input[type=range]")
    tab.change(lambda: slider.send_keys(Keys.ARROW_RIGHT * 40))
    a = tab.run("document.querySelector('input[name=a]').value")
    assert 1.5 < float(a) < 4, a
    check_curve(tab, ordinary(directory, "-D", f"a={a}"))

    box = tab.find("input[name=D_G]")
    tab.change(lambda: box.send_keys(Keys.CONTROL, "a", Keys.NULL, "0.37", Keys.ENTER))
    check_curve(tab, ordinary(directory, "-D", f"a={a}", "-D", "D_G=0.37"))
    assert tab.run("location.hash") == f"#a={a}&D_G=0.37"
    assert tab.text("#command") == f"bmsim -D a={a} -D D_G=0.37 ratchet.lua"
    assert tab.text("pre").endswith("\nof 4 points\nby io.write\n"), tab.text("pre")

    version = tab.data("version")
    box.send_keys(Keys.CONTROL, "a", Keys.NULL, "37", Keys.ENTER)
    time.sleep(0.5)
    assert tab.data("version") == version, "a value beyond the slider's end was sent"
    box.send_keys(Keys.CONTROL, "a", Keys.NULL, "0.37", Keys.ENTER)

    tab.change(lambda: tab.find("select").send_keys("8"))
    tab.change(lambda: tab.find("input[type=checkbox]").click())
    table = ordinary(directory, "-D", f"a={a}", "-D", "D_G=0.37", "-D", "points=8", "-D", "spread=true")
    check_curve(tab, table)
    assert "diffusion" in table

    for format, begins in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("csv", b"# "), ("nc", b"\x89HDF")):
        status, headers, content = server.ask(f"take/p2.{format}")
        assert status == 200 and content.startswith(begins), (format, status, content[:60])
        assert "attachment" in headers["Content-Disposition"]
    status, _, script = server.ask("take/script.lua")
    assert status == 200
    with open(os.path.join(directory, "taken.lua"), "wb") as file:
        file.write(script)
    assert ordinary(directory, script="taken.lua") == table, "the script that was taken away gives other numbers"
    assert ordinary(directory, "-D", "a=1.5", script="taken.lua") != table

    tab.change(lambda: tab.find("#reset").click())
    check_curve(tab, ordinary(directory))
    assert not os.path.exists(os.path.join(directory, "ratchet.csv")), "the explorer has written the script's file"
    severe = [one for one in driver.get_log("browser") if one["level"] == "SEVERE"]
    assert not severe, severe
    assert server.close() == 0


def test_compilation(driver):
    """A slider that moves while a kernel is compiled does not begin that anew, and no number of paths needs another."""
    directory = fresh("compilation")
    compiler, log = os.path.join(directory, "slow-c++"), os.path.join(directory, "compiled")
    with open(compiler, "w") as file:
        file.write(f'#!/bin/sh\nfor text; do :; done\nmd5sum < "$text" >> {log}\nsleep 2\nexec c++ "$@"\n')
    os.chmod(compiler, 0o755)
    environment = {"BMSIM_CXX": compiler, "XDG_CACHE_HOME": os.path.join(directory, "cache")}
    server = explorer.Server(program, "ratchet.lua", directory, environment=environment)
    tab = explorer.Tab(driver, server.link)
    for k in range(20):
        version = json.loads(server.ask("values", data=b"a=%d.%d" % (1 + k // 10, k % 10))[2])["version"]
        time.sleep(0.2)
    tab.settle(version)
    with open(log) as lines:
        compiled = lines.read().splitlines()
    assert len(compiled) == len(set(compiled)) == 2, compiled  # of the run, and of what moves
    server.close()


def test_drag(driver):
    """The curve follows a slider that does not rest."""
    server = explorer.Server(program, "ratchet.lua", fresh("drag"))
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    driver.execute_script("""
        const slider = document.querySelector("input[type=range]"), root = document.documentElement;
        globalThis.versions = new Set();
        globalThis.dragged = setInterval(() => {
          slider.value = (Number(slider.value) + 2) % slider.max;
          slider.dispatchEvent(new Event("input"));
          versions.add(root.dataset.version);
        }, 20);""")
    begin = time.monotonic()
    explorer.wait_until(lambda: tab.run("versions.size") > 10, what="curves while a slider moves")
    print(f"  {10 / (time.monotonic() - begin):.0f} curves a second")
    tab.run("clearInterval(dragged)")
    tab.settle(1)
    server.close()


def test_motion(driver):
    """Particles move, 30 frames a second and more; they go on from where a recording ends."""
    server = explorer.Server(program, "ratchet.lua", fresh("motion"))
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    drawn = "explorer.panels[0].view.drawn"
    before, begin = tab.run(drawn), time.monotonic()
    time.sleep(2)
    rate = (tab.run(drawn) - before) / (time.monotonic() - begin)
    print(f"  {rate:.0f} frames a second")
    tab.find(".panel button").click()
    before = tab.run(drawn)
    time.sleep(0.3)
    assert tab.run(drawn) == before, "Pause does not pause"
    assert rate > 10, rate
    tab.find(".panel button").click()
    view = "explorer.panels[0].view"
    first = tab.run(f"[{view}.panel.round, {view}.panel.part, {view}.panel.begin, {view}.panel.duration]")
    assert first[1:3] == [0, 0], first
    places = "(v => Array.from({length: v.panel.count}, (_, p) => v.x[p * v.panel.frames + arguments[0]]))"
    end = tab.run(f"{places}({view})", 599)
    explorer.wait_until(lambda: tab.run(f"{view}.panel.part") == 1, seconds=40)
    assert tab.run(f"{view}.panel.begin") == first[3]
    begin = tab.run(f"{places}({view})", 0)
    width, step = 3, 2e-3  # of the panel; of what is sent, which has 16 bits
    gaps = [abs((a - b + width / 2) % width - width / 2) for a, b in zip(end, begin)]
    assert max(gaps) < step, max(gaps)
    server.close()


def test_levels(driver):
    """A noise that modulates the potential: its levels, and the average."""
    directory = fresh("levels")
    with open(os.path.join(directory, "flash.lua"), "w") as file:
        file.write("""
local bm = require "bmsim"
bm.show(bm.overdamped { potential = bm.potential.sine { V0 = 2 }, noise = { bm.noise.gaussian { D = 0.1 },
  bm.noise.dichotomous { Fa = 1, Fb = 0, mu_a = 1, mu_b = 3, modulate = "potential" } } }, { paths = 20 })
""")
    server = explorer.Server(program, "flash.lua", directory)
    tab = explorer.Tab(driver, server.link)
    view = "explorer.panels[0].view"
    explorer.wait_until(lambda: tab.run(f"explorer.panels[0] && {view}.panel"))
    values = tab.run(f"[0.25, 0.5, 0.6].map(u => [{view}.energy(u), ...{view}.panel.levels.map(l => {view}.energy(u, l))])")
    for average, off, on in values:
        assert abs(off) < 1e-3 and abs(average - on / 4) < 1e-3, values
    assert max(abs(on) for _, _, on in values) > 1, values
    with open(os.path.join(directory, "flash.lua"), "a") as file:
        file.write("bm.show(bm.overdamped {}, { time = -1 })\n")
    explorer.wait_until(lambda: "flash.lua:5: show: run: time must be" in tab.text("main"))
    server.close()


def test_speed(driver):
    """From a slider to the first curve, of Fig. 3a with 20 points, kernels cached."""
    directory = fresh("speed")
    script = os.path.join(here, "..", "..", "scripts", "explore", "fig3a.lua")
    server = explorer.Server(program, script, directory)
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    slider, errors = tab.find("input[type=range]"), []
    for _ in range(10):
        count = tab.run("explorer.latencies.length")
        slider.send_keys(Keys.ARROW_RIGHT)
        explorer.wait_until(lambda: tab.run("explorer.latencies.length") > count)
        errors += tab.run(
            "explorer.panels[1].panel.curves.filter(c => c.high).map(c => c.y.map((y, i) => (c.high[i] - y) / y))[0]"
        )
        time.sleep(0.3)
    latencies, errors = sorted(tab.run("explorer.latencies")), sorted(errors)
    print(f"  first curve after {latencies[len(latencies) // 2]:.0f} ms, at most {latencies[-1]:.0f} ms;"
          f" its errors: half of them below {100 * errors[len(errors) // 2]:.1f} %")
    assert latencies[len(latencies) // 2] < 3000, latencies
    server.close()


def test_tabs(driver):
    """Two tabs see the same run; a link restores the values."""
    server = explorer.Server(program, "ratchet.lua", fresh("tabs"))
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    second = driver.current_window_handle
    # The answer to the values of the link comes after the last state that they make.
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
        "source": "const ask = fetch; globalThis.fetch = async (...all) => {"
                  " const answer = await ask(...all); await new Promise(go => setTimeout(go, 2000)); return answer; };"
    })
    other = explorer.Tab(driver, server.link + "#a=2.5")
    explorer.wait_until(lambda: other.run("document.querySelector('input[name=a]')?.value") == "2.5")
    other.settle(1)
    curve = other.curve(PLOT, SIMULATION)
    driver.switch_to.window(first)
    tab.settle(1)
    assert tab.run("document.querySelector('input[name=a]').value") == "2.5"
    assert tab.curve(PLOT, SIMULATION) == curve
    assert len(server.workers()) == 1
    driver.switch_to.window(second)
    driver.close()
    driver.switch_to.window(first)
    assert tab.data("done") == "true"
    server.close()


def open_tabs(driver, server, count):
    """Windows of so many tabs with the page, whose results are there."""
    driver.set_page_load_timeout(60)
    handles = []
    for _ in range(count):
        driver.switch_to.new_window("tab")
        handles.append(driver.current_window_handle)
        explorer.Tab(driver, server.link).settle()
    return handles


def close_tabs(driver, handles, first):
    for handle in handles:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(first)


def follow(driver, server, handles, value):
    """A value that is set in the last tab is shown in all, with one curve."""
    before = int(server.tab.data("version"))
    box = server.tab.find("input[name=a]")
    box.send_keys(Keys.CONTROL, "a", Keys.NULL, value, Keys.ENTER)
    curves = []
    for handle in [driver.current_window_handle, *handles]:
        driver.switch_to.window(handle)
        server.tab.settle(before + 1)
        assert server.tab.run("document.querySelector('input[name=a]').value") == value
        curves.append(server.tab.curve(PLOT, SIMULATION))
    assert all(one == curves[0] for one in curves), "tabs show different curves"


def test_many_tabs(driver):
    """A browser has six connections to a host: with more tabs than that all of them work."""
    server = explorer.Server(program, "ratchet.lua", fresh("many_tabs"))
    first = driver.current_window_handle
    server.tab = explorer.Tab(driver, server.link)
    server.tab.settle()
    handles = open_tabs(driver, server, 7)
    follow(driver, server, handles, "2.5")
    close_tabs(driver, handles, first)
    follow(driver, server, [], "3")
    server.close()


def test_crowd(driver):
    """Thirty tabs, and fifty strangers who say nothing, say it slowly, or ask for what they are refused."""
    server = explorer.Server(program, "ratchet.lua", fresh("crowd"))
    first, over, refusals = driver.current_window_handle, threading.Event(), []

    def intrude(number):
        requests = [b"", b"GET / HTTP/1.1\r\nHost: lo", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"]
        while not over.is_set():
            try:
                with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
                    connection.sendall(requests[number % 3])
                    refusals.append(connection.recv(1000)[:12])
            except OSError:
                pass

    strangers = [threading.Thread(target=intrude, args=(number,)) for number in range(50)]
    for one in strangers:
        one.start()
    try:
        server.tab = explorer.Tab(driver, server.link)
        server.tab.settle()
        handles = open_tabs(driver, server, 29)
        for value in ("2.5", "1", "3.5"):
            follow(driver, server, handles, value)
        close_tabs(driver, handles, first)
        follow(driver, server, [], "2")
    finally:
        over.set()
    for one in strangers:
        one.join()
    assert set(refusals) <= {b"", b"HTTP/1.1 400", b"HTTP/1.1 403"} and refusals.count(b"HTTP/1.1 403") > 50, set(refusals)
    print(f"  {len(refusals)} connections of strangers")
    assert len(server.workers()) == 1
    assert server.close() == 0


def test_scripts(driver):
    """An error appears with its line, and the next save of the script is read."""
    directory = fresh("scripts")
    script = os.path.join(directory, "ratchet.lua")
    with open(script) as file:
        good = file.read()
    server = explorer.Server(program, "ratchet.lua", directory)
    tab = explorer.Tab(driver, server.link)
    tab.settle()

    def save(text):
        with open(script + ".new", "w") as file:
            file.write(text)
        os.rename(script + ".new", script)

    save(good.replace("gaussian { D = D_G }", "gaussian { Dp = D_G }"))
    explorer.wait_until(lambda: "ratchet.lua:10: noise.gaussian: unknown parameter 'Dp'" in tab.text("#failure"))
    driver.save_screenshot(os.path.join(pictures, "error.png"))
    save("local bm = require 'bmsim'\nlocal x = = 1\n")
    explorer.wait_until(lambda: "ratchet.lua:2:" in tab.text("#failure"))
    save("os.exit(7)\n")
    explorer.wait_until(lambda: "has ended with status 7" in tab.text("#failure"))
    save(good)
    tab.change(lambda: tab.find("#reset").click())
    assert tab.run("document.querySelector('#failure').hidden")
    save("while true do end\n")
    time.sleep(1)
    save(good.replace("0.1, 10", "0.2, 5"))
    explorer.wait_until(lambda: (tab.curve(PLOT, SIMULATION) or {"x": [0]})["x"][0] == 0.2)
    server.close()


def test_lost(driver):
    """A killed worker, a killed server, and a server that is started again."""
    directory = fresh("lost")
    server = explorer.Server(program, "ratchet.lua", directory)
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    box = tab.find("input[name=a]")
    tab.change(lambda: box.send_keys(Keys.CONTROL, "a", Keys.NULL, "3", Keys.ENTER))
    curve = tab.curve(PLOT, SIMULATION)
    (worker,) = server.workers()
    os.kill(worker, signal.SIGKILL)
    explorer.wait_until(lambda: "Killed" in tab.text("#failure"))
    tab.change(lambda: box.send_keys(Keys.CONTROL, "a", Keys.NULL, "2", Keys.ENTER))
    assert tab.curve(PLOT, SIMULATION) != curve
    tab.change(lambda: box.send_keys(Keys.CONTROL, "a", Keys.NULL, "3", Keys.ENTER))
    assert tab.curve(PLOT, SIMULATION) == curve
    server.kill()
    explorer.wait_until(lambda: "connection" in tab.text("#failure"))
    assert tab.run("explorer.pending"), "what the lost server has said is taken for the next one's answer"
    again = explorer.Server(program, "ratchet.lua", directory, port=server.port)
    explorer.wait_until(lambda: tab.run("document.querySelector('#failure').hidden"))
    tab.settle(1)
    assert tab.curve(PLOT, SIMULATION) == curve, "the page's values are lost"
    again.kill()
    strange = explorer.Server(program, "ratchet.lua", directory, token="another0token0of0the0server", port=server.port)
    time.sleep(3)
    assert "open the link" in tab.text("#failure")
    assert not strange.workers(), "a page without the token has started a run"
    strange.close()


def test_offline(driver):
    """A tab without a connection says so, and catches up."""
    server = explorer.Server(program, "ratchet.lua", fresh("offline"))
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    driver.set_network_conditions(offline=True, latency=0, throughput=0)
    box = tab.find("input[name=a]")
    box.send_keys(Keys.CONTROL, "a", Keys.NULL, "3", Keys.ENTER)
    explorer.wait_until(lambda: "connection" in tab.text("#failure"))
    driver.delete_network_conditions()
    explorer.wait_until(lambda: tab.run("document.querySelector('#failure').hidden"))
    tab.settle(1)
    check_curve(tab, ordinary(os.path.join(pictures, "offline"), "-D", "a=3"))
    server.close()


def test_idle(driver):
    """When the last tab is closed the process that has the device ends; the next tab starts it again."""
    server = explorer.Server(program, "ratchet.lua", fresh("idle"))
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    (worker,) = server.workers()
    kinds = [os.readlink(f"/proc/{worker}/fd/{one}") for one in os.listdir(f"/proc/{worker}/fd")]
    assert not any(one.startswith("socket:") for one in kinds), kinds
    driver.get("about:blank")
    begin = time.monotonic()
    explorer.wait_until(lambda: not server.workers(), seconds=60)
    print(f"  the device is free after {time.monotonic() - begin:.0f} s")
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    driver.get("about:blank")

    another = explorer.browser()  # which dies with its tab
    explorer.Tab(another, server.link).settle()
    for process in reversed(explorer.descendants(another.service.process.pid)):
        os.kill(process, signal.SIGKILL)
    begin = time.monotonic()
    explorer.wait_until(lambda: not server.workers(), seconds=60)
    print(f"  after the browser was killed: after {time.monotonic() - begin:.0f} s")
    another.service.stop()

    silent = http.client.HTTPConnection("127.0.0.1", server.port)  # as a tab behind the tunnel of a computer that sleeps
    silent.request("GET", f"/{server.token}/events")
    explorer.wait_until(server.workers)
    begin = time.monotonic()
    explorer.wait_until(lambda: not server.workers(), seconds=60)
    print(f"  after the last word of a tab: after {time.monotonic() - begin:.0f} s")
    assert server.ask("here", data=b"")[0] == 204
    explorer.wait_until(server.workers)
    silent.close()
    server.close()


def test_strangers(_):
    """What the server refuses."""
    server = explorer.Server(program, "ratchet.lua", fresh("strangers"))
    host = {"Host": f"localhost:{server.port}"}
    page = "/" + server.token + "/"
    status, headers, _ = server.ask(page, host)
    assert status == 200
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    tunnel = {"Host": "localhost:9999", "Origin": "http://localhost:9999", "Sec-Fetch-Site": "same-origin"}
    assert server.ask(page, tunnel)[0] == 200, "a tunnel has another port"
    assert server.ask(page + "explore.js", tunnel)[0] == 200
    assert server.ask(page, {**tunnel, "Origin": "http://localhost:9998"})[0] == 403
    refused = [
        ("/", host),
        ("/index.html", host),
        ("/" + "a" * 20 + "/", host),
        ("/" + server.token[:-1] + "/", host),
        ("/" + server.token, host),
        (page, {"Host": "evil.example"}),
        (page, {"Host": "127.0.0.1.evil.example"}),
        (page, {"Host": f"localhost.:{server.port}"}),
        (page, {"Host": ""}),
        (page, {**host, "Origin": "http://evil.example"}),
        (page, {**host, "Origin": f"http://localhost:{server.port + 1}"}),
        (page, {**host, "Sec-Fetch-Site": "cross-site"}),
        (page, {**host, "Sec-Fetch-Site": "same-site"}),
    ]
    for path, headers in refused:
        assert server.ask(path, headers)[0] in (400, 403), (path, headers)
    for path in ("etc/passwd", "../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "take/../../x.svg", "take/p1.exe",
                 "take/p1/../p2.svg", "take/script.so", "ratchet.lua", "chart.js%00", "index.html", "./"):
        status = server.ask(page + path, host)[0]
        assert status in (400, 403, 404), (path, status)
    bad = [b"a=1\nset 9 b", b"a=1 2", b"\x00", b"a=<script>", b"x" * 100000]
    for data in bad:
        assert server.ask(page + "values", host, data)[0] in (400, 413), data[:20]
    assert server.ask(page + "values", {**host, "Origin": "null"}, b"a=1")[0] == 403
    assert server.ask("/values", host, b"a=1")[0] == 403
    assert not server.workers(), "what was refused has started a run"
    listening = subprocess.run(["ss", "-ltnH"], capture_output=True, text=True).stdout if shutil.which("ss") else ""
    for line in listening.splitlines():
        assert f":{server.port} " not in line or f"127.0.0.1:{server.port} " in line, line
    assert server.close() == 0


def test_nonsense(driver):
    """Values that are none do nothing; those beyond a slider's ends are its ends."""
    directory = fresh("nonsense")
    server = explorer.Server(program, "ratchet.lua", directory)
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    workers, dice = server.workers(), random.Random(1)
    letters = "aD_G=&%+.-~0123456789fx"
    pieces = ["a=", "D_G=", "points=", "spread=", "nan", "inf", "-1e999", "1e-400", "%00", "%0A", "%22", "0x10", "&"]
    for _ in range(150):
        if dice.random() < 0.5:
            query = "".join(dice.choice(letters) for _ in range(dice.randrange(60)))
        else:
            query = "".join(dice.choice(pieces) for _ in range(dice.randrange(12)))
        assert server.ask("values", data=query.encode())[0] == 200, query
    last = json.loads(server.ask("values", data=b"a=99&D_G=nan&points=5&spread=maybe&b=1")[2])["version"]
    tab.settle(last)
    assert server.workers() == workers, "nonsense has ended the process"
    check_curve(tab, ordinary(directory, "-D", "a=4"))
    server.close()


def test_phone(driver):
    """On a narrow screen, and on a dark one, nothing is cut off."""
    server = explorer.Server(program, "ratchet.lua", fresh("phone"))
    driver.set_window_size(500, 900)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    assert tab.run("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
    driver.save_screenshot(os.path.join(pictures, "phone.png"))
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.set_window_size(1280, 1000)
    driver.refresh()
    tab.settle()
    driver.save_screenshot(os.path.join(pictures, "dark.png"))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    server.close()


def main():
    os.makedirs(pictures, exist_ok=True)
    wanted = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    driver = explorer.browser()
    failed = 0
    try:
        for name, test in list(globals().items()):
            if not name.startswith("test_") or not wanted.search(name):
                continue
            begin = time.monotonic()
            try:
                test(driver)
                print(f"ok     {name} ({time.monotonic() - begin:.1f} s)")
            except Exception as error:
                failed += 1
                driver.save_screenshot(os.path.join(pictures, f"failed-{name}.png"))
                line = traceback.extract_tb(error.__traceback__)[1].lineno
                print(f"FAILED {name}, line {line}: {type(error).__name__}: {error}")
                for server in list(explorer.Server.running):
                    server.kill()
    finally:
        driver.quit()
    sys.exit(1 if failed else 0)


main()
