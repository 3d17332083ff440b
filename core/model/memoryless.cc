#include "model/memoryless.h"

namespace bmsim {
namespace {

template <class Extension> const Extension* extension_of(const Plugin& plugin, const char* name) {
  return plugin->kind == BM_NOISE ? static_cast<const Extension*>(plugin.extension(name)) : nullptr;
}

MemorylessNoise of_chain(const bm_chain& chain, const double* values) {
  MemorylessNoise noise;
  for (uint32_t state = 0; state < chain.states; ++state) {
    noise.force.push_back(chain.force(values, state));
    noise.rate.push_back(chain.rate(values, state));
    std::vector<double>& next = noise.next.emplace_back();
    for (uint32_t then = 0; then < chain.states; ++then) next.push_back(chain.next(values, state, then));
  }
  return noise;
}

MemorylessNoise of_kicks(const bm_kicks& kicks, const Plugin& plugin, const double* values) {
  const std::string law = kicks.law(values);
  const double rate = kicks.rate(values), zeta = kicks.zeta(values), a = kicks.mean(values);
  const double mean = plugin.mean(values).value_or(0);
  return {{mean - a}, {rate}, {{1}}, MemorylessNoise::Kicks{law, zeta, kicks.sigma(values), a}};
}

}  // namespace

bool is_memoryless(const Plugin& plugin) {
  return extension_of<bm_chain>(plugin, BM_CHAIN) != nullptr || extension_of<bm_kicks>(plugin, BM_KICKS) != nullptr;
}

std::optional<MemorylessNoise> memoryless(const Plugin& plugin, std::span<const double> values) {
  if (const auto* chain = extension_of<bm_chain>(plugin, BM_CHAIN)) return of_chain(*chain, values.data());
  if (const auto* kicks = extension_of<bm_kicks>(plugin, BM_KICKS)) return of_kicks(*kicks, plugin, values.data());
  return {};
}

std::optional<StableNoise> stable(const Plugin& plugin, std::span<const double> values) {
  const auto* stable = extension_of<bm_stable>(plugin, BM_STABLE);
  if (stable == nullptr) return {};
  return StableNoise{stable->alpha(values.data()), stable->beta(values.data()), stable->scale(values.data())};
}

bool is_coloured(const Plugin& plugin) { return extension_of<void>(plugin, BM_COLOURED) != nullptr; }

}  // namespace bmsim
