#include "tools/cli/command_setup.hpp"

#include "tools/setup/agent_setup.hpp"
#include "tools/setup/this_machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

using plan_of_file = result_or<file_change> (*)(const wanted_file&);

std::string names_of(const std::vector<agent>& all) {
  std::string out;
  for (const auto& a : all)
    out += (out.empty() ? "" : ", ") + std::string{a.name};
  return out;
}

constexpr std::string_view project_name = "project";

/// The project in the working directory, as if it were an agent.
agent project_here(const project_lists& lists, plan_of_file plan) {
  std::error_code ec;
  wanted_file file{std::filesystem::current_path(ec) / ".gasoline.json", {}, {}, false};
  const auto want = [&](const char* name, const std::vector<std::string>& list) {
    if (!list.empty() || plan == plan_uninstall)
      file.entries.push_back(wanted_member{{name}, list});
  };
  want("origins", lists.origins);
  want("services", lists.services);
  want("ci", lists.ci);
  return {project_name, "This project", {}, {std::move(file)}, ""};
}

/// The agents that are meant. The error names those that exist.
result_or<std::vector<agent>> chosen_agents(const setup_options& options, plan_of_file plan) {
  const auto machine = this_machine(passed_arguments(options.flags));
  if (!machine)
    return tl::unexpected(machine.error());
  auto all = known_agents(*machine);
  if (options.agents.empty() && !options.project.empty())
    return std::vector{project_here(options.project, plan)};
  if (options.agents.empty()) {
    const auto names = names_of(all);
    std::erase_if(all, [](const agent& a) { return !is_installed(a); });
    if (all.empty())
      return tl::unexpected(user_error{"No agent was found in " + machine->home.string() +
                                       "; name those that you use: gasoline setup NAME, of " +
                                       names + "."});
    return all;
  }
  std::vector<agent> out;
  for (const auto& name : options.agents) {
    if (name == project_name && plan == plan_setup && options.project.empty())
      return tl::unexpected(user_error{
          "Say what is the project's own: gasoline setup project --origin http://localhost:3000, "
          "--service NAME or --ci HOST/PATH@BRANCH."});
    if (name == project_name) {
      out.push_back(project_here(options.project, plan));
      continue;
    }
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const agent& a) { return a.name == name; });
    if (found == all.end())
      return tl::unexpected(user_error{name + " is no agent that can be set up; known are " +
                                       names_of(all) + ", and project."});
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
  const auto agents = chosen_agents(options, plan);
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
