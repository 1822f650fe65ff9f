#include "tools/run/sdk_variables.hpp"

#include "messages/base/private_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::size_t most_file_bytes = 512;
constexpr int highest_port = 65535;

/// The number that the first line is; 0: it is none.
int first_number(const std::filesystem::path& file) {
  const auto text = read_own_file(file, most_file_bytes).value_or("");
  int out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

bool is_alive(int pid) {
  return pid > 0 && (::kill(pid, 0) == 0 || errno == EPERM);
}

bool is_set(std::string_view prefix, std::string_view end) {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    std::string_view name{*variable};
    name = name.substr(0, name.find('='));
    if (name.substr(0, prefix.size()) == prefix && name.size() >= end.size() &&
        name.substr(name.size() - end.size()) == end)
      return true;
  }
  return false;
}

/// Whether the user has said where telemetry of that SDK goes.
bool goes_elsewhere(std::string_view variable) {
  if (variable.substr(0, 5) == "OTEL_")
    return is_set("OTEL_EXPORTER_OTLP_", "ENDPOINT");
  // A rate that is raised for us would be raised for the service behind the DSN, which is paid for.
  return variable == "SENTRY_TRACES_SAMPLE_RATE" && is_set("SENTRY_DSN", "");
}

} // namespace

std::optional<std::uint16_t> running_engine_port(const std::filesystem::path& state_dir) {
  // A port file outlives an engine that was killed, and others may listen there since.
  if (!is_alive(first_number(state_dir / "engine.lock")))
    return std::nullopt;
  const int port = first_number(state_dir / "port");
  if (port <= 0 || port > highest_port)
    return std::nullopt;
  return static_cast<std::uint16_t>(port);
}

std::vector<std::pair<std::string, std::string>> sdk_variables(std::uint16_t port,
                                                               const std::string& name) {
  const auto base = "127.0.0.1:" + std::to_string(port);
  const auto spotlight = "http://" + base + "/stream";
  return {{"SENTRY_SPOTLIGHT", spotlight},
          {"NEXT_PUBLIC_SENTRY_SPOTLIGHT", spotlight},
          {"SENTRY_TRACES_SAMPLE_RATE", "1"},
          {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://" + base},
          {"OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"},
          {"OTEL_SERVICE_NAME", name}};
}

void set_sdk_variables(std::uint16_t port, const std::string& name) {
  auto wanted = sdk_variables(port, name);
  // Before the first is set: one would be taken for the user's own.
  const auto kept = std::remove_if(wanted.begin(), wanted.end(),
                                   [](const auto& v) { return goes_elsewhere(v.first); });
  wanted.erase(kept, wanted.end());
  for (const auto& [variable, value] : wanted)
    ::setenv(variable.c_str(), value.c_str(), 0);
}

} // namespace gasoline
