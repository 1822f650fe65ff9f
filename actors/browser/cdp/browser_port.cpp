#include "actors/browser/cdp/browser_port.hpp"

#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

constexpr std::chrono::milliseconds finest_look{20};

std::string command_text(std::uint64_t id, std::string_view session, std::string_view method,
                         const nlohmann::json& parameters) {
  std::string out;
  json_object_writer w{out};
  w.number("id", id).text("method", method);
  if (!parameters.empty())
    w.raw("params", dumped(parameters));
  if (!session.empty())
    w.text("sessionId", session);
  w.close();
  return out;
}

} // namespace

void browser_port::use(std::shared_ptr<browser_link> link) {
  if (link_)
    dropped_ += link_->dropped();
  link_ = std::move(link);
  if (!link_)
    session_gone({});
}

void browser_port::call(std::string_view session, std::string_view method,
                        const nlohmann::json& parameters, cdp_then then,
                        std::chrono::milliseconds patience) {
  if (!link_)
    return then({false, "the browser is gone", {}});
  if (patience.count() == 0)
    patience = std::chrono::milliseconds{limit_.browser.call_ms};
  const auto id =
      calls_.add(std::string{session}, self_->clock().now() + patience, std::move(then));
  link_->send(command_text(id, session, method, parameters));
  watch_deadlines();
}

void browser_port::tell(std::string_view session, std::string_view method,
                        const nlohmann::json& parameters) {
  call(session, method, parameters, [](const cdp_outcome&) {});
}

void browser_port::answered(const cdp_message& message) {
  const auto then = calls_.take(message.id);
  if (!then)
    return;
  if (message.problem.empty())
    (*then)({true, {}, message.content});
  else
    (*then)({false, std::string{message.problem}, {}});
}

void browser_port::session_gone(std::string_view session) {
  for (const auto& then : calls_.of_session(session))
    then({false, "the page is gone", {}});
}

/// A later command may have to be answered before those that are watched already.
void browser_port::watch_deadlines() {
  const auto next = calls_.next_deadline();
  if (!next || (watch_end_ && *watch_end_ <= *next))
    return;
  timers_.stop(self_, std::exchange(watch_, 0));
  watch_end_ = *next;
  const auto rest = *next - self_->clock().now();
  watch_ = timers_.start(self_, std::max<std::chrono::nanoseconds>(rest, finest_look), [this] {
    watch_ = 0;
    watch_end_.reset();
    end_overdue();
    watch_deadlines();
  });
}

void browser_port::end_overdue() {
  for (const auto& then : calls_.overdue(self_->clock().now())) {
    ++unanswered_;
    then({false, "the browser did not answer in time", {}});
  }
}

} // namespace gasoline
