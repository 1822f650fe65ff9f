#include "tools/cli/command_setup.hpp"

#include "config/state_location.hpp"
#include "tools/setup/agent_setup.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace gasoline {
namespace {

namespace fs = std::filesystem;
using plan_of_file = result_or<file_change> (*)(const wanted_file&);

/// The program that agents are to start: the one beside the engine, by its real path.
fs::path own_program() {
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec).parent_path() / "gasoline";
}

std::vector<std::string> passed_arguments(const settings_flags& flags) {
  std::vector<std::string> out;
  std::error_code ec;
  if (flags.state_dir)
    out.insert(out.end(), {"--state-dir", fs::absolute(*flags.state_dir, ec).string()});
  if (flags.config_file)
    out.insert(out.end(), {"--config", fs::absolute(*flags.config_file, ec).string()});
  return out;
}

std::string names_of(const std::vector<agent>& all) {
  std::string out;
  for (const auto& a : all)
    out += (out.empty() ? "" : ", ") + std::string{a.name};
  return out;
}

bool is_installed(const agent& a) {
  std::error_code ec;
  return std::any_of(a.signs.begin(), a.signs.end(),
                     [&](const fs::path& sign) { return fs::exists(sign, ec); });
}

/// The agents that are meant. The error names those that exist.
result_or<std::vector<agent>> chosen_agents(const setup_options& options) {
  const auto env = process_environment();
  if (lookup(env, "HOME").empty())
    return tl::unexpected(user_error{"HOME is not set; it says where agents keep their files."});
  const agent_machine machine{lookup(env, "HOME"),
                              base_directory(env, "XDG_CONFIG_HOME", ".config"), own_program(),
                              passed_arguments(options.flags)};
  auto all = known_agents(machine);
  if (options.agents.empty()) {
    const auto names = names_of(all);
    std::erase_if(all, [](const agent& a) { return !is_installed(a); });
    if (all.empty())
      return tl::unexpected(user_error{"No agent was found in " + machine.home.string() +
                                       "; name those that you use: gasoline setup NAME, of " +
                                       names + "."});
    return all;
  }
  std::vector<agent> out;
  for (const auto& name : options.agents) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const agent& a) { return a.name == name; });
    if (found == all.end())
      return tl::unexpected(
          user_error{name + " is no agent that can be set up; known are " + names_of(all) + "."});
    out.push_back(*found);
  }
  return out;
}

/// Shows the changes of one agent; answers those to be made. Problems are shown and counted.
std::vector<file_change> shown_changes(const agent& a, plan_of_file plan, int& problems) {
  std::vector<file_change> out;
  std::cout << a.title << '\n';
  for (const auto& wanted : a.files) {
    auto change = plan(wanted);
    if (!change) {
      std::cout << "  " << change.error().message << '\n';
      ++problems;
    } else if (change->is_none()) {
      std::cout << "  " << wanted.path.string() << ": nothing to change\n";
    } else {
      std::cout << change_text(*change);
      out.push_back(std::move(*change));
    }
  }
  return out;
}

bool is_agreed(setup_consent consent) {
  if (consent != setup_consent::ask)
    return consent == setup_consent::write;
  if (::isatty(STDIN_FILENO) == 0) {
    std::cout << "Nothing was changed; --write makes these changes.\n";
    return false;
  }
  std::cout << "Make these changes? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

int run(const setup_options& options, plan_of_file plan) {
  const auto agents = chosen_agents(options);
  if (!agents) {
    std::cerr << "gasoline: " << agents.error().message << '\n';
    return 1;
  }
  int problems = 0;
  std::vector<file_change> changes;
  for (const auto& a : *agents) {
    for (auto& change : shown_changes(a, plan, problems))
      changes.push_back(std::move(change));
    if (plan == plan_setup && !a.note.empty())
      std::cout << "  " << a.note << '\n';
  }
  if (!changes.empty() && is_agreed(options.consent))
    for (const auto& change : changes)
      if (const auto problem = apply_change(change)) {
        std::cerr << "gasoline: " << problem->message << '\n';
        ++problems;
      }
  return problems == 0 ? 0 : 1;
}

} // namespace

int run_setup(const setup_options& options) {
  return run(options, plan_setup);
}

int run_uninstall(const setup_options& options) {
  return run(options, plan_uninstall);
}

} // namespace gasoline
