#include "actors/mcp_tools/configure/mark_action.hpp"

#include "actors/base/age_text.hpp"
#include "actors/mcp_tools/tool/mark_list.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/mark.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t name_bytes = 64;

constexpr std::size_t most_listed = 50;

struct mark_call {
  std::string name; ///< empty: they are listed
};

bool begins_like_a_noted_one(const std::string& name) {
  for (const std::string_view word : {"reload ", "build ", "commit ", "checkout "})
    if (name.rfind(word, 0) == 0)
      return true;
  return false;
}

/// A name must not read as a time, or as that of a mark that is set by itself, or nobody could tell
/// which of the two is meant.
void check_name(tool_arguments& arguments, const mark_call& call) {
  if (call.name.size() > name_bytes)
    arguments.fail("name may have at most " + std::to_string(name_bytes) + " bytes.");
  if (call.name == "reload" || call.name == "build" || call.name == "commit" ||
      begins_like_a_noted_one(call.name) || from_iso8601(call.name) || parse_age(call.name))
    arguments.fail("name must not be reload, build, commit, a time or an age: analyze reads those "
                   "as what they say. Use a word such as before_fix.");
}

std::string mark_item(const telemetry_mark& mark) {
  std::string out;
  json_object_writer w{out};
  w.text("name", mark.name).text("at", to_iso8601(mark.at));
  if (!mark.about.empty())
    w.text("about", mark.about);
  w.close();
  return out;
}

std::string mark_listing(const telemetry_marks& marks) {
  std::string items;
  std::size_t shown = 0;
  for (auto mark = marks.rbegin(); mark != marks.rend() && shown < most_listed; ++mark)
    items += (shown++ == 0 ? "" : ",") + mark_item(*mark);
  std::string out;
  json_object_writer w{out};
  w.raw("marks", "[" + items + "]").number("total", std::uint64_t{marks.size()});
  w.text("note", outside_text_label);
  w.close();
  return out;
}

void tell_marks(const tool_call& call) {
  list_marks(call, [call](const telemetry_marks& marks) {
    call.answer(text_result(mark_listing(marks)));
  });
}

void set_mark(const tool_call& call, mark_call asked) {
  if (asked.name.empty())
    return tell_marks(call);
  telemetry_mark mark{call.redacted(asked.name), call.wall_now(), mark_kind::named, {}, {}};
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
  parameters.text("name", &mark_call::name);
  parameters.check(check_name);
  return make_mode("mark",
                   "names this point in time, for analyze diff; without a name it lists them",
                   std::move(parameters), set_mark);
}

} // namespace gasoline
