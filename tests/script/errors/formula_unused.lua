local bm = require "bmsim"
bm.drive.formula { "A*cos(omega*t)", A = 1, omega = 3, phi = 1 }
