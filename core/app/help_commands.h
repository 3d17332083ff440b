// bmsim help NAME prints a page of the reference; docs says where the documentation is.
#pragma once
#include <string>

#include "lua_host.h"
#include "paths.h"

namespace bmsim::app {

/// name: "" lists what there is. Throws Failure for an unknown name.
void show_help(LuaHost& host, const std::string& name);
/// Prints where the pages are, and the site if there is one. Throws Failure if there are no pages.
void show_docs(const Install& install);

}  // namespace bmsim::app
