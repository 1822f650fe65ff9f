#include "actors/mcp_tools/configure/scope_action.hpp"

#include "messages/alerts/scope_change.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

using list = std::optional<std::vector<std::string>>;

void add_list(tool_parameters<scope_change>& out, std::string_view name, list scope_change::*place,
              std::string_view about) {
  out.add(name, {{"type", "array"}, {"items", {{"type", "string"}}}},
          [place](tool_arguments& arguments, std::string_view given, scope_change& change) {
            auto texts = arguments.texts(given);
            const bool any = texts.has_value();
            if (any)
              change.*place = std::move(texts);
            return any;
          })
      .about(about);
}

tool_parameters<scope_change> scope_parameters() {
  tool_parameters<scope_change> out;
  add_list(out, "origins", &scope_change::origins, "Of its pages; [] forgets them");
  add_list(out, "services", &scope_change::services, "Names of its programs");
  add_list(out, "ci", &scope_change::ci, "CI sources or host/path@branch");
  return out;
}

void change_scope(const tool_call& call, scope_change change) {
  call.ask_engine<command_answer>(
      call.engine().alerts,
      [call](const command_answer& answer) {
        call.answer(answer.is_error ? error_result(answer.text) : text_result(answer.text));
      },
      scope_atom_v, call.client(), std::move(change));
}

} // namespace

tool_mode scope_action() {
  return make_mode("scope", "which alerts are of this project; writes .gasoline.json",
                   scope_parameters(), change_scope);
}

} // namespace gasoline
