#include "transport/cdp/browser_attacher.hpp"

#include "transport/cdp/owned_link.hpp"
#include "transport/cdp/socket_link.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace gasoline {
namespace {

std::filesystem::path directory_in(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

} // namespace

std::shared_ptr<browser_link> browser_attacher::connect(std::uint64_t number,
                                                        browser_reader reader) {
  const auto home = directory_in("HOME");
  auto config = directory_in("XDG_CONFIG_HOME");
  if (config.empty())
    config = home / ".config";
  auto link = std::make_shared<socket_link>(io_, browser_doors(settings_, config, home), number,
                                            std::move(reader), limit_);
  link->start();
  return std::make_shared<owned_link<socket_link>>(std::move(link));
}

} // namespace gasoline
