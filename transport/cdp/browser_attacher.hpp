#pragma once

#include "config/settings.hpp"
#include "messages/browser/browser_link.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>

namespace gasoline {

/// Finds the browser that the user runs, and never starts or ends one.
class browser_attacher final : public browser_dialer {
 public:
  /// `io` is run by one thread and outlives this.
  browser_attacher(boost::asio::io_context& io, const settings& config)
      : io_(io), settings_(config.browser), limit_(config.limit) {}

  std::shared_ptr<browser_link> connect(std::uint64_t number, browser_reader reader) override;

 private:
  boost::asio::io_context& io_;
  browser_settings settings_;
  limits_of<browser_room> limit_;
};

} // namespace gasoline
