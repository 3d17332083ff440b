local bm = require "bmsim"
bm.plot({ N = { 1, 2 }, speed = { 3 } }, { x = "N", y = "speed", file = "p.svg" })
