#include "actors/browser/actions/action_rights.hpp"
#include "actors/browser/browser_core.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// A page of nobody's, or of the client's own.
bool is_within_reach(const browser_page& page, client_id client) {
  return page.owner == 0 || page.owner == client;
}

} // namespace

/// What is done with pages as a whole; none has to be there.
void browser_core::change_tabs(const action_run_ptr& run) {
  const auto& asked = *run->asked;
  if (asked.tabs == tab_change::list)
    return tell(run, tab_lines(asked.client));
  if (asked.tabs == tab_change::open) {
    const auto address = meant_address(asked.url);
    if (auto refusal = refusal_of(address, parts_.settings.origins))
      return refuse(run, std::move(*refusal));
    return open_page(run);
  }
  const auto page =
      asked.page.empty() ? table_.current(asked.client) : table_.by_handle(asked.page);
  if (!page || !is_within_reach(*page, asked.client))
    return refuse(run, "There is no such page of yours. Pages:\n" + tab_lines(asked.client));
  if (asked.tabs == tab_change::choose) {
    table_.choose(asked.client, page);
    port_.tell({}, "Target.activateTarget", {{"targetId", page->target}});
    return tell(run, "you work in " + page->handle + ' ' + page->url);
  }
  port_.call(
      {}, "Target.closeTarget", {{"targetId", page->target}},
      [this, run, handle = page->handle, session = page->session](const cdp_outcome& outcome) {
        if (!outcome.ok)
          return refuse(run, handle + " was not closed: " + outcome.problem + ".");
        detached(session); // its news may come later than this answer
        tell(run, "closed " + handle);
      });
}

std::string browser_core::tab_lines(client_id client) const {
  std::string out;
  const auto current = table_.current(client);
  for (const auto& page : table_.pages()) {
    if (!is_within_reach(*page, client))
      continue;
    out += (out.empty() ? "" : "\n") + page->handle + ' ' + page->url;
    if (!page->title.empty())
      out += ' ' + page_quote(page->title);
    if (page == current)
      out += ", yours";
    if (page->crashed)
      out += ", crashed";
    if (page->dialog)
      out += ", a dialog is open";
  }
  return out.empty() ? "no page is open; navigate opens one" : out;
}

} // namespace gasoline
