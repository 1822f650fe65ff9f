#include "actors/browser/pages/page_rest.hpp"

#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// Of a page with more frames in one process than that it is not known what they have put off.
constexpr std::size_t most_contexts = 50;

/// A page whose scripts let nothing else run for so long does not tell.
constexpr milliseconds patience{1'000};

/// A call of what `own/rest.js` has put there; nothing where it has not.
std::string call_text(std::string_view name, milliseconds within, milliseconds quiet,
                      const json& answered) {
  return "globalThis[\"gasoline." + std::string{name} + "\"]?.(" + std::to_string(within.count()) +
         ',' + std::to_string(quiet.count()) + ',' + dumped(answered) + ")";
}

} // namespace

/// One page that is being asked.
struct page_rest::question {
  page_ptr page;
  milliseconds within{};
  json answered;
  mono_time begun{};
  int rounds = 0;
  std::size_t open = 0;
  double due = 0; ///< of those that have answered
  bool reads = false;
  bool is_known = true;
  rest_then then;

  std::optional<page_outlook> answer() const {
    if (!is_known)
      return std::nullopt;
    return page_outlook{milliseconds{std::llround(std::ceil(due))}, reads};
  }
};

void page_rest::context_came(std::string_view session, const simdjson::dom::element& event) {
  if (!flag_at(event, "/context/auxData/isDefault"))
    return;
  auto& known = contexts_[std::string{session}];
  if (known.size() <= most_contexts)
    known.insert(static_cast<int>(number_at(event, "/context/id")));
}

void page_rest::context_gone(std::string_view session, int context) {
  if (const auto known = contexts_.find(session); known != contexts_.end())
    known->second.erase(context);
}

void page_rest::session_gone(std::string_view session) {
  if (const auto known = contexts_.find(session); known != contexts_.end())
    contexts_.erase(known);
}

void page_rest::ask(const page_ptr& page, milliseconds within,
                    const std::vector<std::string>& answered, rest_then then) {
  const auto asked = std::make_shared<question>();
  asked->page = page;
  asked->within = within;
  asked->answered = answered;
  asked->begun = port_.self()->clock().now();
  asked->then = std::move(then);
  ask_all(asked);
}

/// Where frames are in several processes a second time: what one sends the other is on its way in
/// the first.
void page_rest::ask_all(const question_ptr& asked) {
  std::vector<std::string> sessions;
  for (const auto& [id, session] : table_.all())
    if (session.page == asked->page && (session.type == "page" || session.type == "iframe"))
      sessions.push_back(id);
  ++asked->rounds;
  asked->open = sessions.size();
  asked->due = 0;
  asked->reads = false;
  const bool is_last = sessions.size() < 2 || asked->rounds > 1;
  const auto question = call_text("rest", left_of(*asked), quiet_, asked->answered);
  for (const auto& session : sessions)
    ask_one(asked, session,
            {{"expression", question}, {"awaitPromise", true}, {"returnByValue", true}},
            [this, is_last](const question_ptr& done) {
              if (is_last || !done->is_known)
                ask_inner_frames(done);
              else
                ask_all(done);
            });
}

/// Of the time in which something may be due.
milliseconds page_rest::left_of(const question& asked) const {
  const auto passed =
      std::chrono::duration_cast<milliseconds>(port_.self()->clock().now() - asked.begun);
  return std::max(asked.within - passed, milliseconds{0});
}

/// Frames within others of the same process: what is drawn and what is ready to run they share.
void page_rest::ask_inner_frames(const question_ptr& asked) {
  std::vector<std::pair<std::string, int>> all;
  for (const auto& [session, contexts] : contexts_)
    if (contexts.size() > 1 && table_.page_of(session) == asked->page) {
      asked->is_known = asked->is_known && contexts.size() <= most_contexts;
      for (const auto context : contexts)
        all.emplace_back(session, context);
    }
  if (all.empty() || !asked->is_known)
    return asked->then(asked->answer());
  const auto question = call_text("outlook", left_of(*asked), quiet_, asked->answered);
  asked->open = all.size();
  for (const auto& [session, context] : all)
    ask_one(asked, session,
            {{"expression", question}, {"contextId", context}, {"returnByValue", true}},
            [](const question_ptr& done) { done->then(done->answer()); });
}

/// `then` comes with the last of the answers that are open.
void page_rest::ask_one(const question_ptr& asked, std::string_view session, const json& parameters,
                        std::function<void(const question_ptr&)> then) {
  port_.call(
      session, "Runtime.evaluate", parameters,
      [asked, then = std::move(then)](const cdp_outcome& outcome) {
        // What a page answers may be anything.
        const auto due = outcome.ok ? value_at(outcome.result, "/result/value/due") : std::nullopt;
        const auto ms =
            due && due->is_number() ? number_at(outcome.result, "/result/value/due") : -1;
        asked->is_known = asked->is_known && ms >= 0;
        const auto most = static_cast<double>(asked->within.count());
        asked->due = std::min(std::max(asked->due, ms), most);
        asked->reads =
            asked->reads || (outcome.ok && flag_at(outcome.result, "/result/value/reads"));
        if (--asked->open == 0)
          then(asked);
      },
      patience);
}

} // namespace gasoline
