// The message of the Error that an action throws, for tests.
#pragma once
#include <string>

#include "error.h"

namespace bmsim::test {

template <class Action> std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace bmsim::test
