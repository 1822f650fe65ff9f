#include "tools/doctor/agent_checks.hpp"

#include "tools/setup/agent_state.hpp"
#include "tools/setup/codex_trust.hpp"
#include "tools/setup/this_machine.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace gasoline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_agents = 7;

/// Seconds since a hook of that agent asked last; nothing: none has since the engine's start.
std::optional<double> last_hook(const std::optional<json>& health, std::string_view agent) {
  std::optional<double> out;
  if (!health || !health->contains("conversations") || !health->at("conversations").is_array())
    return out;
  for (const auto& one : health->at("conversations")) {
    if (!one.is_object() || one.value("agent", "") != agent)
      continue;
    const auto found = one.find("last_hook_seconds");
    if (found != one.end() && found->is_number())
      out = std::min(out.value_or(found->get<double>()), found->get<double>());
  }
  return out;
}

std::string text_of(const fs::path& file) {
  constexpr std::uintmax_t most_bytes = 16U << 20U;
  std::error_code ec;
  if (!fs::is_regular_file(file, ec) || fs::file_size(file, ec) > most_bytes)
    return {};
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// What Codex thinks of its hooks, for its row; adds what is wrong with it.
std::string trust_text(const agent& codex, diagnosis& out) {
  const auto& hooks_file = codex.files.back().path;
  const auto hooks =
      codex_hooks(text_of(hooks_file), hooks_file, text_of(codex.files.front().path));
  std::string missing;
  std::string changed;
  for (const auto& hook : hooks) {
    auto& list = hook.trust == codex_trust::changed ? changed : missing;
    if (hook.trust != codex_trust::trusted)
      list += (list.empty() ? "" : ", ") + hook.event;
  }
  if (!missing.empty())
    out.wrong("agent", "Codex skips hooks that you have not trusted (" + missing +
                           "): type /hooks in Codex and trust them.");
  if (!changed.empty())
    out.wrong("agent", "Hooks of Codex have changed since you trusted them (" + changed +
                           "), so it skips them: type /hooks in Codex and trust them again.");
  return missing.empty() && changed.empty() ? "trusted" : "not trusted";
}

/// The state of an agent's hooks in words; adds what is wrong with it.
std::string hooks_text(const agent& a, const agent_state& state, const std::optional<json>& health,
                       diagnosis& out) {
  if (!state.has_hooks)
    return "has no hooks";
  const auto title = std::string{a.title};
  const auto command = "`gasoline setup " + std::string{a.name} + "`";
  if (state.hooks == setup_state::absent) {
    out.note("agent", title +
                          " has no hooks of gasoline, so alerts reach its model in results of "
                          "observe only: " +
                          command + " adds them.");
    return "no hooks";
  }
  if (state.hooks == setup_state::other)
    out.wrong("agent", "The hooks of " + title + " are not those of this program: " + command +
                           " shows the difference and renews them.");
  std::string text = state.hooks == setup_state::other ? "other hooks" : "hooks";
  if (a.name == "codex")
    text += " (" + trust_text(a, out) + ")";
  const auto seconds = last_hook(health, a.name);
  if (seconds)
    return text + ", last fired " + span_text(*seconds) + " ago";
  return text + (health ? ", none fired since the engine started" : "");
}

void check_agent(const agent& a, const agent_state& state, const std::optional<json>& health,
                 diagnosis& out) {
  const auto title = std::string{a.title};
  if (!state.problem.empty())
    out.wrong("agent", title + ": " + state.problem + " Mend it, then run `gasoline setup " +
                           std::string{a.name} + "`.");
  const bool has_hooks = state.hooks != setup_state::absent;
  if (state.server == setup_state::absent && has_hooks)
    out.wrong("agent", title + " has hooks but no server entry: `gasoline setup " +
                           std::string{a.name} + "` adds it.");
  const auto* server = state.server == setup_state::absent  ? ": no server entry, "
                       : state.server == setup_state::whole ? ": server entry, "
                                                            : ": server entry made by hand, ";
  out.row("agent", title + server + hooks_text(a, state, health, out));
}

bool is_set_up(const agent_state& state) {
  return state.server != setup_state::absent || state.hooks != setup_state::absent ||
         !state.problem.empty();
}

/// The state with the arguments that this call was given, or with none, whichever it has.
agent_state best_state(const agent& a, const std::vector<agent>& plain) {
  auto state = state_of(a);
  const auto other =
      std::find_if(plain.begin(), plain.end(), [&](const agent& p) { return p.name == a.name; });
  const bool differs = state.hooks == setup_state::other || state.server == setup_state::other;
  if (!differs || other == plain.end())
    return state;
  const auto without = state_of(*other);
  if (without.hooks == setup_state::whole)
    state.hooks = setup_state::whole;
  if (without.server == setup_state::whole)
    state.server = setup_state::whole;
  return state;
}

} // namespace

void check_agents(const std::vector<std::string>& arguments, const std::optional<json>& health,
                  diagnosis& out) {
  const auto machine = this_machine(arguments);
  if (!machine) {
    out.note("agent", machine.error().message);
    return;
  }
  const auto plain = known_agents(
      {machine->home, machine->config_home, machine->program, std::vector<std::string>{}});
  std::string others;
  std::size_t shown = 0;
  for (const auto& a : known_agents(*machine)) {
    if (!is_installed(a))
      continue;
    const auto state = best_state(a, plain);
    if (is_set_up(state) && ++shown <= most_agents)
      check_agent(a, state, health, out);
    else if (!is_set_up(state))
      others += (others.empty() ? "" : ", ") + std::string{a.name};
  }
  if (const auto rest = counted_rest(shown, most_agents); !rest.empty())
    out.row("agent", rest);
  if (!others.empty())
    out.note("agent", "Agents of this machine that are not set up: " + others +
                          ". `gasoline setup` writes their server entry and hooks.");
}

} // namespace gasoline
