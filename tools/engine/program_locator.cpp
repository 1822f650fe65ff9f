#include "tools/engine/program_locator.hpp"

#include "actors/base/exception_guard.hpp"
#include "transport/http/rights/port_owner.hpp"

#include <filesystem>
#include <string>
#include <system_error>

namespace gasoline {
namespace {

std::string directory_of(std::uint32_t pid) {
  std::error_code ec;
  const auto link = std::filesystem::path{"/proc"} / std::to_string(pid) / "cwd";
  const auto directory = std::filesystem::read_symlink(link, ec);
  return ec ? std::string{} : directory.string();
}

std::string locate(std::uint16_t port, std::uint32_t pid) {
  if (pid != 0)
    return directory_of(pid);
  const auto owner = find_port_owner(port);
  return owner ? directory_of(owner->pid) : std::string{};
}

/// Answers one question and ends.
origin_locator_actor::behavior_type one_search(origin_locator_actor::pointer self, spawned_alone) {
  guard_exceptions(self);
  return {[self](query_atom, std::uint16_t port, std::uint32_t pid) {
    self->quit();
    return locate(port, pid);
  }};
}

} // namespace

origin_locator_actor::behavior_type program_locator(origin_locator_actor::pointer self,
                                                    spawned_alone) {
  guard_exceptions(self);
  return {[self](query_atom atom, std::uint16_t port, std::uint32_t pid) {
    const auto search = self->spawn<caf::detached>(one_search, spawned_alone{});
    return self->delegate(search, atom, port, pid);
  }};
}

} // namespace gasoline
