local bm = require "bmsim"
bm.run { model = bm.overdamped {}, dt = 1, time = 5, observe = bm.observe.moments { times = "all" } }
