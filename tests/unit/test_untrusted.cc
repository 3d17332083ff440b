// Result files from elsewhere: what they claim is checked, what they hold is made printable, and what their reader does
// harms it alone.
#include <doctest/doctest.h>
#include <netcdf.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "message_of.h"
#include "output/dataset.h"
#include "printable.h"
#include "workplace.h"

using namespace bmsim;
using bmsim::test::message_of;
using bmsim::test::Workplace;

namespace {

/// A netCDF file as somebody else may make it.
class Crafted {
 public:
  explicit Crafted(const std::string& file) {
    REQUIRE(nc_create(file.c_str(), NC_NETCDF4 | NC_CLOBBER, &id_) == NC_NOERR);
    text(NC_GLOBAL, "bmsim", "0.1.0");
  }
  ~Crafted() { CHECK(nc_close(id_) == NC_NOERR); }
  Crafted(const Crafted&) = delete;
  Crafted& operator=(const Crafted&) = delete;

  int dimension(const char* name, size_t length) {
    int number = -1;
    REQUIRE(nc_def_dim(id_, name, length, &number) == NC_NOERR);
    return number;
  }
  void text(int variable, const char* name, const std::string& value) {
    REQUIRE(nc_put_att_text(id_, variable, name, value.size(), value.data()) == NC_NOERR);
  }
  /// Without values: HDF5 stores none, and reads as many as the dimensions say.
  int variable(const char* name, const char* role, const std::vector<int>& dimensions, nc_type type = NC_DOUBLE) {
    int number = -1;
    REQUIRE(nc_def_var(id_, name, type, static_cast<int>(dimensions.size()), dimensions.data(), &number) == NC_NOERR);
    const std::vector<size_t> chunk(dimensions.size(), 1);
    if (!dimensions.empty()) REQUIRE(nc_def_var_chunking(id_, number, NC_CHUNKED, chunk.data()) == NC_NOERR);
    text(number, "bmsim_role", role);
    return number;
  }
  void values(int variable, const std::vector<double>& all) {
    REQUIRE(nc_put_var_double(id_, variable, all.data()) == NC_NOERR);
  }

 private:
  int id_ = -1;
};

std::string why_not(const std::string& file) {
  const std::string message = message_of([&] { read_netcdf(file); });
  const std::string beginning = "cannot read '" + file + "': ";
  CHECK(message.starts_with(beginning));
  return message.substr(std::min(message.size(), beginning.size()));
}

/// In place of the program that reads and makes files: a shell script.
class OtherProgram {
 public:
  OtherProgram(const std::string& file, const std::string& script) {
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    chmod(file.c_str(), 0700);
    setenv("BMSIM_NETCDF", file.c_str(), 1);
  }
  ~OtherProgram() { setenv("BMSIM_NETCDF", before_.c_str(), 1); }
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;

 private:
  std::string before_ = std::getenv("BMSIM_NETCDF");
};

}  // namespace

TEST_CASE("untrusted files: values as far from each other as there are") {
  const Workplace work;
  {
    Crafted file(work.file("x.nc"));
    const int force = file.dimension("force", 3);
    file.values(file.variable("force", "axis", {force}), {-1.7e308, 0, 1.7e308});
    file.values(file.variable("velocity", "column", {force}), {1.7e308, 0, -1.7e308});
  }
  const std::string text = show_text(read_netcdf(work.file("x.nc")));
  CHECK(text.find("-1.7e+308 to 1.7e+308") != std::string::npos);
  CHECK(text.find("1.7e+308 |*") != std::string::npos);
}

TEST_CASE("untrusted files: no memory for what is not there") {
  const Workplace work;
  {
    Crafted file(work.file("large.nc"));
    file.variable("paths", "array", {file.dimension("path", 55000), file.dimension("time", 55000)});
  }
  CHECK(std::filesystem::file_size(work.file("large.nc")) < 20000);
  CHECK(why_not(work.file("large.nc")).starts_with("it says that it holds more than "));
  {
    Crafted file(work.file("overflow.nc"));
    const int one = file.dimension("one", size_t{1} << 33), other = file.dimension("other", size_t{1} << 31);
    file.variable("paths", "array", {one, other});  // 2^64 values, which are 0 for who does not look
  }
  CHECK(why_not(work.file("overflow.nc")).starts_with("it says that it holds more than "));
  {
    Crafted file(work.file("points.nc"));  // axes whose product is large: columns of points are made of them
    for (const char* name : {"a", "b", "c"}) {
      const int axis = file.dimension(name, 300);
      std::vector<double> values(300);
      for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
      file.values(file.variable(name, "axis", {axis}), values);
    }
  }
  CHECK(why_not(work.file("points.nc")).starts_with("it says that it holds more than "));
}

TEST_CASE("untrusted files: what does not fit together") {
  const Workplace work;
  const auto refused = [&](auto craft) {
    {
      Crafted file(work.file("x.nc"));
      craft(file);
    }
    return why_not(work.file("x.nc"));
  };
  CHECK(refused([](Crafted& file) { file.variable("v", "column", {file.dimension("a", 2)}); }) ==
        "column 'v' does not have the axes' dimensions");
  CHECK(refused([](Crafted& file) { file.variable("p", "array", {file.dimension("a", 2)}); }) ==
        "a coordinate of array 'p' is missing");
  CHECK(refused([](Crafted& file) { file.variable("a", "axis", {}); }) == "axis 'a' has 0 dimensions");
  CHECK(refused([](Crafted& file) { file.variable("a", "axis", {file.dimension("a", NC_UNLIMITED)}); }) ==
        "'a' has a dimension of length 0");
  CHECK(refused([](Crafted& file) { file.variable("v", "column", {}, NC_INT); }) ==
        "'v' does not hold numbers in double precision");
  CHECK(refused([](Crafted& file) { file.variable("b", "coordinate", {file.dimension("a", 2)}); }) ==
        "coordinate 'b' belongs to no dimension");
  CHECK(refused([](Crafted& file) {
          for (const char* name : {"one", "other"}) file.text(file.variable(name, "column", {}), "bmsim_name", "v");
        }) == "there are two columns 'v'");
  CHECK(refused([](Crafted& file) { file.text(NC_GLOBAL, "title", std::string("a\0b", 3)); }) ==
        "a text in it has a zero byte");
}

TEST_CASE("untrusted files: a terminal is told nothing") {
  const Workplace work;
  {
    Crafted file(work.file("x.nc"));
    file.text(NC_GLOBAL, "title", "a\x1b[31m\nb");
    file.text(NC_GLOBAL, "manifest", "seed: 1\n\x1b]0;title\a");
    const int velocity = file.variable("v", "column", {});
    file.text(velocity, "bmsim_name", "v\x1b[2J\xc2\x9b");
    file.text(velocity, "long_name", "\xce\xb3 \r\x1b[A");
    file.values(velocity, {1});
  }
  const Dataset data = read_netcdf(work.file("x.nc"));
  const std::string text = show_text(data);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("title    a\\x1b[31m\\x0ab\n") != std::string::npos);
  CHECK(text.find("v\\x1b[2J\\x9b") != std::string::npos);
  CHECK(text.find("\xce\xb3 \\x0d\\x1b[A") != std::string::npos);
  const Table table = printable_table(data);
  CHECK(table.columns[0].name == "v\\x1b[2J\\x9b");
  CHECK(table.header == "seed: 1\n\\x1b]0;title\\x07");
}

TEST_CASE("printable: UTF-8 is kept, all else is shown") {
  CHECK(printable("plain \xce\xb3 \xe2\x82\xac \xf0\x9f\x98\x80") == "plain \xce\xb3 \xe2\x82\xac \xf0\x9f\x98\x80");
  CHECK(printable(std::string_view("\0\t\n\x7f", 4)) == "\\x00\\x09\\x0a\\x7f");
  CHECK(printable_lines("a\tb\n\r") == "a\tb\n\\x0d");
  CHECK(printable("\xff\xc3 \xc0\xaf \xed\xa0\x80 \xe2\x82") == "\\xff\\xc3 \\xc0\\xaf \\xed\\xa0\\x80 \\xe2\\x82");
  CHECK(printable("\xe2\x80\xae") == "\\u202e");
}

TEST_CASE("untrusted files: a reader that crashes, does not end, or lies") {
  const Workplace work;
  std::ofstream(work.file("x.nc")) << "anything";
  const auto with_reader = [&](const std::string& script) {
    const OtherProgram other(work.file("reader"), script);
    return why_not(work.file("x.nc"));
  };
  {
    const OtherProgram other(work.file("reader"), "");
    std::filesystem::remove(work.file("reader"));
    CHECK(why_not(work.file("x.nc")) ==
          "its program '" + work.file("reader") + "' cannot be started: No such file or directory");
  }
  CHECK(with_reader("kill -SEGV $$").starts_with("it is damaged: reading it crashes ("));
  CHECK(with_reader("ulimit -S -t 1; while :; do :; done") == "it is damaged: reading it does not end");
  CHECK(with_reader("exit 0") == "its program has ended too early");
  CHECK(with_reader("echo nonsense") == "its program is not of this version");
  CHECK(with_reader(R"(printf 'T\377\377\377\377\377\377\377\377')").starts_with("it says that it holds more than "));
  CHECK(with_reader(R"(printf 'T\002\0\0\0\0\0\0\0ab')") == "its program has ended too early");
  CHECK(with_reader(R"(printf 'E\002\0\0\0\0\0\0\0ab')") == "ab");
}

TEST_CASE("untrusted files: where the program that makes them fails, there is a message and no file") {
  const Workplace work;
  Dataset data;
  data.table.columns = {{"velocity", std::vector<double>(100'000, 0.5)}};  // more than is sent before anybody reads
  data.axes = {SweepAxis{{"force"}, {std::vector<double>(100'000, 1)}}};
  const std::string file = work.file("x.nc"), beginning = "output: cannot write '" + file + "': ";
  const auto with_maker = [&](const std::string& script) {
    const OtherProgram other(work.file("maker"), script);
    const std::string message = message_of([&] { write_netcdf(data, file, Existing::refuse); });
    CHECK(message.starts_with(beginning));
    CHECK(work.count() == 1);
    return message.substr(std::min(message.size(), beginning.size()));
  };
  CHECK(with_maker("kill -SEGV $$").starts_with("making it crashes ("));
  CHECK(with_maker("exit 0") == "its program has ended too early");
  CHECK(with_maker(R"(cat > /dev/null; printf 'E\002\0\0\0\0\0\0\0ab')") == "ab");
  CHECK(with_maker(R"(cat > /dev/null; printf 'I\003\0\0\0\0\0\0\0ab')") == "its program has ended too early");
  CHECK(with_maker(R"(cat > /dev/null; printf 'Z\0\0\0\0\0\0\0\0')") == "its program is not of this version");
  const OtherProgram other(work.file("maker"), "");
  std::filesystem::remove(work.file("maker"));
  CHECK(message_of([&] { check_output(file); }) ==  // before the run
        beginning + "its program '" + work.file("maker") + "' cannot be started: No such file or directory");
}

// Some flips of a bit hit what HDF5 does not check: it crashes, or does not end.
TEST_CASE("untrusted files: a bit that was flipped") {
  const Workplace work;
  {
    Crafted file(work.file("good.nc"));
    const int force = file.dimension("force", 2);
    file.values(file.variable("force", "axis", {force}), {0, 1});
    file.values(file.variable("velocity", "column", {force}), {0, 1});
  }
  std::ifstream in(work.file("good.nc"), std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  size_t readable = 0;
  constexpr size_t tries = 40;
  for (size_t i = 0; i < tries; ++i) {
    std::string bad = good;
    bad[i * 7919 % bad.size()] ^= static_cast<char>(1 << i % 8);
    std::ofstream(work.file("bad.nc"), std::ios::binary) << bad;
    try {
      show_text(read_netcdf(work.file("bad.nc")));
      ++readable;
    } catch (const Error&) {
    }
  }
  CHECK(readable < tries);
}
