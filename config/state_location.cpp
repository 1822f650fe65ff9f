#include "config/state_location.hpp"

#include "config/values/attach_address.hpp"

namespace gasoline {

std::string lookup(const environment& env, const std::string& name) {
  const auto found = env.find(name);
  return found == env.end() ? std::string{} : found->second;
}

std::filesystem::path base_directory(const environment& env, const char* xdg,
                                     const char* below_home) {
  if (auto dir = lookup(env, xdg); !dir.empty())
    return dir;
  if (auto home = lookup(env, "HOME"); !home.empty())
    return std::filesystem::path{home} / below_home;
  return std::filesystem::temp_directory_path();
}

std::filesystem::path usual_state_directory(const environment& env) {
  return base_directory(env, "XDG_STATE_HOME", ".local/state") / "gasoline";
}

std::filesystem::path usual_config_file(const environment& env) {
  return base_directory(env, "XDG_CONFIG_HOME", ".config") / "gasoline" / "config.json";
}

std::filesystem::path attach_socket_of(const std::filesystem::path& state_dir,
                                       const environment& env) {
  const bool moved = state_dir != usual_state_directory(env);
  return attach_socket_path(state_dir, moved ? std::string{} : lookup(env, "XDG_RUNTIME_DIR"));
}

} // namespace gasoline
