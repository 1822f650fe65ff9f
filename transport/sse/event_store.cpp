#include "transport/sse/event_store.hpp"

#include "transport/sse/sse_event.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

/// A decimal number as this program writes it: no sign, no leading zero, in range.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t out = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc{} || stop != end || text.front() == '0')
    return text == "0" ? std::optional<std::uint64_t>{0} : std::nullopt;
  return out;
}

} // namespace

event_store::event_store(std::string tag, std::shared_ptr<event_totals> totals,
                         const limits_of<mcp_room>& limit)
    : tag_(std::move(tag)), totals_(std::move(totals)), limit_(limit) {}

event_store::~event_store() {
  totals_->bytes -= bytes_;
  totals_->by_oldest.erase(oldest_place_);
}

sse_text event_store::add(std::uint64_t stream, std::string_view data) {
  return keep(stream, sse_message(data));
}

sse_text event_store::add_priming(std::uint64_t stream) {
  return keep(stream, sse_priming(limit_.mcp.retry_ms));
}

sse_text event_store::keep(std::uint64_t stream, std::string_view fields) {
  auto& at = streams_[stream];
  const event_id id{stream, ++at.last};
  std::string framed =
      "id: " + tag_ + '-' + std::to_string(id.stream) + '-' + std::to_string(id.number) + '\n';
  framed += fields;
  auto text = std::make_shared<const std::string>(std::move(framed));
  ++at.kept;
  bytes_ += text->size();
  totals_->bytes += text->size();
  events_.push_back({id, text, ++totals_->added});
  note_oldest();
  evict();
  return text;
}

void event_store::close(std::uint64_t stream) {
  const auto at = streams_.find(stream);
  if (at == streams_.end())
    return;
  at->second.closed = true;
  forget_if_spent(stream);
}

void event_store::evict() {
  while (!events_.empty() &&
         (events_.size() > limit_.mcp.event_entries || bytes_ > limit_.mcp.event_bytes))
    evict_oldest();
  make_room(*totals_, limit_.mcp.event_total_bytes);
}

void event_store::make_room(event_totals& totals, std::uint64_t most) {
  while (totals.bytes > most && !totals.by_oldest.empty())
    totals.by_oldest.begin()->second->evict_oldest();
}

/// The totals know the oldest event of each store.
void event_store::note_oldest() {
  const auto now = events_.empty() ? 0 : events_.front().place;
  if (now == oldest_place_)
    return;
  totals_->by_oldest.erase(oldest_place_);
  if (now != 0)
    totals_->by_oldest.emplace(now, this);
  oldest_place_ = now;
}

void event_store::evict_oldest() {
  const auto [id, text, place] = std::move(events_.front());
  events_.pop_front();
  note_oldest();
  bytes_ -= text->size();
  totals_->bytes -= text->size();
  ++totals_->evicted;
  auto& at = streams_[id.stream];
  at.evicted = id.number;
  --at.kept;
  forget_if_spent(id.stream);
}

void event_store::forget_if_spent(std::uint64_t stream) {
  const auto at = streams_.find(stream);
  if (at != streams_.end() && at->second.closed && at->second.kept == 0)
    streams_.erase(at);
}

std::optional<event_id> event_store::parse(std::string_view text) const {
  if (text.size() <= tag_.size() || text.substr(0, tag_.size()) != tag_ || text[tag_.size()] != '-')
    return std::nullopt;
  text.remove_prefix(tag_.size() + 1);
  const auto dash = text.find('-');
  if (dash == std::string_view::npos)
    return std::nullopt;
  const auto stream = parse_number(text.substr(0, dash));
  const auto number = parse_number(text.substr(dash + 1));
  if (!stream || !number || *number == 0)
    return std::nullopt;
  const auto at = streams_.find(*stream);
  const bool never_sent = at == streams_.end() ? *stream == 0 : *number > at->second.last;
  if (never_sent)
    return std::nullopt;
  return event_id{*stream, *number};
}

std::optional<missed_events> event_store::after(const event_id& last) const {
  const auto at = streams_.find(last.stream);
  if (at == streams_.end() || (last.stream != 0 && last.number < at->second.evicted))
    return std::nullopt;
  missed_events out;
  out.lost = at->second.evicted - std::min(last.number, at->second.evicted);
  for (const auto& event : events_)
    if (event.id.stream == last.stream && event.id.number > last.number)
      out.kept.push_back(event.text);
  return out;
}

} // namespace gasoline
