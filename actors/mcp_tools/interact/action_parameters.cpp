#include "actors/mcp_tools/interact/action_parameters.hpp"

#include "actors/mcp_tools/interact/action_answer.hpp"

#include <utility>

namespace gasoline {
namespace {

constexpr std::uint64_t longest_ms = 120'000;

} // namespace

tool_parameters<browser_action> action_parameters(browser_verb verb) {
  browser_action usual;
  usual.verb = verb;
  tool_parameters<browser_action> out{std::move(usual)};
  out.text("page", &browser_action::page).about("Handle such as p1; default: your page");
  out.integer("timeout_ms", &browser_action::timeout, 1, longest_ms);
  return out;
}

tool_mode browser_mode(std::string_view name, std::string_view about,
                       tool_parameters<browser_action> parameters) {
  return make_mode(name, about, std::move(parameters), run_action);
}

} // namespace gasoline
