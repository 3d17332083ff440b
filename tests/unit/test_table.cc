// Tables on disk: digits, quotes, and never half a file.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "message_of.h"
#include "output/table.h"
#include "workplace.h"

using namespace bmsim;
using bmsim::test::message_of;
using bmsim::test::Workplace;
namespace fs = std::filesystem;

namespace {

std::string content(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

const Table table{{{"D", {0.1, 1e300}}, {"a,b", {1.0 / 3, -2}}, {"c\td", {3, 4}}, {"say \"v\"", {5, 6}}},
                  "one: 1\n\ntwo: 2"};

}  // namespace

TEST_CASE("Table: comments, one row of names, numbers that read back as they were") {
  const Workplace work;
  write_table(table, work.file("x.csv"), Existing::replace);
  CHECK(content(work.file("x.csv")) ==
        "# one: 1\n#\n# two: 2\nD,\"a,b\",c\td,\"say \"\"v\"\"\"\n0.1,0.3333333333333333,3,5\n1e+300,-2,4,6\n");
  write_table(table, work.file("x.tsv"), Existing::replace);
  CHECK(content(work.file("x.tsv")).find("D\ta,b\t\"c\td\"\t\"say \"\"v\"\"\"\n") != std::string::npos);
  CHECK(work.count() == 2);
}

TEST_CASE("Table: an older file is replaced as a whole, and a reader keeps the old one") {
  const Workplace work;
  std::ofstream(work.file("x.csv")) << "old\n";
  std::ifstream reader(work.file("x.csv"));
  write_table(table, work.file("x.csv"), Existing::replace);
  std::string line;
  std::getline(reader, line);
  CHECK(line == "old");
  CHECK(content(work.file("x.csv")).starts_with("# one"));
  CHECK(work.count() == 1);
}

TEST_CASE("Table: what cannot be written is refused, and nothing is left") {
  const Workplace work;
  CHECK(message_of([&] { check_output(work.file("x.xls")); }).starts_with("output: unknown suffix '.xls'"));
  CHECK(message_of([&] {
          write_table(table, work.file("none/x.csv"), Existing::replace);
        }).ends_with("No such file or directory"));
  fs::create_directory(work.root / "d.csv");
  CHECK(message_of([&] { check_output(work.file("d.csv")); }).ends_with("it is not a regular file"));
  CHECK(message_of([&] {
          write_table(table, work.file("d.csv"), Existing::replace);
        }).starts_with("output: cannot write"));
  CHECK(work.count() == 1);
  CHECK(message_of([&] { check_output(work.file("x.csv")); }) == "no error");
  CHECK(work.count() == 1);
}
