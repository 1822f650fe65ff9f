#include "actors/browser/actions/emulation.hpp"
#include "actors/browser/browser_core.hpp"

#include <memory>
#include <utility>

namespace gasoline {

/// What is named changes and stays so until it is named again; without any, all is as usual. The
/// page's frames in other processes are told as well.
void browser_core::emulate(const action_run_ptr& run) {
  const auto commands = emulation_of(run->asked->fields);
  if (!commands)
    return refuse(run, commands.error().message);
  std::vector<std::string> sessions;
  for (const auto& [id, session] : table_.all())
    if (session.page == run->page && (session.type == "page" || session.type == "iframe"))
      sessions.push_back(id);
  const auto open = std::make_shared<std::size_t>(sessions.size() * commands->size());
  run->did = emulation_text(run->asked->fields);
  for (const auto& session : sessions)
    for (const auto& command : *commands) {
      const bool is_own = session == run->page->session;
      port_.call(session, command.method, command.parameters,
                 [this, run, open, is_own](const cdp_outcome& outcome) {
                   --*open;
                   if (run->over)
                     return;
                   if (!outcome.ok && is_own) // frames do not take all of them
                     return refuse(run, "The browser does not do that: " + outcome.problem + ".");
                   if (*open == 0)
                     settle(run);
                 });
    }
}

} // namespace gasoline
