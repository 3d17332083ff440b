local bm = require "bmsym"
