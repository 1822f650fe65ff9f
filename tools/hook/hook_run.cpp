#include "tools/hook/hook_run.hpp"

#include "config/state_choice.hpp"
#include "tools/hook/engine_question.hpp"
#include "tools/hook/hook_client.hpp"
#include "tools/hook/hook_payload.hpp"
#include "transport/attach/hook_line.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace gasoline {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds patience{300};
constexpr milliseconds quiet_after_document{30};
constexpr std::size_t most_payload_bytes = 16U << 20U;
constexpr std::size_t most_output_bytes = 2047;

struct hook_flags {
  std::string client;
  std::string event;
  std::string state_dir;
  std::string config_file;
};

/// `--name value` and `--name=value`; what is not known is passed over.
hook_flags flags_in(const std::vector<std::string>& arguments) {
  hook_flags out;
  const std::array<std::pair<std::string_view, std::string*>, 4> known{
      {{"--client", &out.client},
       {"--event", &out.event},
       {"--state-dir", &out.state_dir},
       {"--config", &out.config_file}}};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (const auto& [name, value] : known) {
      const std::string_view word = arguments[i];
      if (word == name && i + 1 < arguments.size())
        *value = arguments[++i];
      else if (word.substr(0, name.size()) == name && word.substr(name.size(), 1) == "=")
        *value = std::string{word.substr(name.size() + 1)};
      else
        continue;
      break;
    }
  return out;
}

enum class piece : std::uint8_t { some, end, quiet };

piece read_piece(std::string& into, milliseconds wait) {
  std::array<char, 64U << 10U> bytes;
  pollfd p{STDIN_FILENO, POLLIN, 0};
  if (wait.count() <= 0 || ::poll(&p, 1, static_cast<int>(wait.count())) <= 0)
    return piece::quiet;
  const auto n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (n <= 0)
    return piece::end;
  into.append(bytes.data(), static_cast<std::size_t>(n));
  return piece::some;
}

/// The client's document, until the end of stdin or until it is whole and nothing follows: not
/// every client closes its end.
std::optional<hook_payload> read_payload(clock::time_point end) {
  std::string text;
  while (text.size() <= most_payload_bytes) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - clock::now());
    if (left.count() <= 0)
      return std::nullopt;
    switch (read_piece(text, std::min(left, text.empty() ? left : quiet_after_document))) {
    case piece::some:
      break;
    case piece::end:
      return parse_hook_payload(text);
    case piece::quiet:
      if (auto whole = parse_hook_payload(text))
        return whole;
    }
  }
  return std::nullopt;
}

/// The client as its environment shows it, for hooks that `setup` has not written.
std::string client_around() {
  constexpr std::array<std::pair<const char*, const char*>, 5> marks{{
      {"QWEN_CODE_CLI", "qwen"},
      {"GEMINI_CLI", "gemini"},
      {"GEMINI_SESSION_ID", "gemini"},
      {"COPILOT_CLI", "copilot"},
      {"CLAUDECODE", "claude"},
  }};
  for (const auto& [variable, client] : marks)
    if (std::getenv(variable))
      return client;
  return {};
}

std::string client_of(const hook_flags& flags, const hook_payload& payload) {
  if (!flags.client.empty())
    return flags.client;
  return payload.client.empty() ? client_around() : payload.client;
}

/// Several clients load the hooks of others; each has its own.
bool is_of_another(const hook_payload& payload, std::string_view client) {
  return !payload.client.empty() && payload.client != client;
}

hook_question question_of(const hook_client& client, const hook_event& event,
                          hook_payload&& payload) {
  hook_question out;
  out.agent = client.name;
  out.conversation = std::move(payload.conversation);
  out.place.directory = std::move(payload.directory);
  out.begins = event.moment == hook_moment::begin;
  out.compacted = out.begins && (payload.source == "compact" || payload.source == "clear");
  out.errors_only = event.moment == hook_moment::stop;
  out.only_listens = (event.moment == hook_moment::tool && payload.own_tool) ||
                     (event.moment == hook_moment::stop && payload.continues);
  return out;
}

bool print(std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n <= 0)
      return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void answer(const hook_flags& flags, clock::time_point end) {
  auto payload = read_payload(end);
  if (!payload)
    return;
  const auto name = client_of(flags, *payload);
  const auto* client = find_hook_client(name);
  if (!client || is_of_another(*payload, name))
    return;
  const auto* event = find_hook_event(*client, flags.event.empty() ? payload->event : flags.event);
  if (!event || !is_plain_name(payload->conversation))
    return;
  const auto env = state_environment();
  auto engine =
      engine_question::ask(chosen_state_directory(flags.state_dir, flags.config_file, env), env,
                           question_of(*client, *event, std::move(*payload)), end);
  if (!engine || engine->text().empty())
    return;
  const auto output = hook_output(*event, engine->text());
  if (output.size() <= most_output_bytes && clock::now() < end && print(output))
    engine->confirm();
}

} // namespace

int run_hook(const std::vector<std::string>& arguments) {
  const auto end = clock::now() + patience;
  std::signal(SIGPIPE, SIG_IGN);
  try {
    answer(flags_in(arguments), end);
  } catch (const std::exception&) {
    // Nothing is better than anything that a client might take for an order.
  }
  return 0;
}

} // namespace gasoline
