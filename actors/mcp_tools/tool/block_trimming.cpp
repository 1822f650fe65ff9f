#include "actors/mcp_tools/tool/block_trimming.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gasoline {
namespace {

using ordered_document = nlohmann::ordered_json;

/// What browsers and detectors put before the words of a page.
std::string_view own_words(std::string_view title) {
  for (const std::string_view start :
       {"Uncaught ", "Unhandled rejection: ", "Unhandled Promise Rejection: "})
    if (title.starts_with(start))
      title.remove_prefix(start.size());
  return title;
}

/// The text as it stands within a JSON string.
std::string escaped(std::string_view text) {
  const auto quoted =
      ordered_document(text).dump(-1, ' ', false, ordered_document::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

std::string_view path_of(std::string_view url) {
  const auto mark = url.find("://");
  const auto slash = mark == std::string_view::npos ? url.find('/') : url.find('/', mark + 3);
  return slash == std::string_view::npos ? std::string_view{} : url.substr(slash);
}

/// Whether an answer, of JSON or of plain lines, holds the text.
bool holds(std::string_view answer, std::string_view text) {
  return answer.find(text) != std::string_view::npos ||
         answer.find(escaped(text)) != std::string_view::npos;
}

bool is_told(const ordered_document& alert, std::string_view answer) {
  if (!alert.value("page_data", false))
    return false;
  const auto kind = alert.value("kind", std::string{});
  if (kind == "errors")
    return holds(answer, own_words(alert.value("title", std::string{})));
  const auto url = alert.value("url", std::string{});
  const auto path = path_of(url);
  const bool tells_requests = answer.find("\"status\":") != std::string_view::npos ||
                              answer.find("failed: ") != std::string_view::npos;
  return kind == "network_errors" && path.size() > 1 && tells_requests && holds(answer, path);
}

} // namespace

std::string without_repeats(const std::string& block, std::string_view answer) {
  const auto begin = block.rfind('\n') + 1;
  auto alerts = ordered_document::parse(block.begin() + static_cast<std::ptrdiff_t>(begin),
                                        block.end(), nullptr, false);
  if (!alerts.is_array())
    return block;
  bool any = false;
  for (auto& alert : alerts) {
    if (!alert.is_object() || !is_told(alert, answer))
      continue;
    for (const char* key : {"detail", "next", "url", "kind", "correlation_id"})
      alert.erase(key);
    any = true;
  }
  if (!any)
    return block;
  return block.substr(0, begin) +
         alerts.dump(-1, ' ', false, ordered_document::error_handler_t::replace);
}

} // namespace gasoline
