-- What the observables are, a line each, in the order of the core, and the names of their options. The window is what
-- follows the transient; <...> is the mean over the paths.
local definitions = {
  { "velocity", "<v>, the displacement of x in the window over its length" },
  { "diffusion", "the growth of Var x in the window, over twice its length" },
  { "velocity_squared", "<v^2> over the window" },
  { "kinetic_energy", "m <v^2> / 2 over the window" },
  { "peclet", "<v> L / D_eff, with the period L" },
  { "mobility", "d<v>/d force, from the same paths with a little more force", "df" },
  { "efficiency", "of a motor against the load -force: energetic, Stokes, and of rectification" },
  { "moments", "cumulants 1 to 4 of x, and of v, at some times", "count spacing times" },
  { "non_gaussianity", "k4 / (3 k2^2) of the displacement in the window" },
  { "velocity_non_gaussianity", "k4 / (3 k2^2) of v at the end" },
  { "density", "p(x mod L), or p(x) over a range", "bins count range times" },
  { "velocity_density", "p(v) over a range", "bins count range times" },
  { "joint_density", "p(x, v), of systems p of two variables", "bins count position_range range times velocity_bins" },
  { "displacement_density", "p(x(t) - x(t_0)) at some times", "bins count range spacing times" },
  { "fractional_moment", "<|x(t) - x(t_0)|^q>, and the exponent of its growth", "count q spacing times" },
  { "current", "passages of a place upwards less downwards, per path and time", "bins times" },
  { "correlation", "<dz(t) dz(t + lag)> of the velocity or the position", "centred lags normalised of origins step" },
  { "spectrum", "the one-sided spectral density S(f) of the velocity or the position",
    "of paths samples segments step window" },
  { "stroboscope", "x and v of some paths, once in every period of the drive", "paths periods phases" },
  { "paths", "x(t) and v(t) of some paths", "count paths times" },
  { "first_passage", "the time at which x first reaches a level, or leaves an interval", "bins from longest to" },
  { "residence", "the mean times in two states, low and high, and the fraction in the low one", "from to" },
  { "lyapunov", "the rate at which infinitely close paths with the same noise part" },
  { "basins", "the mean velocity of the paths from each initial state" },
  { "turning_points", "how often x turns round by more than a threshold, per time", "threshold" },
  { "average", "the mean of formulas over the window" },
  { "joint_diffusion", "the growth of Cov(x, y) in the window, over twice its length" },
  { "integral", "a formula integrated along each path of the window: mean, variance, density",
    "bins cumulants exponential range" },
  { "work", "the work that constant forces and drives do in the window", "bins cumulants exponential range" },
  { "heat", "the heat that passes into the baths in the window", "bins cumulants exponential range" },
  { "entropy_production", "the entropy production, per time" },
  { "response", "amplitude and phase of <x(t)> at the frequency of a drive", "harmonics name of omega snr" },
  { "events", "rate, Fano factor and waiting times of the model's events", "bins range value" },
  { "exits", "when and where paths end at walls that absorb", "bins longest" },
}

local by_name, options, names = {}, {}, {}
for i, one in ipairs(definitions) do
  names[i], by_name[one[1]], options[one[1]] = one[1], one[2], {}
  for option in (one[3] or ""):gmatch "%S+" do table.insert(options[one[1]], option) end
end

return { of = by_name, options = options, names = names }
