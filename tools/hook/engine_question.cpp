#include "tools/hook/engine_question.hpp"

#include "messages/base/private_file.hpp"
#include "transport/attach/hook_line.hpp"
#include "transport/descriptor_write.hpp"

#include <string>
#include <utility>

namespace gasoline {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

milliseconds left_until(clock::time_point end) {
  return std::chrono::duration_cast<milliseconds>(end - clock::now());
}

/// Where the engine says that it listens, which an environment of another kind would not tell.
std::filesystem::path named_socket(const std::filesystem::path& state_dir) {
  constexpr std::size_t most_bytes = 512;
  const auto text = read_own_file(state_dir / "engine.lock", most_bytes).value_or("");
  const auto pid_end = text.find('\n');
  if (pid_end == std::string::npos)
    return {};
  return text.substr(pid_end + 1, text.find('\n', pid_end + 1) - pid_end - 1);
}

std::optional<attach_call> reach(const std::filesystem::path& state_dir, const environment& env,
                                 clock::time_point end) {
  const auto usual = attach_socket_of(state_dir, env);
  if (auto call = call_attached_engine(usual, attach_role::hook, left_until(end)))
    return std::move(*call);
  const auto named = named_socket(state_dir);
  if (named.empty() || named == usual)
    return std::nullopt;
  if (auto call = call_attached_engine(named, attach_role::hook, left_until(end)))
    return std::move(*call);
  return std::nullopt;
}

bool say(const attach_call& call, std::string line) {
  line += '\n';
  return write_what_fits(call.socket.get(), line) == line.size();
}

} // namespace

std::optional<engine_question> engine_question::ask(const std::filesystem::path& state_dir,
                                                    const environment& env,
                                                    const hook_question& question,
                                                    clock::time_point end) {
  auto call = reach(state_dir, env, end);
  if (!call || !say(*call, question_line(question)))
    return std::nullopt;
  const auto answer = read_line(*call, left_until(end));
  if (!answer)
    return std::nullopt;
  return engine_question{std::move(*call), parse_answer(*answer)};
}

void engine_question::confirm() {
  say(call_, std::string{hook_shown});
}

} // namespace gasoline
