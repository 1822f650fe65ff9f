#pragma once

#include "messages/browser/browser_link.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace gasoline {

/// What the owner of a connection to a browser holds: with it, the connection ends, and a browser
/// that was launched for it as well. `Link` is what reads and writes it.
template <class Link>
class owned_link final : public browser_link {
 public:
  explicit owned_link(std::shared_ptr<Link> link) : link_(std::move(link)) {}
  owned_link(const owned_link&) = delete;
  owned_link& operator=(const owned_link&) = delete;
  ~owned_link() override { link_->close(); }

  void send(std::string message) override { link_->send(std::move(message)); }
  std::uint64_t dropped() const override { return link_->dropped(); }
  void close() override { link_->close(); }

 private:
  std::shared_ptr<Link> link_;
};

} // namespace gasoline
