#include "messages/base/atoms.hpp"
#include "messages/base/spawned_alone.hpp"
#include "transport/loop_scheduler.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <caf/all.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace gasoline {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

/// An actor system on a loop that the test's own thread runs.
class looped_system {
 public:
  looped_system() {
    loop_scheduler::install(config_, io_);
    system_.emplace(config_);
  }

  /// The system waits for its actors, which run only while the loop does.
  ~looped_system() {
    run_until([this] { return system_->registry().running() == 0; });
  }

  void run_until(const std::function<bool()>& done) {
    while (!done())
      io_.run_one();
  }

  /// An actor that notes the numbers that it is sent.
  caf::actor notes(std::vector<int>& into) {
    return system_->spawn(
        [&into](caf::event_based_actor*, spawned_alone) -> caf::behavior {
          return {[&into](int n) { into.push_back(n); }};
        },
        spawned_alone{});
  }

  caf::actor_system& system() { return *system_; }

 private:
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(io_);
  caf::actor_system_config config_;
  std::optional<caf::actor_system> system_;
};

} // namespace

TEST_CASE("delayed messages arrive in the order in which they are due") {
  looped_system looped;
  std::vector<int> seen;
  const auto notes = looped.notes(seen);
  // Both are scheduled before the loop looks at its timers, however slow the machine is.
  caf::delayed_anon_send(notes, milliseconds{4}, 2);
  caf::delayed_anon_send(notes, milliseconds{2}, 1);
  looped.run_until([&] { return seen.size() == 2; });
  looped.system().spawn(
      [notes](caf::event_based_actor* self, spawned_alone) {
        self->delayed_send(notes, milliseconds{4}, 4);
        self->delayed_send(notes, hours{1}, 5);
        self->delayed_send(notes, milliseconds{2}, 3);
      },
      spawned_alone{});
  looped.run_until([&] { return seen.size() == 4; });
  CHECK(seen == std::vector<int>{1, 2, 3, 4});
  caf::anon_send_exit(notes, caf::exit_reason::user_shutdown);
}

TEST_CASE("a request that nobody answers ends with a timeout, one that is answered does not") {
  looped_system looped;
  std::vector<int> outcomes;
  std::vector<caf::response_promise> kept;
  const auto slow = looped.system().spawn(
      [&kept](caf::event_based_actor* self, spawned_alone) -> caf::behavior {
        return {[&kept, self](int n) -> caf::result<int> {
          auto promise = self->make_response_promise<int>();
          if (n == 1)
            promise.deliver(n);
          else
            kept.push_back(promise);
          return promise;
        }};
      },
      spawned_alone{});
  looped.system().spawn(
      [slow, &outcomes](caf::event_based_actor* self, spawned_alone) {
        for (const int n : {2, 1})
          self->request(slow,
                        n == 1 ? caf::duration{std::chrono::seconds{3600}}
                               : caf::duration{milliseconds{3}},
                        n)
              .then([&outcomes](int answer) { outcomes.push_back(answer); },
                    [&outcomes](const caf::error& why) {
                      outcomes.push_back(why == caf::sec::request_timeout ? -1 : -2);
                    });
      },
      spawned_alone{});
  looped.run_until([&] { return outcomes.size() == 2; });
  CHECK(outcomes == std::vector<int>{1, -1});
  caf::anon_send_exit(slow, caf::exit_reason::user_shutdown);
}

TEST_CASE("a receive timeout is moved by each message") {
  looped_system looped;
  std::vector<int> seen;
  const auto idle = looped.system().spawn(
      [&seen](caf::event_based_actor* self, spawned_alone) -> caf::behavior {
        return {[&seen](int n) { seen.push_back(n); }, caf::after(milliseconds{5}) >>
                                                           [&seen, self] {
                                                             seen.push_back(0);
                                                             self->quit();
                                                           }};
      },
      spawned_alone{});
  caf::delayed_anon_send(idle, milliseconds{2}, 1);
  caf::delayed_anon_send(idle, milliseconds{4}, 2);
  looped.run_until([&] { return !seen.empty() && seen.back() == 0; });
  CHECK(seen == std::vector<int>{1, 2, 0});
}

} // namespace gasoline
