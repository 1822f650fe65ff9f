#pragma once

#include "tools/virtual_system.hpp"

namespace gasoline::test {

using gasoline::virtual_system;

} // namespace gasoline::test
