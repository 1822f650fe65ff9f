#include "actors/browser/browser_core.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t most_elements = 10; // of one rule in one frame
/// A page of thousands of elements takes the rules seconds.
constexpr std::chrono::milliseconds rules_patience{20'000};

/// What the frames of a page told, as it comes together.
struct rule_findings {
  json rules = json::object(); ///< by name
  std::vector<std::string> problems;
  std::size_t frames = 0;
  std::size_t open = 0;
};

} // namespace

/// Elements get handles that `interact` takes.
void browser_core::take_findings(const page_world& world, const json& found, json& rules) {
  for (const auto& rule : found.value("rules", json::array())) {
    const auto name = rule.value("rule", std::string{});
    auto& known = rules[name];
    if (known.is_null()) {
      known = rule;
      known["count"] = 0;
      known["elements"] = json::array();
    }
    known["count"] = known["count"].get<std::size_t>() + rule.value("count", std::size_t{0});
    for (auto element : rule.value("elements", json::array())) {
      const auto handle = handle_text(world.number, element.value("n", std::uint64_t{0}));
      worlds_.worlds().remember(handle, {element.value("role", ""), element.value("name", "")});
      element.erase("n");
      element["element"] = handle;
      known["elements"].push_back(std::move(element));
    }
  }
}

void browser_core::check_accessibility(const action_run_ptr& run) {
  if (parts_.accessibility_rules.empty())
    return refuse(run, "This build has no axe-core: it is made without node and npm.");
  with_worlds(run, [this, run](const std::vector<page_world>& all) {
    const auto found = std::make_shared<rule_findings>();
    found->frames = found->open = all.size();
    for (const auto& world : all)
      check_frame(run, world, [this, run, world, found](const hands_answer& answer) {
        if (answer.problem.empty())
          take_findings(world, answer.value, found->rules);
        else
          found->problems.push_back(world.frame.url.substr(0, 120) + ": " + answer.problem);
        if (--found->open > 0 || run->over)
          return;
        json out{{"page", run->page->handle},
                 {"url", run->page->url},
                 {"frames", found->frames},
                 {"rules", json::array()},
                 {"problems", found->problems}};
        for (auto& [name, rule] : found->rules.items())
          out["rules"].push_back(std::move(rule));
        tell(run, dumped(out));
      });
  });
}

void browser_core::check_frame(const action_run_ptr& run, const page_world& world,
                               hands_then then) {
  const auto arguments = json::array({most_elements});
  worlds_.ask(
      world, "accessibility", arguments,
      [this, run, world, arguments, then = std::move(then)](const hands_answer& first) {
        if (run->over || !first.value.contains("wants_rules"))
          return then(first);
        worlds_.run(world, parts_.accessibility_rules,
                    [this, world, arguments, then](const hands_answer& put) {
                      if (!put.problem.empty())
                        return then(put);
                      worlds_.ask(world, "accessibility", arguments, then, rules_patience);
                    });
      },
      rules_patience);
}

} // namespace gasoline
