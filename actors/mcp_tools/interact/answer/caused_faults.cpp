#include "actors/mcp_tools/interact/answer/caused_faults.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/frames/stack/frame_folding.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace gasoline {
namespace {

constexpr std::size_t faults_shown = 5;
constexpr std::size_t most_message_bytes = 160;
constexpr std::size_t most_detail_bytes = 100;

bool is_fault(const event& e) {
  return e.level == log_level::error || e.type == entry_type::exception || is_failed_request(e);
}

/// What one address of a page's own origin needs of it.
std::string_view short_address(const event& e) {
  const auto url = e.url.view();
  const auto origin = take_apart(url).origin;
  const auto page = take_apart(e.page.view()).origin;
  return !origin.empty() && origin == page ? url.substr(origin.size()) : url;
}

void add_cut(std::string& out, std::string_view text, std::size_t bytes) {
  const auto shown = utf8_beginning(text, bytes);
  out += shown;
  if (shown.size() < text.size())
    out += "…";
}

std::string request_line(const event& e) {
  std::string out = "failed: " + e.name.str() + ' ';
  add_cut(out, short_address(e), most_detail_bytes);
  if (e.status > 0)
    out += ' ' + std::to_string(e.status);
  if (!e.message.empty())
    add_cut(out.append(", "), first_line(e.message.view()), most_message_bytes);
  else if (const auto body = field_text(e.fields, "response_body"); !body.empty())
    add_cut(out.append(": "), first_line(body.view()), most_detail_bytes);
  return out;
}

std::string error_line(const event& e) {
  std::string out = "error: ";
  add_cut(out, first_line(e.message.view()), most_message_bytes);
  folding how{e.url.view()};
  how.own_frames = 1;
  const auto stack = folded_stack(e.stack.view(), how);
  const auto frame = std::string_view{stack}.substr(0, stack.find('\n'));
  if (const auto begin = frame.find_first_not_of(' '); begin != std::string_view::npos)
    out.append(" ").append(frame.substr(begin));
  return out;
}

} // namespace

std::string caused_faults(const store_page& page, std::string_view tab) {
  std::string out;
  std::size_t found = 0;
  const auto wanted = '"' + std::string{tab} + '"';
  for (auto group = page.groups.rbegin(); group != page.groups.rend(); ++group) {
    const auto& e = *group->newest;
    if (!is_fault(e) || field_json(e.fields.view(), "tab") != wanted)
      continue;
    if (++found > faults_shown)
      continue;
    auto line = is_request(e) ? request_line(e) : error_line(e);
    if (group->count > 1)
      line += " (" + std::to_string(group->count) + " times)";
    out.append(out.empty() ? "" : "\n").append(line);
  }
  if (found > faults_shown)
    out +=
        "\nand " + std::to_string(found - faults_shown) + R"( more: observe {"what":"timeline"})";
  make_presentable(out);
  return out;
}

} // namespace gasoline
