// Result files from elsewhere. result_file: the input is a file, which the program that reads such files gets; whatever
// happens to that, here it is a message or a result. result_stream: the input is what that program says, as it is or
// put together from its records.
#include <algorithm>
#include <cstdlib>

#include "error.h"
#include "fuzz.h"
#include "output/dataset.h"
#include "output/wire.h"

namespace bmsim::fuzz {
namespace {

/// All that a program does with a result it has read.
void use(const Dataset& data) {
  const std::string shown = show_text(data);
  for (const char c : shown)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n') finding("what is shown of a file has a control character");
  if (shown.size() > 2'000'000) finding("what is shown of a file is longer than anybody reads");
  printable_table(data);
  for (const Array& array : data.arrays) long_form(data, array.name);
}

void read(std::string_view input) {
  const std::string file = directory() + "/result.nc";
  write_file(file, input);
  try {
    use(read_netcdf(file));
  } catch (const Error& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("cannot read '")) finding(fmt::format("a message without its subject: {}", message));
    check_message(message, input);
  }
}

// ---- records ----

constexpr std::array<const char*, 8> roles = {"axis",   "axis",       "parameter", "column",
                                              "column", "coordinate", "array",     "x"};
constexpr std::array<const char*, 6> names = {"x", "v", "manifest", "a\x1b[31m", "", "history"};

class Records {
 public:
  explicit Records(Bytes bytes) : bytes_(bytes) {}

  std::string make() {
    for (unsigned count = bytes_.below(12); count > 0; --count) {
      const unsigned what = bytes_.below(16);
      if (what == 0) {
        made_ += static_cast<char>(bytes_.byte());
      } else if (what == 1) {
        made_ += wire::error;
        text();
      } else if (what < 5) {
        made_ += wire::text;
        text();
        text();
      } else {
        variable();
      }
    }
    made_ += wire::end;
    return made_;
  }

 private:
  void number(uint64_t value) { made_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(bytes_.below(64) == 1 ? bytes_.word() : value.size());
    made_ += value;
  }
  void text() { text(bytes_.below(4) == 0 ? bytes_.text(bytes_.below(40)) : bytes_.one_of(names)); }

  double value() {
    const std::array<double, 6> others = {0, -1, 1e308, -1e308, 1e-320, 5};
    const unsigned kind = bytes_.below(10);
    if (kind >= others.size()) return kind * 0.37;
    return bytes_.below(8) == 1 ? std::strtod("nan", nullptr) : others[kind];
  }

  void variable() {
    made_ += wire::variable;
    text(bytes_.one_of(roles));
    for (int i = 0; i < 4; ++i) text();
    number(bytes_.below(2));
    const unsigned count = bytes_.below(4);
    number(count);
    uint64_t size = 1;
    for (unsigned i = 0; i < count; ++i) {
      const uint64_t id = bytes_.below(3), length = bytes_.below(32) == 1 ? bytes_.word() : 1 + id;
      number(id);
      number(length);
      size *= length;
    }
    size = bytes_.below(16) == 1 ? bytes_.below(40) : std::min<uint64_t>(size, 100);
    made_ += wire::values;
    number(bytes_.below(32) == 1 ? bytes_.word() : size);
    for (uint64_t i = 0; i < size; ++i) {
      const double one = value();
      made_.append(reinterpret_cast<const char*>(&one), sizeof one);
    }
  }

  Bytes bytes_;
  std::string made_;
};

}  // namespace

void result_file(std::string_view input) {
  static const int set = setenv("BMSIM_NETCDF", BMSIM_NETCDF_BUILT, 1);
  if (set == 0) read(input);
}

void result_stream(std::string_view input) {
  static const int set = setenv("BMSIM_NETCDF", "/bin/cat", 1);
  Bytes bytes(input);
  const bool as_it_is = bytes.byte() % 4 == 0;
  if (set == 0) read(as_it_is ? std::string(bytes.rest()) : Records(bytes).make());
}

}  // namespace bmsim::fuzz
