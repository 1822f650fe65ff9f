#include "actors/browser/entries/issue_entries.hpp"

#include "actors/browser/cdp/cdp_message.hpp"

#include <optional>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

struct issue_words {
  std::string_view level;
  std::string_view type;
  std::string message;
  std::string_view code;
  std::string_view url; ///< of what it is about; empty: not told
};

/// Texts of a list, separated by commas.
std::string joined(const dom::element& in, std::string_view place) {
  std::string out;
  if (const auto list = list_at(in, place))
    for (const auto each : *list) {
      std::string_view text;
      if (each.get_string().get(text) == simdjson::SUCCESS)
        out.append(out.empty() ? "" : ", ").append(text);
    }
  return out;
}

std::optional<issue_words> mixed_content(const dom::element& details) {
  const auto url = text_at(details, "/mixedContentIssueDetails/insecureURL");
  const auto status = text_at(details, "/mixedContentIssueDetails/resolutionStatus");
  return issue_words{status == "MixedContentBlocked" ? "error" : "warn", "security",
                     "Mixed content: " + std::string{url} + " (" + std::string{status} + ")",
                     "MixedContentIssue", url};
}

/// A cookie that was left out is told by its name; of what it holds nothing is.
std::optional<issue_words> cookie(const dom::element& details) {
  const auto excluded = joined(details, "/cookieIssueDetails/cookieExclusionReasons");
  const auto warned = joined(details, "/cookieIssueDetails/cookieWarningReasons");
  if (excluded.empty() && warned.empty())
    return std::nullopt;
  auto name = text_at(details, "/cookieIssueDetails/cookie/name");
  if (name.empty()) {
    const auto line = text_at(details, "/cookieIssueDetails/rawCookieLine");
    name = line.substr(0, line.find('='));
  }
  std::string message = "Cookie ";
  message += name;
  if (text_at(details, "/cookieIssueDetails/operation") == "SetCookie")
    message += excluded.empty() ? " was set" : " was not set";
  else
    message += excluded.empty() ? " was sent" : " was not sent";
  message += ": " + (excluded.empty() ? warned : excluded);
  return issue_words{excluded.empty() ? "info" : "warn", "console", std::move(message),
                     "CookieIssue", text_at(details, "/cookieIssueDetails/cookieUrl")};
}

} // namespace

std::string issue_entry(const dom::element& event, const entry_place& place,
                        const std::string& now) {
  const auto code = text_at(event, "/issue/code");
  const auto details = value_at(event, "/issue/details");
  if (!details)
    return {};
  const auto words = code == "MixedContentIssue" ? mixed_content(*details)
                     : code == "CookieIssue"     ? cookie(*details)
                                                 : std::nullopt;
  if (!words)
    return {};
  std::string out;
  json_object_writer w{out};
  w.text("ts", now).text("level", words->level).text("type", words->type);
  w.text("message", words->message).text("issue", words->code);
  if (!words->url.empty())
    w.text("blocked_url", words->url);
  add_place(w, place);
  w.close();
  return out;
}

} // namespace gasoline
