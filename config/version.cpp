#include "config/version.hpp"

namespace gasoline {

std::string_view program_version() {
  return GASOLINE_VERSION;
}

} // namespace gasoline
