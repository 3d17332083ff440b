// Rows of checks: program, kind, test case, captures, expression, measured, error, exact, bound, passed; tabs between.
#include "rows.h"

#include <doctest/doctest.h>
#include <errno.h>  // program_invocation_short_name

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

namespace bmsim::test {

namespace {

std::string test_case;  // the one that runs

std::string captures() {
  std::string all;
  for (int i = 0; i < doctest::IReporter::get_num_active_contexts(); ++i) {
    std::ostringstream text;
    doctest::IReporter::get_active_contexts()[i]->stringify(&text);
    std::string one = text.str();  // "D := 0.3", "std::string(method) := heun"
    const size_t is = one.find(" := "), name = one.starts_with("std::string(") ? 12 : 0;
    if (is != std::string::npos) one = one.substr(name, is - name - (name > 0 ? 1 : 0)) + " = " + one.substr(is + 4);
    all += (all.empty() ? "" : ", ") + one;
  }
  return all;
}

std::string program() {
  const std::string name = program_invocation_short_name;
  for (const char* prefix : {"test_physics_", "test_"})
    if (name.starts_with(prefix)) return name.substr(std::string(prefix).size());
  return name;
}

/// One write, so that programs that run side by side do not mix their lines.
void append(const char* kind, const std::string& context, const Row& row) {
  const char* path = std::getenv("BMSIM_VALIDATION");
  if (path == nullptr || *path == '\0') return;
  std::string line = program() + '\t' + kind;
  for (std::string field : {test_case, context, std::string(row.what)}) {
    std::replace_if(
        field.begin(), field.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    line += '\t' + field;
  }
  for (const double number : {row.measured, row.error, row.exact, row.bound}) {
    char text[32];
    std::snprintf(text, sizeof text, "\t%.12g", number);
    line += text;
  }
  line += row.passed ? "\tpass\n" : "\tfail\n";
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr || std::fwrite(line.data(), 1, line.size(), file) != line.size() || std::fclose(file) != 0) {
    std::fprintf(stderr, "BMSIM_VALIDATION: cannot write to %s\n", path);
    std::exit(3);
  }
}

/// Knows which test case runs, and writes the program's last row: its checks, and how many of them failed.
struct Rows : doctest::IReporter {
  explicit Rows(const doctest::ContextOptions& /*unused*/) {}
  void report_query(const doctest::QueryData& /*unused*/) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& all) override {
    test_case.clear();
    append("end", "",
           {"checks and failures", static_cast<double>(all.numAsserts), static_cast<double>(all.numAssertsFailed),
            static_cast<double>(all.numTestCasesPassingFilters), static_cast<double>(all.numTestCasesFailed),
            all.numTestCasesFailed == 0});
  }
  void test_case_start(const doctest::TestCaseData& data) override { test_case = data.m_name; }
  void test_case_reenter(const doctest::TestCaseData& /*unused*/) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& /*unused*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*unused*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*unused*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*unused*/) override {}
  void log_message(const doctest::MessageData& /*unused*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*unused*/) override {}
};
REGISTER_LISTENER("rows", 1, Rows);

}  // namespace

void write_row(const char* kind, const Row& row) { append(kind, captures(), row); }

}  // namespace bmsim::test
