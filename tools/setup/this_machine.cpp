#include "tools/setup/this_machine.hpp"

#include "config/state_location.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

/// The program that agents are to start: the one beside the engine, by its real path.
std::filesystem::path own_program() {
  std::error_code ec;
  return std::filesystem::read_symlink("/proc/self/exe", ec).parent_path() / "gasoline";
}

} // namespace

result_or<agent_machine> this_machine(std::vector<std::string> arguments) {
  const auto env = process_environment();
  if (lookup(env, "HOME").empty())
    return tl::unexpected(user_error{"HOME is not set; it says where agents keep their files."});
  return agent_machine{lookup(env, "HOME"), base_directory(env, "XDG_CONFIG_HOME", ".config"),
                       own_program(), std::move(arguments)};
}

bool is_installed(const agent& a) {
  std::error_code ec;
  return std::any_of(a.signs.begin(), a.signs.end(), [&](const std::filesystem::path& sign) {
    return std::filesystem::exists(sign, ec);
  });
}

std::vector<std::string> passed_arguments(const settings_flags& flags) {
  std::vector<std::string> out;
  std::error_code ec;
  if (flags.state_dir)
    out.insert(out.end(),
               {"--state-dir", std::filesystem::absolute(*flags.state_dir, ec).string()});
  if (flags.config_file)
    out.insert(out.end(), {"--config", std::filesystem::absolute(*flags.config_file, ec).string()});
  return out;
}

} // namespace gasoline
