// The prompt: lines of Lua with `bm` at hand, the values of expressions printed.
#pragma once
#include "lua_host.h"

namespace bmsim::app {

/// Reads until end of file. An error is printed and does not end the prompt.
void run_prompt(LuaHost& host);

}  // namespace bmsim::app
