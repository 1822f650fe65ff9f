#pragma once

#include "messages/telemetry/event.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// The body of the answer, as far as it was recorded; empty: it was not.
std::string answer_body(const event& e);

/// Why there is no body where the sender says so: `Skipped: image/png`; empty: it does not.
std::string body_remark(const event& e);

/// Whether there is more of the body than was recorded.
bool is_cut_body(const event& e);

/// How long the body of an answer is, as JSON writes it; 0: it was not recorded, or not whole. What
/// has some may be looked into.
std::size_t whole_body_bytes(const event& e);

/// How many bodies are looked into: parsing all that is buffered would take seconds. Some of each
/// kind of answer, which the caller numbers, tell its shape; the newest are to be offered first.
class body_budget {
 public:
  /// Whether there may be room for one more body of that kind. Says so before the body is looked
  /// for, and counts nothing.
  bool may_take(std::size_t kind) const;

  /// Whether there is room for that body of that kind; then it counts.
  bool take(std::size_t kind, std::size_t bytes);

  std::uint64_t passed_over() const { return passed_over_; }

 private:
  std::vector<std::size_t> taken_; ///< by kind
  std::size_t bytes_ = 0;
  std::uint64_t passed_over_ = 0;
};

} // namespace gasoline
