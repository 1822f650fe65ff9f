#include "tools/setup/agent_state.hpp"

#include "tools/setup/agent_setup.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace gasoline {
namespace {

bool is_hook(const wanted_entry& entry) {
  const auto* element = std::get_if<wanted_element>(&entry);
  return element && is_own_hook(element->value);
}

/// The part of the files that is hooks, or the part that is not. Files that are wholly ours are
/// hooks.
std::vector<wanted_file> part_of(const std::vector<wanted_file>& files, bool hooks) {
  std::vector<wanted_file> out;
  for (const auto& file : files) {
    if (file.entries.empty()) {
      if (hooks)
        out.push_back(file);
      continue;
    }
    auto part = file;
    std::erase_if(part.entries, [&](const wanted_entry& e) { return is_hook(e) != hooks; });
    // The number of the format that goes with hooks is no server entry.
    const bool only_version =
        !hooks && std::all_of(part.entries.begin(), part.entries.end(), [](const auto& e) {
          const auto* member = std::get_if<wanted_member>(&e);
          return member && member->path == json_path{"version"};
        });
    if (!part.entries.empty() && !only_version)
      out.push_back(std::move(part));
  }
  return out;
}

/// Nothing: the file cannot be read, and `problem` says why.
std::optional<setup_state> state_of(const wanted_file& file, std::string& problem) {
  const auto set_up = plan_setup(file);
  const auto taken_back = plan_uninstall(file);
  if (!set_up || !taken_back) {
    problem = (set_up ? taken_back.error() : set_up.error()).message;
    return std::nullopt;
  }
  if (set_up->is_none())
    return setup_state::whole;
  return taken_back->is_none() ? setup_state::absent : setup_state::other;
}

setup_state state_of(const std::vector<wanted_file>& files, std::string& problem) {
  std::optional<setup_state> out;
  for (const auto& file : files) {
    const auto state = state_of(file, problem);
    if (!state)
      continue;
    out = !out || *out == *state ? *state : setup_state::other;
  }
  return out.value_or(setup_state::absent);
}

} // namespace

agent_state state_of(const agent& a) {
  agent_state out;
  const auto hooks = part_of(a.files, true);
  out.has_hooks = !hooks.empty();
  out.server = state_of(part_of(a.files, false), out.problem);
  out.hooks = state_of(hooks, out.problem);
  return out;
}

} // namespace gasoline
