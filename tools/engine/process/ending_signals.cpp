#include "tools/engine/process/ending_signals.hpp"

#include <algorithm>
#include <csignal>

namespace gasoline {
namespace {

bool is_ignored(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == SIG_IGN;
}

} // namespace

std::vector<int> ending_signals() {
  std::vector<int> out{SIGINT, SIGTERM, SIGHUP};
  out.erase(std::remove_if(out.begin(), out.end(), is_ignored), out.end());
  return out;
}

} // namespace gasoline
