#!/bin/bash
# run_honest.sh PROGRAM NAME: honest/NAME.lua, which asserts that a number that once was wrong in silence is right
# within its error or that a warning says what is wrong. BMSIM_TEST_DEVICE: the device, cpu if there is none.
bmsim=$1
name=$2
. "$(dirname "$0")/workplace.sh"
"$bmsim" --quiet --device "${BMSIM_TEST_DEVICE:-cpu}" "$here/honest/$name.lua"
