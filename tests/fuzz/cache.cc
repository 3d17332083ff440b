// Kernels in the cache: what comes back is what was put there, under this key, or nothing.
#include "backend/cache.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz.h"

namespace bmsim::fuzz {

namespace fs = std::filesystem;

namespace {

const std::string keys[] = {digest("one"), digest("two")};

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The file of the first key's kernel.
fs::path kernel_file(const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (const std::string name = entry.path().filename(); name.starts_with(keys[0]) && !name.ends_with(".rate"))
      return entry.path();
  finding("a kernel is not kept");
}

std::string damaged(std::string text, Bytes& bytes) {
  for (unsigned count = bytes.below(4); count > 0 && !text.empty(); --count) {
    const size_t at = (bytes.byte() * 256 + bytes.byte()) % text.size();
    const unsigned how = bytes.below(4);
    if (how == 0) text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1 + bytes.below(255)));
    if (how == 1) text.resize(at);
    if (how == 2) text.insert(at, bytes.text(bytes.below(40)));
    if (how == 3) text.erase(at, bytes.byte());
  }
  return text;
}

}  // namespace

void cache(std::string_view input) {
  Bytes bytes(input);
  static KernelCache kept(directory() + "/cache");
  const bool any_bytes = bytes.byte() % 4 == 0;
  const std::string content(any_bytes ? "" : bytes.text(bytes.byte()));
  kept.store(keys[0], content);
  const fs::path file = kernel_file(kept.directory());
  if (any_bytes) {
    write_file(file, bytes.rest());
    write_file(kept.directory() / (keys[0] + ".rate"), bytes.rest());
    kept.rate(keys[0]);
  } else {
    const std::string sealed = read_file(file), now = damaged(sealed, bytes);
    write_file(file, now);
    write_file(kept.directory() / (keys[1] + file.extension().string()), sealed);
    if (now == sealed && kept.load(keys[0]) != content) finding("a kernel that is whole does not come back");
    if (kept.load(keys[1])) finding("a kernel comes back under another's name");
  }
  const auto found = kept.load(keys[0]);
  if (any_bytes && found && !bytes.rest().starts_with(*found)) finding("bytes come back that are not in the file");
  if (!any_bytes && found && *found != content) finding("a damaged kernel comes back");
  if (!found && fs::exists(file)) finding("a damaged kernel is still there");
}

}  // namespace bmsim::fuzz
