// netCDF files: what another program sees in them, what comes back, and never half a file.
#include <doctest/doctest.h>
#include <netcdf.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "message_of.h"
#include "output/dataset.h"
#include "workplace.h"

using namespace bmsim;
using bmsim::test::message_of;
using bmsim::test::Workplace;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Two axes, the second of two names: 2 x 3 points. "time" names a swept name and two coordinates of different values.
Dataset example() {
  Sweep sweep;
  sweep.add_axis({"time"}, {{5, 10}});
  sweep.add_axis({"poisson.D", "poisson.a"}, {{0.1, 1, 10}, {3, 2, 1}});
  sweep.set_column("dt", {1, 2, 3, 4, 5, 6});
  Dataset data;
  data.axes = sweep.axes();
  data.swept = sweep.names().size();
  for (size_t i = 0; i < data.swept; ++i) data.table.columns.push_back({sweep.names()[i], sweep.values()[i]});
  data.table.columns.push_back({"velocity", {0.5, 1.0 / 3, not_a_number, -2, 1e-300, 7}});
  data.table.columns.push_back({"v/D", {1, 2, 3, 4, 5, 6}});
  data.table.header = "bmsim: 1\nseed: 4";
  data.meanings = {{}, {"D_P", "intensity", "length^2/time"}, {}, {}, {"<v>", "mean velocity", "length/time"}, {}};
  const Coordinate time{"time", "t", "time", {1, 2}}, later{"time", "t", "time", {1, 3}};
  std::vector<double> twelve(12);
  for (size_t i = 0; i < 12; ++i) twelve[i] = static_cast<double>(i) / 7;
  data.arrays = {{"mean", "<x>", "length", {time}, twelve},
                 {"mean_err", "<x>", "length", {time}, twelve},
                 {"other", "o", "", {later}, twelve}};
  data.texts = {{"bmsim", "0.1.0"}, {"script_text", std::string(200000, 'x')}};
  return data;
}

std::string attribute(int id, int variable, const char* name) {
  size_t length = 0;
  if (nc_inq_attlen(id, variable, name, &length) != NC_NOERR) return "none";
  std::string text(length, ' ');
  nc_get_att_text(id, variable, name, text.data());
  return text;
}

std::string dimensions(int id, const char* variable) {
  int number = -1, count = 0, found[NC_MAX_VAR_DIMS];
  REQUIRE(nc_inq_varid(id, variable, &number) == NC_NOERR);
  nc_inq_varndims(id, number, &count);
  nc_inq_vardimid(id, number, found);
  std::string text;
  for (int i = 0; i < count; ++i) {
    char name[NC_MAX_NAME + 1];
    size_t length = 0;
    nc_inq_dim(id, found[i], name, &length);
    text += (i == 0 ? "" : " ") + std::string(name) + ":" + std::to_string(length);
  }
  return text;
}

}  // namespace

TEST_CASE("netCDF: dimensions, values and attributes as its own library sees them") {
  const Workplace work;
  write_netcdf(example(), work.file("x.nc"), Existing::replace);
  int id = -1, velocity = -1, D = -1, format = 0, shuffle = 0, deflate = 0, level = 0;
  REQUIRE(nc_open(work.file("x.nc").c_str(), NC_NOWRITE, &id) == NC_NOERR);
  nc_inq_format(id, &format);
  CHECK(format == NC_FORMAT_NETCDF4);
  CHECK(dimensions(id, "time") == "time:2");
  CHECK(dimensions(id, "poisson.D") == "poisson.D:3");
  CHECK(dimensions(id, "poisson.a") == "poisson.D:3");
  CHECK(dimensions(id, "velocity") == "time:2 poisson.D:3");
  CHECK(dimensions(id, "mean") == "time:2 poisson.D:3 time_2:2");
  CHECK(dimensions(id, "mean_err") == dimensions(id, "mean"));
  CHECK(dimensions(id, "other") == "time:2 poisson.D:3 time_3:2");
  nc_inq_varid(id, "velocity", &velocity);
  nc_inq_varid(id, "poisson.D", &D);
  double values[6], fill = 0;
  nc_get_var_double(id, velocity, values);
  CHECK(values[1] == 1.0 / 3);
  CHECK(std::isnan(values[2]));
  CHECK(values[4] == 1e-300);
  nc_get_att_double(id, velocity, "_FillValue", &fill);
  CHECK(std::isnan(fill));
  nc_inq_var_deflate(id, velocity, &shuffle, &deflate, &level);
  CHECK((shuffle == 1 && deflate == 1 && level == 4));
  CHECK(attribute(id, velocity, "long_name") == "mean velocity");
  CHECK(attribute(id, velocity, "units") == "length/time");
  CHECK(attribute(id, velocity, "coordinates") == "poisson.a");
  CHECK(attribute(id, D, "symbol") == "D_P");
  CHECK(attribute(id, D, "_FillValue") == "none");
  CHECK(attribute(id, NC_GLOBAL, "manifest") == "bmsim: 1\nseed: 4");
  char* script = nullptr;  // too long for characters
  REQUIRE(nc_get_att_string(id, NC_GLOBAL, "script_text", &script) == NC_NOERR);
  CHECK(std::string(script).size() == 200000);
  nc_free_string(1, &script);
  nc_close(id);
}

TEST_CASE("netCDF: what is read is what was written") {
  const Workplace work;
  const Dataset data = example();
  write_netcdf(data, work.file("x.nc"), Existing::replace);
  const Dataset back = read_netcdf(work.file("x.nc"));
  const Difference found = compare(data, back);
  CHECK(found.different == 0);
  CHECK(found.numbers == 6 * 6 + 3 * (12 + 2));
  CHECK(back.swept == data.swept);
  CHECK(back.table.header == data.table.header);
  CHECK(back.text("script_text") == data.text("script_text"));
  const Dataset texts = read_netcdf_texts(work.file("x.nc"));
  CHECK(texts.text("script_text") == data.text("script_text"));
  CHECK(texts.table.header == data.table.header);
  CHECK(texts.table.columns.empty());
  for (size_t c = 0; c < data.table.columns.size(); ++c)
    CHECK(back.table.columns[c].name == data.table.columns[c].name);  // the order, and "v/D", which netCDF forbids
  CHECK(back.meanings[1].symbol == "D_P");
  CHECK(back.arrays[2].coordinates[0].name == "time");
  CHECK(back.arrays[2].coordinates[0].values == std::vector<double>{1, 3});
}

TEST_CASE("netCDF: one point is a file without axes") {
  const Workplace work;
  Dataset data;
  data.table.columns = {{"velocity", {2}}};
  data.arrays = {{"density", "p", "1/length", {{"position", "x", "", {0, 0.5}}}, {1, 3}}};
  data.texts = {{"bmsim", "0.1.0"}};
  write_netcdf(data, work.file("x.nc"), Existing::replace);
  CHECK(compare(data, read_netcdf(work.file("x.nc"))).different == 0);
  CHECK(show_text(data).starts_with("one point\n"));
}

TEST_CASE("netCDF: arrays larger than a chunk come back whole") {
  const Workplace work;
  Dataset data;
  Coordinate path{"path", "path", "", {}}, time{"time", "t", "time", {}};
  for (int i = 0; i < 700; ++i) path.values.push_back(i);
  for (int i = 0; i < 901; ++i) time.values.push_back(i);
  std::vector<double> values(700 * 901);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
  data.arrays = {{"paths", "x", "length", {path, time}, values}};
  data.texts = {{"bmsim", "0.1.0"}};
  write_netcdf(data, work.file("x.nc"), Existing::replace);
  CHECK(read_netcdf(work.file("x.nc")).arrays[0].values == values);
}

namespace {

/// 401 paths of 1003 times, in chunks of 130 paths: random walks, of which float has few digits, or a smooth function.
template <class Value> Dataset paths_of(Value value) {
  Dataset data;
  Coordinate path{"path", "path", "", {}}, time{"time", "t", "time", {}};
  for (int i = 0; i < 401; ++i) path.values.push_back(i);
  for (int i = 0; i < 1003; ++i) time.values.push_back(i);
  std::vector<double> values;
  for (int i = 0; i < 401; ++i)
    for (int j = 0; j < 1003; ++j) values.push_back(value(j));
  data.arrays = {{"paths", "x", "length", {path, time}, values}};
  data.texts = {{"bmsim", "0.1.0"}};
  return data;
}

/// The file's size in bytes per number. Whatever reads netCDF gets the numbers, which are the same for 1 and 3 threads.
double bytes_each(const Dataset& data) {
  const Workplace work;
  write_netcdf(data, work.file("x.nc"), Existing::replace);
  write_netcdf(data, data.arrays, work.file("y.nc"), Existing::replace, 3);
  const auto bytes = [&](const char* name) {
    std::ifstream in(work.file(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  CHECK(bytes("x.nc") == bytes("y.nc"));
  const std::vector<double>& values = data.arrays[0].values;
  CHECK(read_netcdf(work.file("x.nc")).arrays[0].values == values);
  int id = -1, paths = -1;
  REQUIRE(nc_open(work.file("x.nc").c_str(), NC_NOWRITE, &id) == NC_NOERR);
  std::vector<double> theirs(values.size());
  CHECK(nc_inq_varid(id, "paths", &paths) == NC_NOERR);
  CHECK(nc_get_var_double(id, paths, theirs.data()) == NC_NOERR);
  CHECK(theirs == values);
  nc_close(id);
  return static_cast<double>(bytes("x.nc").size()) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("netCDF: recorded paths are compressed, by any number of threads to the same bytes") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  double x = 0;
  const auto walk = [&](int) { return x = 0.99 * x + normal(random); };
  CHECK(bytes_each(paths_of(walk)) < 7);  // 53 bits, and an exponent of which there are few
  CHECK(bytes_each(paths_of([&](int time) { return static_cast<double>(static_cast<float>(walk(time))); })) < 3.5);
  CHECK(bytes_each(paths_of([&](int time) { return std::floor(walk(time)); })) < 0.8);
  CHECK(bytes_each(paths_of([](int time) { return std::sin(1e-3 * time); })) < 0.2);  // the same for all paths
}

TEST_CASE("netCDF: arrays that are read in several blocks come back whole") {
  const Workplace work;
  constexpr size_t paths = 2, times = 2100, lags = 2100;
  Dataset data;
  const auto coordinate = [](const char* name, size_t length) {
    Coordinate made{name, name, "", {}};
    for (size_t i = 0; i < length; ++i) made.values.push_back(static_cast<double>(i));
    return made;
  };
  std::vector<double> values(paths * times * lags);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i / 1000);
  data.arrays = {
      {"all", "x", "", {coordinate("path", paths), coordinate("time", times), coordinate("lag", lags)}, values}};
  data.texts = {{"bmsim", "0.1.0"}};
  write_netcdf(data, work.file("x.nc"), Existing::replace);
  CHECK(read_netcdf(work.file("x.nc")).arrays[0].values == values);
}

TEST_CASE("netCDF: differences are counted, and the largest is named") {
  const Dataset data = example();
  Dataset other = example();
  other.table.columns[4].values[0] += 0.25;
  other.arrays[0].values[3] -= 0.5;
  Difference found = compare(data, other);
  CHECK(found.different == 2);
  CHECK(found.largest == doctest::Approx(0.5));
  CHECK(found.where == "mean");
  other.table.columns[4].values[1] = not_a_number;
  CHECK(std::isnan(compare(data, other).largest));
  other.arrays.pop_back();
  CHECK(message_of([&] { compare(data, other); }) == "array 'other' is missing");
  other.axes.pop_back();
  CHECK(message_of([&] { compare(data, other); }) == "there are 1 axes, not 2");
}

TEST_CASE("netCDF: what cannot be written or read is refused, and nothing is left") {
  const Workplace work;
  CHECK(message_of([&] {
          write_netcdf(example(), work.file("none/x.nc"), Existing::replace);
        }).starts_with("output: cannot write '"));
  std::filesystem::create_directory(work.root / "d.nc");
  CHECK(message_of([&] {
          write_netcdf(example(), work.file("d.nc"), Existing::replace);
        }).starts_with("output: cannot write '"));
  CHECK(work.count() == 1);
  CHECK(message_of([&] { read_netcdf(work.file("x.nc")); }).ends_with("x.nc': no such file"));
  CHECK(message_of([&] { read_netcdf(work.file("d.nc")); }).ends_with("it is not a regular file"));
  std::ofstream(work.file("t.nc")) << "no netCDF\n";
  CHECK(message_of([&] { read_netcdf(work.file("t.nc")); }).ends_with("it is not a netCDF file"));
  int id = -1;
  REQUIRE(nc_create(work.file("f.nc").c_str(), NC_NETCDF4, &id) == NC_NOERR);
  nc_close(id);
  CHECK(message_of([&] { read_netcdf(work.file("f.nc")); }).ends_with("it was not written by bmsim"));
  write_netcdf(example(), work.file("x.nc"), Existing::replace);
  std::filesystem::resize_file(work.file("x.nc"), std::filesystem::file_size(work.file("x.nc")) / 2);
  CHECK(message_of([&] { read_netcdf(work.file("x.nc")); }).starts_with("cannot read '"));
}

TEST_CASE("long form: a row for every value, beside what is swept and where it is") {
  Dataset data = example();
  Table table = long_form(data, "mean");
  std::string names;
  for (const Column& column : table.columns) names += column.name + " ";
  CHECK(names == "time poisson.D poisson.a dt mean_time value error ");
  REQUIRE(table.columns[0].values.size() == 12);
  CHECK(table.find("poisson.D")->values[5] == 10);  // points 0 0 1 1 2 2 ...
  CHECK(table.find("dt")->values[11] == 6);
  CHECK(table.find("mean_time")->values[5] == 2);
  CHECK(table.find("value")->values[5] == doctest::Approx(5.0 / 7));
  CHECK(long_form(data, "other").find("error") == nullptr);
  CHECK(message_of([&] { long_form(data, "men"); }) == "result: unknown array 'men'; known: mean, mean_err, other");
}

TEST_CASE("show: axes, ranges, shapes and a plot") {
  const std::string text = show_text(example());
  CHECK(text.find("poisson.a   with  1 to 3") != std::string::npos);
  CHECK(text.find("-2 to 7, 1 nan") != std::string::npos);
  CHECK(text.find("(time 2, poisson.D 3, time 2)") != std::string::npos);
  CHECK(text.find("velocity over time at poisson.D = 0.1\n") != std::string::npos);
}
