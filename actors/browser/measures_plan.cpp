#include "actors/browser/browser_core.hpp"
#include "messages/base/json/json_text.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;

/// Tenths of milliseconds and of thousandths say nothing.
void round_numbers(json& value) {
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    value = std::round(number * 1000) / 1000;
  }
  if (value.is_structured())
    for (auto& member : value)
      round_numbers(member);
}

/// A handle in place of the number of an element.
void give_handle(json& item, std::uint64_t world) {
  if (!item.is_object() || !item.contains("n"))
    return;
  item["element"] = handle_text(world, item.at("n").get<std::uint64_t>());
  item.erase("n");
}

} // namespace

/// Of the page's own document: what frames measure does not hold up the page.
void browser_core::tell_measures(const action_run_ptr& run) {
  with_worlds(run, [this, run](const std::vector<page_world>& all) {
    const auto world = all.front();
    worlds_.ask(world, "measures", json::array(), [this, run, world](const hands_answer& answer) {
      if (run->over)
        return;
      if (!answer.problem.empty())
        return refuse(run, "The page told nothing of its speed: " + answer.problem + ".");
      auto told = answer.value;
      if (told.contains("lcp"))
        give_handle(told["lcp"], world.number);
      for (auto& item : told["shifts"])
        give_handle(item, world.number);
      round_numbers(told);
      told["page"] = run->page->handle;
      told["url"] = run->page->url;
      tell(run, dumped(told));
    });
  });
}

} // namespace gasoline
