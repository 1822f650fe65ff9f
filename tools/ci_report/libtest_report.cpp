#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"
#include "tools/ci_report/report_lines.hpp"
#include "tools/ci_report/report_readers.hpp"
#include "tools/ci_report/telling_part.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gasoline {
namespace {

constexpr std::size_t libtest_nesting = 8;

} // namespace

result_or<bool> read_libtest(std::istream& in, test_report& out) {
  bool any = false;
  for (std::string line; read_report_line(in, line);) {
    if (line.empty() || line.front() != '{' || json_nesting(line) > libtest_nesting)
      continue;
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || text_member(event, "type") != "test")
      continue;
    const auto name = text_member(event, "name");
    const auto how = text_member(event, "event");
    any = true;
    if (how == "ok")
      out.add(name, test_outcome::passed);
    else if (how == "ignored")
      out.add(name, test_outcome::skipped);
    else if (how == "failed" || how == "timeout")
      out.add(name, test_outcome::failed, telling_part(text_member(event, "stdout")));
  }
  if (!any)
    return tl::unexpected(user_error{"holds no results of Rust tests"});
  return true;
}

} // namespace gasoline
