#include "transport/http/body_inflater.hpp"

#include <utility>

namespace gasoline {
namespace {

/// Bytes as sent from which inflating may take longer than handing over: some 20 us, in which a
/// thousandfold bomb of this size becomes two megabytes.
constexpr std::size_t apart_bytes = 2U << 10U;

} // namespace

void body_inflater::inflate(content_coding coding, std::string body, std::uint64_t cap,
                            taker then) {
  if (!run_ || body.size() < apart_bytes) {
    then(inflate_body(coding, body, cap));
    return;
  }
  auto packed = std::make_shared<const packed_body>(packed_body{coding, std::move(body), cap});
  waiting_.push_back({std::move(packed), std::move(then)});
  if (!is_busy_)
    begin_next();
}

void body_inflater::stop() {
  waiting_.clear();
  current_ = nullptr;
}

void body_inflater::begin_next() {
  is_busy_ = !waiting_.empty();
  if (!is_busy_)
    return;
  const auto packed = std::move(waiting_.front().packed);
  current_ = std::move(waiting_.front().then);
  waiting_.pop_front();
  const auto done = std::make_shared<inflated_body>();
  run_([packed, done] { *done = inflate_body(packed->coding, packed->bytes, packed->cap); },
       [done, weak = weak_from_this()] {
         if (const auto self = weak.lock())
           self->take(std::move(*done));
       });
}

void body_inflater::take(inflated_body body) {
  const auto then = std::exchange(current_, nullptr);
  if (then)
    then(std::move(body));
  begin_next();
}

} // namespace gasoline
