#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"

namespace gasoline {

/// `generate {what:"reproduction"}`: a program for Playwright that does what was done before a
/// fault, and says by its exit status whether the fault is there.
generation reproduction_script();

/// `generate {what:"test"}`: the same as a test, which passes once the fault is gone.
generation regression_test();

} // namespace gasoline
