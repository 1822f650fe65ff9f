#include "transport/http/traffic_share.hpp"

namespace gasoline {
namespace {

constexpr std::uint64_t always_room_bytes = 4096; // an error or a short answer always leaves

} // namespace

traffic_share::~traffic_share() {
  hold(0);
  keep_unsent(0);
}

void traffic_share::hold(std::uint64_t bytes) {
  traffic_->inflight_bytes += bytes - held_;
  held_ = bytes;
}

bool traffic_share::is_overloaded(std::uint64_t more_bytes) const {
  return traffic_->inflight_bytes + more_bytes > traffic_->limit.http.inflight_bytes;
}

void traffic_share::keep_unsent(std::uint64_t bytes) {
  traffic_->unsent_bytes += bytes - unsent_;
  unsent_ = bytes;
}

bool traffic_share::has_room_for(std::uint64_t bytes) const {
  return bytes <= always_room_bytes ||
         traffic_->unsent_bytes - unsent_ + bytes <= traffic_->limit.http.inflight_bytes;
}

} // namespace gasoline
