#include "tools/cli/command_replay.hpp"

#include "tools/replay/scenario_player.hpp"

#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t longest_shown = 160;

std::string shown(const std::string& text) {
  const auto line = text.substr(0, text.find('\n'));
  return line.size() <= longest_shown ? line : line.substr(0, longest_shown) + "…";
}

/// One human-readable line: who was told what.
std::string summary(const playback_line& line) {
  const auto& m = line.message;
  if (line.client.empty())
    return "http    " + std::to_string(m.value("status", 0)) + " " + shown(m["body"].dump());
  if (m.is_object() && m.contains("method")) {
    const auto data = m.value(json::json_pointer{"/params/data"}, json::object());
    return line.client + "  notification  " + data.value("severity", std::string{"-"}) + "  " +
           shown(data.value("title", m.value("method", std::string{})));
  }
  if (m.is_object() && m.contains("error"))
    return line.client + "  error         " + shown(m["error"].dump());
  const auto text = m.is_object()
                        ? m.value(json::json_pointer{"/result/content/0/text"}, std::string{})
                        : std::string{};
  return line.client + "  result        " + shown(text.empty() ? m.dump() : text);
}

void print(const playback_line& line, replay_format format) {
  if (format == replay_format::jsonl) {
    std::cout << json{{"at_ms", line.at.count()},
                      {"client", line.client},
                      {"message", line.message}}
              << '\n';
    return;
  }
  std::cout << std::fixed << std::setprecision(3) << std::setw(9)
            << static_cast<double>(line.at.count()) / 1000.0 << "s  " << summary(line) << '\n';
}

} // namespace

int run_replay(const std::filesystem::path& file, replay_format format) {
  std::ifstream in{file};
  if (!in) {
    std::cerr << "gasoline: " << file.string() << " cannot be read; name a scenario file.\n";
    return 2;
  }
  std::ostringstream text;
  text << in.rdbuf();
  const auto parsed = parse_scenario(text.str());
  if (!parsed) {
    std::cerr << "gasoline: " << file.string() << ", " << parsed.error().message << '\n';
    return 2;
  }
  const auto played =
      play_scenario(*parsed, [format](const playback_line& line) { print(line, format); });
  if (!played) {
    std::cerr << "gasoline: " << played.error().message << '\n';
    return 2;
  }
  for (const auto& failure : played->failures)
    std::cerr << file.filename().string() << ", " << failure << '\n';
  if (format == replay_format::text)
    std::cout << played->expectations - played->failures.size() << " of " << played->expectations
              << " expectations held\n";
  return played->failures.empty() ? 0 : 1;
}

} // namespace gasoline
