#pragma once

#include "tools/replay/virtual_system.hpp"

namespace gasoline::test {

using gasoline::virtual_system;

} // namespace gasoline::test
