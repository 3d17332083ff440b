// The settings of a kernel without a model, for tests of its functions. BM_REAL is the compiler's.
#pragma once
#define BM_GROUP 1
#define BM_EVENT_NOISES 1
