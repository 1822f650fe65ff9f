#include "tools/run/sender_variables.hpp"

#include "config/state_location.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace gasoline {
namespace {

std::filesystem::path state_directory_of(const std::string& state_dir) {
  if (!state_dir.empty())
    return state_dir;
  environment env;
  for (const char* name : {"GASOLINE_STATE_DIR", "HOME", "XDG_STATE_HOME"})
    if (const char* value = std::getenv(name))
      env.emplace(name, value);
  if (const auto named = env.find("GASOLINE_STATE_DIR"); named != env.end())
    return named->second;
  return usual_state_directory(env);
}

/// The port that the engine has written down; 0: none runs.
std::uint16_t engine_port(const std::filesystem::path& state_dir) {
  std::ifstream in{state_dir / "port"};
  std::uint16_t port = 0;
  return in >> port ? port : std::uint16_t{0};
}

} // namespace

void set_sender_variables(const std::string& state_dir) {
  if (std::getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != nullptr)
    return;
  const auto port = engine_port(state_directory_of(state_dir));
  if (port == 0)
    return;
  constexpr int keep_what_is_set = 0;
  const auto base = "http://127.0.0.1:" + std::to_string(port);
  ::setenv("OTEL_EXPORTER_OTLP_ENDPOINT", base.c_str(), keep_what_is_set);
  ::setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf", keep_what_is_set);
}

} // namespace gasoline
