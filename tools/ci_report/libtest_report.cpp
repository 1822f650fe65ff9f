#include "messages/base/json/json_text.hpp"
#include "tools/ci_report/report_lines.hpp"
#include "tools/ci_report/report_readers.hpp"
#include "tools/ci_report/telling_part.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gasoline {
namespace {

constexpr std::size_t libtest_nesting = 8;

std::string libtest_text(const nlohmann::json& event, const char* name) {
  const auto found = event.find(name);
  return found != event.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

} // namespace

result_or<bool> read_libtest(std::istream& in, test_report& out) {
  bool any = false;
  for (std::string line; read_report_line(in, line);) {
    if (line.empty() || line.front() != '{' || json_nesting(line) > libtest_nesting)
      continue;
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object() || libtest_text(event, "type") != "test")
      continue;
    const auto name = libtest_text(event, "name");
    const auto how = libtest_text(event, "event");
    any = true;
    if (how == "ok")
      out.add(name, test_outcome::passed);
    else if (how == "ignored")
      out.add(name, test_outcome::skipped);
    else if (how == "failed" || how == "timeout")
      out.add(name, test_outcome::failed, telling_part(libtest_text(event, "stdout")));
  }
  if (!any)
    return tl::unexpected(user_error{"holds no results of Rust tests"});
  return true;
}

} // namespace gasoline
