#pragma once

#include "actors/browser/cdp/browser_port.hpp"
#include "actors/browser/pages/page_table.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gasoline {

/// When the last of what a page has put off is due: in so many ms, 0: nothing is; nothing: some
/// frame of it cannot tell.
using rest_then = std::function<void(std::optional<std::chrono::milliseconds> due)>;

/// Asks the frames of pages what they have put off (`own/rest.js`). Used by its actor alone.
class page_rest {
 public:
  page_rest(browser_port& port, page_table& table, const limits_of<browser_room>& limit)
      : port_(port), table_(table), quiet_(limit.browser.quiet_ms) {}

  // What the browser says of the contexts in which a session's documents run.
  void context_came(std::string_view session, const simdjson::dom::element& event);
  void context_gone(std::string_view session, int context);
  void session_gone(std::string_view session);
  void clear() { contexts_.clear(); }

  /// Answers when two frames were drawn and all that was ready to run has run; of what is due
  /// within `within` from now.
  void ask(const page_ptr& page, std::chrono::milliseconds within, rest_then then);

 private:
  struct question;
  using question_ptr = std::shared_ptr<question>;

  void ask_inner_frames(const question_ptr& asked);
  void ask_one(const question_ptr& asked, std::string_view session, nlohmann::json parameters,
               std::function<void(const question_ptr&)> then);

  browser_port& port_;
  page_table& table_;
  std::chrono::milliseconds quiet_; // after which what nobody knows the time of counts as over
  std::map<std::string, std::set<int>, std::less<>> contexts_; // of documents, by session
};

} // namespace gasoline
