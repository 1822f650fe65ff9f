#include "tools/engine/apart_worker.hpp"

#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace gasoline {

void apart_worker::run(std::function<void()> work, std::function<void()> then) {
  if (has_ended_) {
    work();
    then();
    return;
  }
  if (!worker_)
    worker_ = system_.spawn<caf::detached>(side_worker, side_worker_life::with_owner);
  caf::anon_send(worker_, write_atom_v,
                 std::make_shared<const side_work>(
                     [work = std::move(work), then = std::move(then), &io = io_] {
                       work();
                       boost::asio::post(io, then);
                     }));
}

void apart_worker::end() {
  has_ended_ = true;
  if (worker_)
    caf::anon_send_exit(worker_, caf::exit_reason::user_shutdown);
  worker_ = side_worker_actor{};
}

} // namespace gasoline
