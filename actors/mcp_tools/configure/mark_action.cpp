#include "actors/mcp_tools/configure/mark_action.hpp"

#include "actors/mcp_tools/tool/age_text.hpp"
#include "messages/base/json_text.hpp"
#include "messages/telemetry/mark.hpp"

#include <string>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t name_bytes = 64;

struct mark_call {
  std::string name;
};

/// A name must not read as a time, or nobody could tell which of the two is meant.
void check_name(tool_arguments& arguments, const mark_call& call) {
  if (call.name.size() > name_bytes)
    arguments.fail("name may have at most " + std::to_string(name_bytes) + " bytes.");
  if (call.name == "reload" || call.name == "build" || from_iso8601(call.name) ||
      parse_age(call.name))
    arguments.fail("name must not be reload, build, a time or an age: analyze reads those as what "
                   "they say. Use a word such as before_fix.");
}

void set_mark(const tool_call& call, mark_call asked) {
  telemetry_mark mark{call.redacted(asked.name), call.wall_now()};
  auto name = mark.name;
  call.ask_engine<telemetry_marks>(
      call.engine().marks,
      [call, name = std::move(name)](const telemetry_marks& marks) {
        std::string out;
        json_object_writer w{out};
        w.text("status", "marked").text("name", name);
        w.text("at", to_iso8601(marks.back().at)).number("marks", std::uint64_t{marks.size()});
        w.text("next", R"(analyze {"what":"diff","since":)" + dumped(name) + "}");
        w.close();
        call.answer(text_result(std::move(out)));
      },
      mark_atom_v, std::move(mark));
}

} // namespace

tool_mode mark_action() {
  tool_parameters<mark_call> parameters;
  parameters.text("name", &mark_call::name)
      .needed(": a word for this point in time, such as before_fix.")
      .about("mark: what to call this point in time");
  parameters.check(check_name);
  return make_mode("mark", "names this point in time, for analyze diff", std::move(parameters),
                   set_mark);
}

} // namespace gasoline
