#include "actors/mcp_tools/generate/scripts/script_watch.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/mcp_tools/generate/generation/script_text.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::size_t most_text_bytes = 200;

void add_lines(std::string& out, std::string_view indent,
               std::initializer_list<std::string_view> lines) {
  for (const auto line : lines)
    out.append(indent).append(line).append("\n");
}

/// What is surely the same each time: objects that a page logs look different elsewhere.
std::string_view plain_beginning(const event& e, std::string_view line) {
  if (e.type != entry_type::console)
    return line;
  const auto end = line.find_first_of("{[");
  return end == std::string_view::npos || end < 8 ? line : line.substr(0, end);
}

std::string error_watch(const event& e, std::string_view indent) {
  const auto words = part_of(e.message, without_uncaught(e.message.view()));
  const auto line = normalised_line(words, most_text_bytes);
  std::string out;
  out.append(indent).append(
      "const fault = " + script_text_pattern(plain_beginning(e, line.view())) + ";\n");
  add_lines(out, indent,
            {"const note = (text) => fault.test(text) && seen.push(text.split(\"\\n\")[0]);",
             "// Of a value that is no error, its text is all that there is.",
             "page.context().on(\"weberror\", (thrown) => {",
             "  const { name, message } = thrown.error();",
             "  note(`${name}: ${message}`) || note(`${message}`);", "});",
             "page.context().on(\"console\", (message) => message.type() === \"error\" && "
             "note(message.text()));"});
  return out;
}

std::string request_watch(const event& e, std::string_view indent) {
  const auto url = request_url(e);
  const auto path = take_apart(url.view()).path;
  const auto method = method_of(e);
  constexpr std::size_t longest = 1024;
  const auto key = target_key(part_of(url, path.empty() ? url.view() : path), longest);
  std::string out;
  out.append(indent).append("const path = " + script_path_pattern(key.view()) + ";\n");
  out.append(indent).append("const is_it = (request) => request.method() === " +
                            script_string(method.empty() ? "GET" : method.view()) +
                            " && path.test(new URL(request.url()).pathname);\n");
  if (e.status > 0)
    out.append(indent)
        .append("page.context().on(\"response\", (answer) => is_it(answer.request()) && "
                "answer.status() === " +
                std::to_string(e.status))
        .append(" && seen.push(`${answer.status()} ${answer.url()}`));\n");
  else
    add_lines(out, indent,
              {"page.context().on(\"requestfailed\", (request) => is_it(request) && "
               "seen.push(`no answer: ${request.url()}`));"});
  return out;
}

} // namespace

std::string script_watch(const fault& f, std::string_view indent) {
  return is_request(*f.newest) ? request_watch(*f.newest, indent) : error_watch(*f.newest, indent);
}

} // namespace gasoline
