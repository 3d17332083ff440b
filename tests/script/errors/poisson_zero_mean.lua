local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.poisson { law = "two_sided", D = 1, a = 2 } } }
