#include "actors/mcp/client/alert_waits.hpp"

#include <utility>

namespace gasoline {

std::uint64_t alert_waits::add(waiter then) {
  waiting_.emplace(++last_, std::move(then));
  return last_;
}

void alert_waits::wake(const alert_ptr& a) {
  // One that answers may wait again; it waits for the next alert.
  const auto told = std::exchange(waiting_, {});
  for (const auto& [wait, then] : told)
    then(a);
}

void alert_waits::close() {
  closed_ = true;
  wake(nullptr);
}

} // namespace gasoline
