#pragma once

#include "config/settings.hpp"
#include "messages/browser/browser_link.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>

namespace gasoline {

/// Launches browsers with a profile of the engine's own, one at a time.
class browser_launcher final : public browser_dialer {
 public:
  /// `io` is run by one thread and outlives this.
  browser_launcher(boost::asio::io_context& io, const settings& config);

  std::shared_ptr<browser_link> connect(std::uint64_t number, browser_reader reader) override;

 private:
  boost::asio::io_context& io_;
  browser_settings settings_;
  std::filesystem::path profile_;
  limits_of<browser_room> limit_;
};

} // namespace gasoline
