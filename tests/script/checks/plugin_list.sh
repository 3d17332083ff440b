# Every plugin of the install is listed.
"$bmsim" plugin list > stdout || fail "exit status $?"
for plugin in noise.{gaussian,poisson,dichotomous} potential.{piecewise_linear,sine,harmonic,free} drive.cosine; do
  expect_text stdout "$plugin "
done
