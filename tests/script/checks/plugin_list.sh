# Every plugin of the install is listed.
"$bmsim" plugin list > stdout || fail "exit status $?"
for plugin in noise.{dichotomous,gaussian,levy,ornstein_uhlenbeck,poisson,three_state} \
  potential.{double_well,fourier,free,harmonic,piecewise_linear,ratchet,sine,table,formula} \
  drive.{biharmonic,cosine,pulse,square,formula}; do
  expect_text stdout "$plugin "
done
