#include "config/state_choice.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

namespace gasoline {
namespace {

/// The state directory that the configuration file names; empty: none.
std::string configured_state_dir(std::filesystem::path file, const environment& env) {
  if (file.empty())
    file = lookup(env, "GASOLINE_CONFIG");
  if (file.empty())
    file = usual_config_file(env);
  std::ifstream in{file};
  if (!in)
    return {};
  const auto document = nlohmann::json::parse(in, nullptr, false, true);
  if (!document.is_object())
    return {};
  const auto found = document.find("state_dir");
  if (found == document.end() || !found->is_string())
    return {};
  return found->get<std::string>();
}

} // namespace

environment state_environment() {
  environment out;
  for (const char* name : {"GASOLINE_STATE_DIR", "GASOLINE_CONFIG", "HOME", "XDG_CONFIG_HOME",
                           "XDG_RUNTIME_DIR", "XDG_STATE_HOME"})
    if (const char* value = std::getenv(name))
      out.emplace(name, value);
  return out;
}

std::filesystem::path chosen_state_directory(const std::string& state_dir,
                                             const std::string& config_file,
                                             const environment& env) {
  if (!state_dir.empty())
    return state_dir;
  if (auto dir = lookup(env, "GASOLINE_STATE_DIR"); !dir.empty())
    return dir;
  if (auto dir = configured_state_dir(config_file, env); !dir.empty())
    return dir;
  return usual_state_directory(env);
}

} // namespace gasoline
