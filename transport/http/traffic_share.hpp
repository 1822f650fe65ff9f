#pragma once

#include "transport/http/http_traffic.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace gasoline {

/// What one connection has of the bytes that all connections of a server may have; given back when
/// it ends. Used on the io thread only.
class traffic_share {
 public:
  explicit traffic_share(std::shared_ptr<http_traffic> traffic) : traffic_(std::move(traffic)) {}
  traffic_share(const traffic_share&) = delete;
  traffic_share& operator=(const traffic_share&) = delete;
  ~traffic_share();

  /// So many bytes of a body are arriving or not answered yet: of `http_traffic::inflight_bytes`.
  void hold(std::uint64_t bytes);

  /// Whether with so many more the bodies of all are above `http_inflight_bytes`.
  bool is_overloaded(std::uint64_t more_bytes) const;

  /// So many bytes of an answer are not taken yet: of `http_traffic::unsent_bytes`.
  void keep_unsent(std::uint64_t bytes);

  /// Whether this connection may have that many unsent bytes in all: those of all connections stay
  /// within `http_inflight_bytes`, as bodies do. Few always may be.
  bool has_room_for(std::uint64_t bytes) const;

 private:
  std::shared_ptr<http_traffic> traffic_;
  std::uint64_t held_ = 0;
  std::uint64_t unsent_ = 0;
};

} // namespace gasoline
