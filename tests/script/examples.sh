# Examples, and what is expected of each: a test of its own for every heading, which begins with its name. run_check.sh
# has the functions.

# active_friction: The diffusion of active particles, and their velocities.
expect_deviation active_friction 9 a gaussian.D diffusion_x exact v2 exact_v2

# active_particle: Diffusion of an active particle along the axis without a potential.
expect_deviation active_particle 3 v0 diffusion_y exact

# basins: Two running states share the starts.
"$bmsim" -D points=32 -D output=basins.csv "$EXAMPLES/basins.lua" > stdout || fail "exit status $?"
expect_table basins.csv 1024 initial_v initial_x value
tail -n 1 stdout | awk '{ along = $4 + 0; against = $7 + 0; exponent = $NF
  exit !(along > 0.5 && against > 0.1 && along + against > 0.98 && exponent < -0.4) }' || fail "$(cat stdout)"

# bifurcation: Without noise: one orbit of the drive's period at A = 3 whatever the start, one of five points at A = 6.
"$bmsim" -D points=3 -D output=bifurcation.csv -D plot=bifurcation.gp "$EXAMPLES/bifurcation.lua" > stdout ||
  fail "exit status $?"
expect_table bifurcation.csv 3 cosine.amplitude velocity velocity_err orbit
expect_text stdout "at A = 3 the orbit has 1 point, at A = 6 5"
expect_text bifurcation.gp "ylabel '{/:Italic v}'"
[ "$(sed -n '/^\$curve1/,/^EOD/p' bifurcation.gp | awk '$1 == 3 { print $2 }' | sort -u | wc -l)" -ge 1 ] ||
  fail "no orbit in the picture"
[ "$(sed -n '/^\$curve1/,/^EOD/p' bifurcation.gp | wc -l)" = $((3 * 640 + 2)) ] ||
  fail "not all dots are in the picture"

# coherence_resonance: The intervals between the pulses of an excitable system.
expect_quick coherence_resonance 3 -D paths=16 -D time=100 gaussian.D interval residence R R_err

# dimer: A stiff dimer in a ratchet.
expect_deviation dimer 9 spring.k spring.l current current_err stiff

# exits: The mean exit time from a box, and through which wall.
expect_deviation exits 3 -D paths=1024 gaussian.D mean_exit_time exact exit_above

# fig3a: The example writes simulated and exact currents for both asymmetries.
expect_example fig3a 4 poisson.a poisson.D velocity velocity_err exact z
expect_text stdout "rms deviation from the exact curves:"
expect_text fig3a.gp "title 'exact'"

# fig3b: The example writes simulated and exact currents for both states Fb.
expect_example fig3b 4 dichotomous.Fb dichotomous.tau velocity velocity_err exact z
"$bmsim" -D paths=32 -D points=2 -D periods=20 -D plot=fig3b.gp "$EXAMPLES/fig3b.lua" > stdout || fail "exit status $?"
expect_text fig3b.gp "title 'exact'"

# first_passage: The mean time to pass the barrier is the exact one, and what did not pass is said.
expect_deviation first_passage 3 -D paths=512 gaussian.D mean_first_passage_time first_passage_variance \
  first_passage_censored exact

# flashing_ratchet: Noise that modulates the potential brings the exact current.
expect_deviation flashing_ratchet 3 switch.mu_a velocity theory

# formula: The current turns when potential and drive are mirrored.
expect_deviation formula 16 -D points=4 -D rows=4 formula.phi current.theta velocity

# friction: Diffusion lies on the exact curve at every friction.
expect_deviation friction 13 gamma diffusion exact low high

# generalised_langevin: The correlation of a velocity with memory.
expect_deviation generalised_langevin 9 tau lag value error

# geometric_brownian: The mean of geometric Brownian motion in three interpretations.
expect_deviation geometric_brownian 3 time mean_ito mean_stratonovich mean_anti_ito exact_anti_ito

# growth_and_division: The mean square size of cells that divide.
expect_deviation growth_and_division 3 -D paths=512 divide.l x2 exact divide_rate divide_fano

# gyrator: The torque of a Brownian gyrator.
expect_deviation gyrator 9 u bath_y.D torque exact xy exact_xy

# inertial_diffusion: The variance grows ballistically, then diffusively.
expect_deviation inertial_diffusion 3 time diffusion exact

# information_ratchet: Looking makes a current, switching does not.
expect_deviation information_ratchet 3 -D time=20 look.tau velocity_x blind

# initial_grid: Locked below, running above, and in between what the starting point says.
expect_quick initial_grid 3 -D grid=8 force rest fast grid running
awk '$1 == 0.5 && $2 + $3 + $4 < 1e-3 { locked = 1 } $1 == 7.5 && $2 > 7.4 && $3 > 7.4 && $4 > 7.4 { runs = 1 }
  $1 == 4 && $2 < 1e-3 && $3 > 3.9 && $4 > 2 && $4 < 3.9 { both = 1 } END { exit !(locked && runs && both) }' stdout ||
  fail "$(cat stdout)"

# integrate_and_fire: The rate of a neuron that integrates and fires.
expect_deviation integrate_and_fire 9 -D points=3 -D paths=1024 gaussian.D mu fire_rate fire_rate_err exact

# jarzynski: Work on a dragged trap: mean, variance, and the average of exp(-W/T).
expect_deviation jarzynski 3 -D paths=65536 trap.u W exact

# junction_spectrum: The spectrum of the voltage at low frequencies is that of diffusion.
expect_deviation junction_spectrum $((3 * 513)) force frequency value error

# kramers: Overdamped diffusion is exact, and inertia hinders the escape.
expect_deviation kramers 3 gaussian.T diffusion gamma_2 gamma_8
tail -n +2 stdout | awk '$1 + 0 > 0.4 && !($6 < $9 && $9 < $2) { exit 1 }' || fail "$(cat stdout)"

# kuramoto: The order parameter of Kuramoto's phases, and 1/N of free ones.
expect_deviation kuramoto 4 -D points=4 -D paths=500 K r exact r2

# landauer: A motor driven by a temperature that depends on place, in three interpretations.
expect_deviation landauer 3 gaussian.amplitude.phi ito stratonovich anti_ito

# levy_law: The characteristic function at four wave numbers.
expect_deviation levy_law 6 levy.alpha phi_1 exact_1

# levy_ratchet: Flights bring the exact current.
expect_deviation levy_ratchet 3 levy.alpha velocity theory

# maxwell: The velocities of both masses follow Maxwell's law.
expect_deviation maxwell 6 mass gaussian.T velocity_squared exact

# motors: Two motors with and without a spring.
expect_deviation motors 12 bath.D spring.k velocity_x alone stiff

# negative_mobility: The particle runs against the force, by far more than its errors.
expect_quick negative_mobility 8 -D points=4 gaussian.T force velocity
sed -n 's/^most negative velocity: \(.*\) standard errors below.*/\1/p' stdout |
  awk '{ exit !($1 > 6) }' || fail "$(cat stdout)"

# negative_mobility_map: The corners of the map: all are measured, and drawn as cells.
expect_quick negative_mobility_map 9 -D periods=20 cosine.amplitude cosine.omega velocity
expect_text stdout "against the force: "
[ "$(sed -n '/^\$map/,/^EOD/p' negative_mobility_map.gp | wc -l)" = 11 ] || fail "not all cells are in the picture"
expect_text negative_mobility_map.gp "set cbrange [-0.05:0.05]"

# ornstein_uhlenbeck: Colour does not change free diffusion.
expect_deviation ornstein_uhlenbeck 6 -D time=30 diffusion white first_order

# performance: A line for each model, precision and number of particles, with a speed; and the picture of all.
"$bmsim" -D most=6 -D periods=5 -D plot=performance.gp "$EXAMPLES/performance.lua" > stdout || fail "exit status $?"
[ "$(awk '($2 == "single" || $2 == "double") && $5 > 0' stdout | wc -l)" = 8 ] || fail "$(cat stdout)"
expect_text performance.gp "title 'Model II, double'"

# poisson_laws: All laws of kicks diffuse alike, and the exponential one has the exact current.
expect_deviation poisson_laws 6 -D time=100 exponential_velocity two_sided_diffusion exact

# resetting: The mean time to a target with resetting.
expect_deviation resetting 3 -D paths=512 reset.r mean_first_passage_time exact

# rocked_ratchet: Slowly rocked, the ratchet has the adiabatic current.
expect_deviation rocked_ratchet 6 square.omega velocity adiabatic

# run_and_tumble: The mean square distance of run and tumble in a trap.
expect_deviation run_and_tumble 4 tumble.a x2 exact

# squid: A SQUID rectifies against the flux as along it.
expect_deviation squid 9 loop.Phi A velocity_x velocity_y

# stochastic_resonance: The response is that of the Fokker-Planck equation, largest between the ends of the sweep.
expect_deviation stochastic_resonance 5 -D points=5 -D paths=1024 gaussian.D amplification exact two_state
awk -F, '!/^#/ && ++row > 1 { seen[row] = $2 }
         END { exit !(seen[4] > 1.2 * seen[2] && seen[4] > 1.2 * seen[6]) }' stochastic_resonance.csv ||
  fail "no maximum"

# stratonovich: The same potential four times, on the exact curves.
expect_deviation stratonovich 3 force velocity diffusion exact_v table_v formula_D

# stuart_landau: The phase of an oscillator diffuses, with shear faster.
expect_deviation stuart_landau 6 along_x.D c diffusion_theta exact

# thermal_ratchet: The example combines Poissonian and Gaussian noise and measures both observables.
expect_example thermal_ratchet 2 gaussian.D velocity velocity_err diffusion diffusion_err

# three_state: The current reverses as the master equation says.
expect_deviation three_state 9 -D time=300 three_state.q three_state.nu velocity theory

# two_noises: The example has two Poissonian noises under two names, a zip and a host function.
expect_example two_noises 4 strong.D weak.D weak.a dichotomous.tau velocity velocity_err

# uncertainty: The entropy production is that of the mean velocity.
expect_deviation uncertainty 6 -D points=2 -D paths=512 gaussian.T force entropy_production sigma

# van_der_pol: The power of the noise in van der Pol's oscillator.
expect_deviation van_der_pol 9 mu gaussian.D power excess

# velocity_correlation: The correlation decays as it should.
expect_deviation velocity_correlation 3 lag value error

# without_steps: Without steps, all three noises of the founding paper together give the exact current.
expect_deviation without_steps 3 -D paths=512 gaussian.D velocity velocity_err exact z steps_2 steps_8 steps_32
