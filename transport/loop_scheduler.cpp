#include "transport/loop_scheduler.hpp"

#include <boost/asio/post.hpp>

#include <chrono>
#include <cstddef>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;

/// After so many jobs, or so long, the sockets get their turn.
constexpr std::size_t jobs_per_burst = 64;
constexpr std::chrono::microseconds longest_burst{500};

} // namespace

void loop_scheduler::install(caf::actor_system_config& config, asio::io_context& io) {
  config.module_factories.emplace_back(
      [&io](caf::actor_system& system) -> caf::actor_system::module* {
        return new loop_scheduler(system, io);
      });
}

loop_scheduler::loop_scheduler(caf::actor_system& system, asio::io_context& io)
    : abstract_coordinator(system), io_(io), unit_(*this), clock_(io) {}

void loop_scheduler::stop() {
  // The thread of the loop has ended, so what it left is finished here.
  io_.restart();
  io_.poll();
  stop_actors();
  clock_.cancel_all();
  for (auto* job : std::exchange(jobs_, {}))
    cleanup_and_release(job);
}

void loop_scheduler::enqueue(caf::resumable* job) {
  if (io_.get_executor().running_in_this_thread()) {
    add(job);
    return;
  }
  asio::post(io_, [this, job] {
    jobs_.push_back(job);
    if (!burst_due_)
      run_burst();
  });
}

void loop_scheduler::add(caf::resumable* job) {
  jobs_.push_back(job);
  if (std::exchange(burst_due_, true))
    return;
  asio::post(io_, [this] { run_burst(); });
}

void loop_scheduler::run_burst() {
  burst_due_ = true; // what is added meanwhile is taken by this loop
  const auto end = std::chrono::steady_clock::now() + longest_burst;
  for (std::size_t n = 0; n < jobs_per_burst && !jobs_.empty(); ++n) {
    if (n > 0 && std::chrono::steady_clock::now() >= end)
      break;
    auto* job = jobs_.front();
    jobs_.pop_front();
    switch (job->resume(&unit_, max_throughput())) {
    case caf::resumable::resume_later:
      jobs_.push_back(job);
      break;
    case caf::resumable::done:
    case caf::resumable::awaiting_message:
    case caf::resumable::shutdown_execution_unit:
      caf::intrusive_ptr_release(job);
      break;
    }
  }
  burst_due_ = !jobs_.empty();
  if (burst_due_)
    asio::post(io_, [this] { run_burst(); });
}

} // namespace gasoline
