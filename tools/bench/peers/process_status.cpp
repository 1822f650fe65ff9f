#include "tools/bench/peers/process_status.hpp"

#include <sys/resource.h>

#include <fstream>
#include <iterator>
#include <system_error>

namespace gasoline::bench {
namespace {

std::filesystem::path folder_of(pid_t pid) {
  return std::filesystem::path{"/proc"} / std::to_string(pid);
}

} // namespace

double status_number(const std::filesystem::path& file, const std::string& key) {
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key))
      return std::stod(line.substr(key.size()));
  return 0;
}

double resident_mib(pid_t pid) {
  return status_number(folder_of(pid) / "status", "VmRSS:") / 1024;
}

std::size_t open_descriptors(pid_t pid) {
  std::error_code ec;
  const std::filesystem::directory_iterator all{folder_of(pid) / "fd", ec};
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

} // namespace gasoline::bench
