#include "transport/cdp/browser_attacher.hpp"

#include "transport/cdp/socket_link.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace gasoline {
namespace {

/// What the owner of an attached browser holds: with it, the connection ends.
class attached_browser final : public browser_link {
 public:
  explicit attached_browser(std::shared_ptr<socket_link> link) : link_(std::move(link)) {}
  attached_browser(const attached_browser&) = delete;
  attached_browser& operator=(const attached_browser&) = delete;
  ~attached_browser() override { link_->close(); }

  void send(std::string message) override { link_->send(std::move(message)); }
  std::uint64_t dropped() const override { return link_->dropped(); }
  void close() override { link_->close(); }

 private:
  std::shared_ptr<socket_link> link_;
};

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
  return std::make_shared<attached_browser>(std::move(link));
}

} // namespace gasoline
