# Others read the files: ncdump, xarray, h5py. Skipped where they are not installed.
python=/usr/bin/python3
command -v ncdump > /dev/null && "$python" -c 'import xarray, netCDF4, h5py' 2> /dev/null || exit 77
cat > script.lua <<'LUA'
local bm = require "bmsim"
local motor = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.poisson { D = 1, a = 2 } }
local r = bm.run {
  model = motor, paths = 32, periods = 4, spp = 50, observe = { "velocity", bm.observe.density { bins = 8 } },
  sweep = { { "force", { 0, 1, 2 } }, bm.zip { { "poisson.D", { 1, 2 } }, { "poisson.a", { 3, 4 } } } },
}
r:write "x.nc"
print(("%.17g %.17g"):format(r:column "velocity"[4], r:array "density".values[4][8]))
LUA
"$bmsim" script.lua > expected || fail "exit status $?"
ncdump -h x.nc > dumped || fail "ncdump: exit status $?"
expect_text dumped "double velocity(force, poisson.D) ;"
cat > read.py <<'PY'
import h5py, xarray
data = xarray.open_dataset("x.nc")
velocity = data["velocity"]
assert velocity.dims == ("force", "poisson.D"), velocity.dims
assert list(velocity["poisson.a"].values) == [3, 4]
assert data["density"].dims == ("force", "poisson.D", "position"), data["density"].dims
assert data["density"].attrs["units"] == "1/length" and data["poisson.D"].attrs["units"] == "length^2/time"
assert data.attrs["script_text"] == open("script.lua").read()
at = {"force": 1, "poisson.D": 2}
file = h5py.File("x.nc")
assert file["velocity"][1, 1] == velocity.sel(at).item()
print("%.17g %.17g" % (velocity.sel(at).item(), data["density"].sel(at)[7].item()))
PY
"$python" read.py > got || fail "xarray: exit status $?"
diff expected got || fail "xarray reads other numbers"

# A file whose numbers HDF5 would fetch from another one, of which they tell what is none of its business.
cat > elsewhere.py <<'PY'
import h5py, shutil
for kind in "external", "virtual", "link":
    shutil.copy("x.nc", kind + ".nc")
    with h5py.File(kind + ".nc", "a") as file:
        attributes = dict(file["velocity_err"].attrs)
        del file["velocity_err"]
        if kind == "external":
            new = file.create_dataset("velocity_err", (3, 2), "f8", external=[("secret", 0, 48)])
        elif kind == "virtual":
            layout = h5py.VirtualLayout((3, 2), "f8")
            layout[:] = h5py.VirtualSource("y.nc", "velocity", (3, 2))
            new = file.create_virtual_dataset("velocity_err", layout)
        else:
            file["velocity_err"] = h5py.ExternalLink("y.nc", "velocity_err")
            continue
        new.attrs["bmsim_role"] = attributes["bmsim_role"]
PY
head -c 48 /etc/passwd > secret
cp x.nc y.nc
"$python" elsewhere.py || fail "h5py: exit status $?"
for kind in external virtual; do
  if "$bmsim" show $kind.nc > shown 2> refused; then fail "$kind: the numbers of another file are shown"; fi
  expect_text refused "cannot read '$kind.nc': the numbers of 'velocity_err' are in another file"
done
"$bmsim" show link.nc > shown || fail "link: exit status $?"
if grep velocity_err shown; then fail "a link to another file is followed"; fi
