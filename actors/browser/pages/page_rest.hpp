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
#include <vector>

namespace gasoline {

/// What the frames of a page say of what is to come.
struct page_outlook {
  std::chrono::milliseconds due{}; ///< when the last of what they have put off is; 0: nothing is
  bool reads = false; ///< they may wait for the ends of answers that have begun to come
};

/// Nothing: some frame cannot tell.
using rest_then = std::function<void(std::optional<page_outlook>)>;

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
  /// within `within` from now, and of answers from the addresses `answered`.
  void ask(const page_ptr& page, std::chrono::milliseconds within,
           const std::vector<std::string>& answered, rest_then then);

 private:
  struct question;
  using question_ptr = std::shared_ptr<question>;

  void ask_all(const question_ptr& asked);
  std::chrono::milliseconds left_of(const question& asked) const;
  void ask_inner_frames(const question_ptr& asked);
  void ask_one(const question_ptr& asked, std::string_view session,
               const nlohmann::json& parameters, std::function<void(const question_ptr&)> then);

  browser_port& port_;
  page_table& table_;
  std::chrono::milliseconds quiet_; // after which what nobody knows the time of counts as over
  std::map<std::string, std::set<int>, std::less<>> contexts_; // of documents, by session
};

} // namespace gasoline
