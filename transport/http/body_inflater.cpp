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
  waiting_.push_back({coding, std::move(body), cap, std::move(then)});
  if (!is_busy_)
    begin_next();
}

void body_inflater::begin_next() {
  is_busy_ = !waiting_.empty();
  if (!is_busy_)
    return;
  const auto next = std::make_shared<task>(std::move(waiting_.front()));
  waiting_.pop_front();
  const auto done = std::make_shared<inflated_body>();
  run_([next, done] { *done = inflate_body(next->coding, next->body, next->cap); },
       [next, done, weak = weak_from_this()] {
         next->then(std::move(*done));
         if (const auto self = weak.lock())
           self->begin_next();
       });
}

} // namespace gasoline
