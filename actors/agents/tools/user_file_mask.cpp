#include "actors/agents/tools/user_file_mask.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <string>

namespace gasoline {

void keep_files_private() {
  constexpr mode_t user_alone = 077;
  ::setenv(user_file_mask_variable, std::to_string(::umask(user_alone)).c_str(), 1);
}

void restore_user_file_mask() {
  constexpr mode_t permissions = 0777;
  if (const char* noted = std::getenv(user_file_mask_variable); noted != nullptr)
    ::umask(static_cast<mode_t>(std::strtoul(noted, nullptr, 10)) & permissions);
  ::unsetenv(user_file_mask_variable);
}

} // namespace gasoline
