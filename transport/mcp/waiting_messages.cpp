#include "transport/mcp/waiting_messages.hpp"

#include <iterator>
#include <utility>

namespace gasoline {

waiting_messages::waiting_messages(std::shared_ptr<event_totals> totals,
                                   const limits_of<mcp_room>& limit)
    : totals_(std::move(totals)), limit_(limit) {}

waiting_messages::~waiting_messages() {
  totals_->bytes -= bytes_;
}

std::uint64_t waiting_messages::add(rpc_text text) {
  bytes_ += text->size();
  totals_->bytes += text->size();
  messages_.push_back(std::move(text));
  event_store::make_room(*totals_, limit_.mcp.event_total_bytes);
  std::uint64_t dropped = 0;
  while (!messages_.empty() &&
         (messages_.size() > limit_.mcp.waiting_messages || bytes_ > limit_.mcp.event_bytes ||
          totals_->bytes > limit_.mcp.event_total_bytes)) {
    drop_oldest();
    ++dropped;
  }
  lost_ += dropped;
  return dropped;
}

std::vector<rpc_text> waiting_messages::take() {
  totals_->bytes -= std::exchange(bytes_, 0);
  std::vector<rpc_text> out{std::make_move_iterator(messages_.begin()),
                            std::make_move_iterator(messages_.end())};
  messages_.clear();
  return out;
}

std::uint64_t waiting_messages::take_lost() {
  return std::exchange(lost_, 0);
}

void waiting_messages::drop_oldest() {
  const auto size = messages_.front()->size();
  bytes_ -= size;
  totals_->bytes -= size;
  messages_.pop_front();
}

} // namespace gasoline
