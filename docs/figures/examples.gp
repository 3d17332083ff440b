# The figures of docs/examples.md from data/NAME.csv, which the scripts write: gnuplot examples.gp, in docs/figures.
set terminal svg size 640,420 font "sans,14" background "white"
bars = "with yerrorbars dt solid"
# Colours of Okabe and Ito, which colour-blind eyes tell apart; shapes of points and dashes differ, too.
set linetype 1 lc rgb "#0072B2" lw 2 pt 7 ps 0.7 dt solid
set linetype 2 lc rgb "#D55E00" lw 2 pt 5 ps 0.7 dt (9,4)
set linetype 3 lc rgb "#009E73" lw 2 pt 9 ps 0.9 dt (3,3)
set linetype 4 lc rgb "#CC79A7" lw 2 pt 13 ps 0.9 dt (12,3,3,3)
set linetype 5 lc rgb "#000000" lw 2 pt 11 ps 0.9 dt (6,3)
set linetype 6 lc rgb "#56B4E9" lw 2 pt 4 ps 0.8 dt solid
# Column y where column x is v, else nothing: one branch of a table of several.
only(x, v, y) = abs(column(x) - v) < 1e-9 * (1 + abs(v)) ? column(y) : NaN
start(name) = sprintf("set output '%s.svg'; data = 'data/%s.csv'", name, name)
again = "reset; set grid lc rgb '#e0e0e0' lw 0.8; set border lw 1.2; set bars 0.6; set samples 400; " . \
  "set key reverse Left samplen 2 spacing 1.15; set datafile separator ','; set datafile columnheaders"

eval again; eval start("maxwell")
set xlabel "T"; set ylabel "⟨v²⟩"; set key left top; set xrange [0:2.1]; set yrange [0:4.4]
v2 = "velocity_squared"
plot x/0.5 lt 1 title "T/m, m = 1/2", x/2 lt 2 title "T/m, m = 2", \
  data using "gaussian.T":(only("mass", 0.5, v2)):(column(v2."_err")) @bars lt 1 title "m = 1/2", \
  data using "gaussian.T":(only("mass", 2, v2)):(column(v2."_err")) @bars lt 2 title "m = 2"

eval again; eval start("inertial_diffusion")
set logscale xy; set xlabel "t"; set ylabel "Var x / 2t"; set key right bottom
set xrange [0.04:60]; set yrange [0.008:0.5]
m = 1; g = 2; T = 0.5
plot T/g*(1 - m/(g*x)*(1 - exp(-g*x/m))) lt 1 title "exact", \
  x < 1.5 ? T/m*x/2 : NaN lt 2 lw 1.3 title "ballistic, T t/2m", \
  T/g lt 3 lw 1.3 title "Einstein, T/γ", \
  data using "time":"diffusion":"diffusion_err" @bars lt 5 pt 7 ps 0.6 title "simulation"

eval again; eval start("friction")
set logscale xy; set xlabel "γ"; set ylabel "D_{eff}"; set xrange [0.025:36]
set yrange [0.0015:1.2]; set key left bottom
plot data using "gamma":"exact" smooth mcsplines lt 1 title "exact", \
  data using "gamma":"low" with lines lt 3 lw 1.3 title "γ → 0, energy diffusion", \
  data using "gamma":"high" with lines lt 2 lw 1.3 title "γ → ∞, Lifson and Jackson", \
  data using "gamma":"diffusion":"diffusion_err" @bars lt 5 pt 7 ps 0.6 title "simulation"

eval again; eval start("kramers")
inverse(name) = 1/column(name); T = "gaussian.T"
set logscale y; set xlabel "1/T"; set ylabel "γ D_{eff}  =  γ k L^2"; set format y "10^{%L}"
set xrange [1.5:4.7]; set yrange [1e-4:0.4]
set key right top
plot data using (inverse(T)):"exact" smooth csplines lt 1 title "overdamped, exact", \
  data using (inverse(T)):"gamma_8_kramers" smooth csplines lt 2 title "γ = 8, Kramers", \
  data using (inverse(T)):"gamma_2_kramers" smooth csplines lt 3 title "γ = 2, Kramers", \
  data using (inverse(T)):"diffusion":"diffusion_err" @bars lt 1 title "overdamped", \
  data using (inverse(T)):"gamma_8":"gamma_8_err" @bars lt 2 title "γ = 8", \
  data using (inverse(T)):"gamma_2":"gamma_2_err" @bars lt 3 title "γ = 2"

eval again; eval start("stratonovich")
set terminal svg size 640,640 font "sans,14" background "white"
set output "stratonovich.svg"
set multiplot layout 2,1 margins 0.13,0.97,0.09,0.98 spacing 0.04
set xrange [1.7:11.3]; set format x ""; set ylabel "v"; set key left top
# Open shapes, so that all four are seen where they coincide.
shown = "sine fourier table formula"; array shape[4] = [6, 4, 8, 12]; array large[4] = [0.7, 1.0, 1.1, 1.5]
plot data using "force":"exact_v" smooth csplines lt 5 dt solid lw 1.5 title "exact", \
  data using "force":"velocity" with points lt 1 pt 6 title "sine", \
  for [i=2:4] data using "force":(column(word(shown,i)."_v")) with points lt i pt shape[i] ps large[i] \
    title word(shown,i)
set format x "%g"; set xlabel "F"; set ylabel "D_{eff}"; set yrange [0:0.47]; unset key
plot data using "force":"exact_D" smooth csplines lt 5 dt solid lw 1.5, \
  data using "force":"diffusion":"diffusion_err" @bars lt 1 pt 6, \
  for [i=2:4] data using "force":(column(word(shown,i)."_D")) with points lt i pt shape[i] ps large[i]
unset multiplot
set terminal svg size 640,420 font "sans,14" background "white"

eval again; eval start("ornstein_uhlenbeck"); tau = "ornstein_uhlenbeck.tau"
set logscale xy; set xlabel "τ"; set ylabel "D_{eff}"; set key left bottom
set xrange [0.0017:0.12]; set yrange [2e-4:1]
plot data using (column(tau)):(only("sine.V0",0,"white")) with lines lt 1 title "free, D", \
  data using (column(tau)):(only("sine.V0",1,"white")) with lines lt 3 title "V = sin 2πx, white limit", \
  data using (column(tau)):(column(tau) < 0.025 ? only("sine.V0",1,"first_order") : NaN) \
    smooth csplines lt 2 title "first order in τ", \
  data using (column(tau)):(only("sine.V0",0,"diffusion")):"diffusion_err" @bars lt 1 title "free", \
  data using (column(tau)):(only("sine.V0",1,"diffusion")):"diffusion_err" @bars lt 2 title "V = sin 2πx"

eval again; eval start("poisson_laws"); V0 = "piecewise_linear.V0"
set terminal svg size 640,640 font "sans,14" background "white"
set output "poisson_laws.svg"
set multiplot layout 2,1 margins 0.13,0.97,0.09,0.98 spacing 0.04
laws = "exponential constant uniform gaussian two_sided"; names = "exponential constant uniform normal two-sided"
set logscale x; set xrange [0.17:12]; set format x ""; set ylabel "v"; set yrange [-0.04:0.46]
set key right bottom samplen 1 at graph 0.98,0.14
plot data using "D":(only(V0, 1,"exact")) smooth csplines lt 1 title "exponential, exact", \
  for [i=1:5] data using "D":(only(V0, 1, word(laws,i)."_velocity")): \
    (column(word(laws,i)."_velocity_err")) @bars lt i title word(names,i)
set format x "%g"; set xlabel "D"; set ylabel "D_{eff} / D, free particle"; set yrange [0.8:1.2]; unset key
plot 1 lt 5 dt solid lw 1.3, for [i=1:5] data using (column("D")*1.03**(i-3)): \
  (only(V0, 0, word(laws,i)."_diffusion")/column("D")):(column(word(laws,i)."_diffusion_err")/column("D")) @bars lt i
unset multiplot
set terminal svg size 640,420 font "sans,14" background "white"

eval again; eval start("levy_ratchet")
set xlabel "α"; set ylabel "v"; set key right top; set xrange [1.37:2.03]; set yrange [-0.003:0.043]
plot data using "levy.alpha":"theory" smooth csplines lt 1 title "exact", \
  data using "levy.alpha":"velocity":"velocity_err" @bars lt 5 pt 7 title "simulation"

eval again; eval start("three_state")
set logscale x; set xlabel "ν"; set ylabel "v"; set key at 1.05,-0.007 left top
set xrange [0.85:70]; set yrange [-0.052:0.028]
q = "0.05 0.2 0.5"
set xzeroaxis lt 5 lw 0.8 dt solid
plot for [i=1:3] data using "three_state.nu":(only("three_state.q", real(word(q,i)),"theory")) \
    smooth csplines lt i notitle, \
  for [i=1:3] data using "three_state.nu":(only("three_state.q", real(word(q,i)),"velocity")): \
    "velocity_err" @bars lt i title "q = ".word(q,i), \
  NaN lt 5 lw 1.5 dt solid title "lines: exact"

eval again; eval start("rocked_ratchet")
set xlabel "A"; set ylabel "v"; set key right bottom; set xrange [0.1:3.1]; set yrange [-0.175:0.01]
set xzeroaxis lt 5 lw 0.8 dt solid
plot data using "square.amplitude":(only("square.omega",0.02,"adiabatic")) smooth csplines lt 1 title "adiabatic", \
  data using "square.amplitude":(only("square.omega",0.02,"velocity")):"velocity_err" @bars lt 1 title "ω = 0.02", \
  data using "square.amplitude":(only("square.omega",4,"velocity")):"velocity_err" @bars lt 2 title "ω = 4"

eval again; eval start("flashing_ratchet")
set logscale x; set xlabel "μ"; set ylabel "v"; set key left top; set xrange [0.25:360]; set yrange [0:0.135]
plot data using "switch.mu_a":"theory" smooth csplines lt 1 title "exact", \
  data using "switch.mu_a":"velocity":"velocity_err" @bars lt 5 pt 7 title "simulation"

eval again; eval start("negative_mobility")
set xlabel "f"; set ylabel "v"; set key left top; set xrange [-0.01:0.31]; set yrange [-0.03:0.13]
set xzeroaxis lt 5 lw 0.8 dt solid
plot data using "force":(only("gaussian.T",0.1,"velocity")):"velocity_err" with yerrorlines lt 2 title "T = 0.1", \
  data using "force":(only("gaussian.T",0.001,"velocity")):"velocity_err" with yerrorlines lt 1 title "T = 0.001"

eval again; eval start("initial_grid")
set xlabel "F"; set ylabel "v"; set key left top; set xrange [0.4:7.6]; set yrange [-0.2:8]
set arrow from 4/pi, graph 0 to 4/pi, graph 0.1 nohead lt 5 dt solid; set label "F_r" at 4/pi - 0.05, graph 0.13 right
set arrow from 2*pi, graph 0 to 2*pi, graph 0.1 nohead lt 5 dt solid; set label "2π" at 2*pi, graph 0.13 center
plot data using "force":"rest" with linespoints lt 1 title "from rest in the minimum", \
  data using "force":"fast" with linespoints lt 2 title "from v = 8", \
  data using "force":"grid" with linespoints lt 3 title "mean over the grid", x lt 5 lw 1 title "F/γ"

eval again; eval start("formula")
set xlabel "φ"; set ylabel "θ"; unset key; set cblabel "v"; set size ratio -1; unset grid
set xtics ("−π" -pi, "−π/2" -pi/2, "0" 0, "π/2" pi/2)
set ytics ("−π" -pi, "−π/2" -pi/2, "0" 0, "π/2" pi/2)
set xrange [-pi*13/12:pi*11/12]; set yrange [-pi*9/8:pi*7/8]; set cbrange [-0.3:0.3]; set tics out nomirror
set palette defined (-1 "#b35806", -0.5 "#f1a340", 0 "#f7f7f7", 0.5 "#998ec3", 1 "#542788")
plot data using "formula.phi":"current.theta":(pi/12):(pi/8):"velocity" with boxxyerror fs solid noborder fc palette

eval again; eval start("velocity_correlation")
set xlabel "lag"; set ylabel "⟨v(0) v(lag)⟩"; set logscale y; set xrange [-0.2:10.2]; set yrange [0.01:1]
plot 1.5/2*exp(-0.7*x/2) lt 1 title "(T/m) exp(−γ lag/m)", \
  data using "lag":"value":"error" @bars lt 5 pt 7 title "simulation"

eval again; eval start("levy_law")
set xlabel "α"; set ylabel "⟨cos kx⟩"; set xrange [0.75:2.05]; set yrange [-0.05:1]; set key outside right center
ks = "0.5 1 2 4"
plot for [i=1:4] exp(-(0.5*word(ks,i))**x*2) lt i notitle, \
  for [i=1:4] data using "levy.alpha":"phi_".word(ks,i):"phi_".word(ks,i)."_err" @bars lt i title "k = ".word(ks,i), \
  NaN lt 5 lw 1.5 dt solid title "lines: exact"
