-- Scripts, the library and the tests of Lua run in LuaJIT and have no globals of their own. tests/style checks widths.
std = "luajit"
max_line_length = false
