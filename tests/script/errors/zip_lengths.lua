local bm = require "bmsim"
local axis = bm.zip { { "a.D", { 1, 2 } }, { "b.D", { 1, 2, 3 } } }
