// The near-Gaussian law: 64 values that are equally likely, 32 and their negatives. They are the conditional means m of
// the normal law in 64 equally likely cells, changed to m (1.01319 - 0.0220936 m^2 + 0.00422733 m^4), by which the mean
// square, the mean fourth power and the mean absolute value become those of the normal law; the sixth moment is 14.08
// of 15. With the right sixth moment in place of the absolute value the outermost values would lie so that the error of
// a step at kinks differs several times as much from that of normal increments.
#pragma once
#include "integers.h"
#include "words.h"

namespace bmsim_kernel {

BM_CONSTANT double NEAR_GAUSSIAN[32] = {
    0.019843634593273506, 0.059557406852254573, 0.099350979535313341, 0.13927853208480359, 0.17939574280021026,
    0.21976045035602806,  0.26043338151684975,  0.30147897043652144,  0.34296630062288275, 0.38497020868994336,
    0.42757260029401101,  0.4708640444948351,   0.51494573522338927,  0.55993194069218677, 0.60595310833459626,
    0.65315986201076648,  0.70172823253491945,  0.75186662348973654,  0.8038252688251033,  0.85790935299416926,
    0.91449766081550288,  0.97406983948769166,  1.0372475692404062,   1.1048591826868954,  1.1780459133686054,
    1.2584468893628167,   1.3485454699421864,   1.452382488208718,    1.5772321504857201,  1.7384011110987432,
    1.9786453771908761,   2.6151399174217356};

// The value of six bits: the lowest is the sign, the others the number of the value.
BM_FN double near_gaussian(uint32_t bits) { return (bits & 1 ? -1 : 1) * NEAR_GAUSSIAN[bits >> 1 & 31]; }

}  // namespace bmsim_kernel
