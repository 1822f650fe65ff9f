#include "tools/run/outlive_job.hpp"

#include <unistd.h>

#include <csignal>

namespace gasoline {

void outlive_job() {
  ::setpgid(0, 0);
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGTTOU, SIGPIPE})
    ::signal(signal, SIG_IGN);
}

} // namespace gasoline
