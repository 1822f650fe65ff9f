#pragma once

#include "messages/base/identity/client_id.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What a page asks its user, and waits for.
struct page_dialog {
  std::string type; ///< alert, confirm, prompt, beforeunload
  std::string text;
};

/// One page of the browser: a tab, or a window that a page has opened.
struct browser_page {
  std::string handle; ///< `p1`; never used again
  std::string target;
  std::string session;
  std::string main_frame;
  std::string url;
  std::string title;
  std::string context;  ///< whose cookies and stores it has, by the browser's id
  std::string document; ///< the loader of what it shows: another one after each load
  client_id owner = 0;  ///< whose it is; 0: nobody's
  bool loading = false;
  bool crashed = false;
  bool told_by_script = false; ///< the page script runs in what it shows, and tells of it by itself
  std::optional<page_dialog> dialog;
  nlohmann::json dragged; ///< what the browser carries in a drag; null: nothing
  /// Who answers the dialog for files that a click opens; null: nobody waits for one.
  std::function<void(std::int64_t node, bool takes_many)> on_chooser;
};

using page_ptr = std::shared_ptr<browser_page>;

/// A way to one page, frame or worker.
struct browser_session {
  std::string id;
  std::string target;
  std::string type;      ///< page, iframe, worker, service_worker, …
  std::string url;       ///< of the worker's script or the frame's document
  std::string parent;    ///< the session that it came up in; empty: the browser
  page_ptr page;         ///< that it belongs to; null: none, as of service workers
  bool late = false;     ///< what it says now happened before it was followed
  std::string context{}; ///< whose cookies and stores a page has, by the browser's id
  /// Of a document that was there before it was followed, by its own clock in ms: when that began,
  /// and when its requests were asked for last. Negative: it was followed from its beginning.
  double followed_at = -1;
  double asked_at = -1;
  bool asking = false; ///< its requests are asked for again
};

/// The pages of a browser and the sessions in them. Decides nothing by time.
class page_table {
 public:
  /// A session has come up. Answers nothing when it is known already.
  browser_session* add(browser_session session);

  /// A session is gone, with those that came up in it. Answers their ids, itself first.
  std::vector<std::string> remove(std::string_view session);

  browser_session* session(std::string_view id);

  /// Pages with a session, the oldest first.
  const std::vector<page_ptr>& pages() const { return pages_; }

  page_ptr page_of(std::string_view session);
  page_ptr by_handle(std::string_view handle) const;
  page_ptr by_target(std::string_view target) const;

  /// The page that a client works in: the one that it has chosen last, while it is there.
  page_ptr current(client_id client) const;

  /// The newest page that nobody works in, and that shows something; null: there is none.
  page_ptr newest_of_nobody() const;

  /// Whether another client has a page with the cookies and stores that pages have at first.
  bool others_work_in_profile(client_id client) const;

  /// Makes the page the client's, and the one that it works in.
  void choose(client_id client, const page_ptr& page);

  /// What was the client's is nobody's.
  void forget(client_id client);

  std::size_t sessions() const { return sessions_.size(); }
  const std::map<std::string, browser_session, std::less<>>& all() const { return sessions_; }

  /// Nothing is there any more; handles go on counting.
  void clear();

 private:
  std::map<std::string, browser_session, std::less<>> sessions_;
  std::vector<page_ptr> pages_;
  std::map<client_id, std::string> current_; // target of the page
  std::string profile_;                      // the context of the first page
  std::uint64_t last_page_ = 0;
};

} // namespace gasoline
