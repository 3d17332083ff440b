// bmsim plugin list, bmsim plugin describe NAME: the documentation in the descriptors.
#pragma once
#include <string>

namespace bmsim::app {

void list_plugins();
/// Throws Failure if there is no such plugin.
void describe_plugin(const std::string& name);

}  // namespace bmsim::app
