"""film.py PROGRAM FILE.png: the moving picture of docs/guide/explore.md: a slider of Fig. 3a moves, the curve follows."""

import io
import os
import sys
import tempfile
import time

from PIL import Image

import explorer

WIDTH, HEIGHT, SHOWN = 1320, 500, (990, 375)  # of the window and of the picture, in pixels
COLOURS, FRAME = 64, 120  # milliseconds

program, picture = os.path.abspath(sys.argv[1]), sys.argv[2]
script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "explore", "fig3a.lua")
with tempfile.TemporaryDirectory() as directory:
    server = explorer.Server(program, script, directory)
    driver = explorer.browser()
    size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    tab = explorer.Tab(driver, server.link)
    tab.settle()
    frames = []

    def take(count):
        for _ in range(count):
            frames.append(Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB").resize(SHOWN))
            time.sleep(0.04)

    def move(to):
        tab.run(
            "(s => { s.value = arguments[0]; s.dispatchEvent(new Event('input')); })"
            "(document.querySelector('input[type=range]'))",
            to,
        )

    take(4)
    for place in list(range(290, 900, 40)) + list(range(900, 280, -60)):
        move(place)
        time.sleep(0.25)
        take(1)
    take(6)
    driver.quit()
    server.close()
shades = frames[len(frames) // 2].quantize(COLOURS)
frames = [one.quantize(palette=shades, dither=Image.Dither.NONE) for one in frames]
frames[0].save(picture, save_all=True, append_images=frames[1:], duration=FRAME, loop=0, optimize=True)
print(f"{picture}: {len(frames)} frames, {os.path.getsize(picture)} bytes")
