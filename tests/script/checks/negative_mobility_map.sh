# The corners of the map: no point is certain to be negative there, but all are measured, and drawn as cells.
expect_quick negative_mobility_map 9 -D periods=20 cosine.amplitude cosine.omega velocity
expect_text stdout "against the force: "
[ "$(sed -n '/^\$map/,/^EOD/p' negative_mobility_map.gp | wc -l)" = 11 ] || fail "not all cells are in the picture"
expect_text negative_mobility_map.gp "set cbrange [-0.05:0.05]"
