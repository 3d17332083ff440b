// What kernels/ take from cuRAND's header of this name.
#pragma once
struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
uint2 make_uint2(unsigned x, unsigned y);
uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w);
uint4 curand_Philox4x32_10(uint4 counter, uint2 key);
