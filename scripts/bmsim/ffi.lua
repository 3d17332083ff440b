-- The C API (bmsim.h) as a table of functions. The program is linked to libbmsim, which declares itself.
local ffi = require "ffi"

ffi.cdef "const char* bm_declarations(void);"
ffi.cdef(ffi.string(ffi.C.bm_declarations()))

return ffi.C
