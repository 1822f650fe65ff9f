#include "tools/engine/process/descriptor_limit.hpp"

#include "messages/base/own_log.hpp"

#include <sys/resource.h>

namespace gasoline {

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
    return;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    own_log::warn("the limit on open descriptors stays; many clients at once may be refused");
}

} // namespace gasoline
