#include "transport/http/hangup_watch.hpp"

#include "messages/base/own_log.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gasoline {

void hangup_watch::start(int socket, std::function<void()> gone) {
  const int events = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event wanted{};
  wanted.events = EPOLLRDHUP; // errors are always told
  if (events < 0 || ::epoll_ctl(events, EPOLL_CTL_ADD, socket, &wanted) != 0) {
    own_log::debug("http: cannot watch for the end of a client: errno {}", errno);
    if (events >= 0)
      ::close(events);
    return;
  }
  events_.assign(events);
  events_.async_wait(boost::asio::posix::descriptor_base::wait_read,
                     [gone = std::move(gone)](const boost::system::error_code& ec) {
                       if (!ec)
                         gone();
                     });
}

} // namespace gasoline
