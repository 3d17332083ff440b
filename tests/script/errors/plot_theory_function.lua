local bm = require "bmsim"
bm.plot({ N = { 1, 2 }, a = { 3, 4 }, b = { 1, 2 } }, { x = "N", y = { "a", "b" }, theory = function() return 1 end, file = "p.svg" })
