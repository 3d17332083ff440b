#include "compose/flatten.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

namespace bmsim {

namespace {

class Flattener {
 public:
  Flattener(std::string_view dialect, const GeneratedFile& generated) : dialect_(dialect), generated_(generated) {}

  void file(const std::string& name, std::string_view text) {
    out_ += fmt::format("#line 1 \"{}\"\n", name);
    int number = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size() - 1);
      line(name, text.substr(0, end + 1), ++number);
      text.remove_prefix(end + 1);
    }
  }
  std::string take() { return std::move(out_); }

 private:
  void line(const std::string& name, std::string_view text, int number) {
    constexpr std::string_view include = "#include \"", once = "#pragma once";
    if (text.starts_with(once)) {
      out_ += '\n';
    } else if (text.starts_with(include)) {
      const std::string_view wanted = text.substr(include.size(), text.find('"', include.size()) - include.size());
      if (add(name.substr(0, name.find_last_of('/') + 1), wanted))
        out_ += fmt::format("#line {} \"{}\"\n", number + 1, name);
      else
        out_ += '\n';
    } else {
      out_ += text;
    }
  }

  // Adds a file unless it is there already; returns whether it did.
  bool add(const std::string& beside, std::string_view wanted) {
    for (const std::string& name : {fmt::format("{}{}", beside, wanted), fmt::format("kernels/{}/{}", dialect_, wanted),
                                    fmt::format("kernels/{}", wanted)})
      if (const auto text = kernel_text(name)) {
        if (!done_.insert(name).second) return false;
        file(name, *text);
        return true;
      }
    if (!done_.insert(std::string(wanted)).second) return false;
    const auto text = generated_(wanted);
    if (!text) throw std::logic_error(fmt::format("kernels: no file '{}'", wanted));
    file(std::string(wanted), *text);
    return true;
  }

  std::string_view dialect_;
  const GeneratedFile& generated_;
  std::set<std::string> done_;
  std::string out_;
};

}  // namespace

std::string flattened(std::string_view root, std::string_view dialect, const GeneratedFile& generated) {
  Flattener flattener(dialect, generated);
  const std::string name = fmt::format("kernels/{}", root);
  flattener.file(name, kernel_text(name).value());
  return flattener.take();
}

}  // namespace bmsim
