#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace gasoline {

/// Bytes that several owners may hold together. Used on one thread.
class byte_budget {
 public:
  explicit byte_budget(std::uint64_t most) : most_(most) {}

  std::uint64_t most() const { return most_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t refused() const { return refused_; } ///< how often there was no room

 private:
  friend class budget_share;

  std::uint64_t most_;
  std::uint64_t used_ = 0;
  std::uint64_t refused_ = 0;
};

/// What one owner holds of a budget, until it ends. Without a budget everything has room.
class budget_share {
 public:
  budget_share() = default;
  explicit budget_share(std::shared_ptr<byte_budget> budget) : budget_(std::move(budget)) {}
  budget_share(budget_share&& from) noexcept
      : budget_(std::move(from.budget_)), held_(std::exchange(from.held_, 0)) {}
  budget_share& operator=(budget_share&& from) noexcept {
    std::swap(budget_, from.budget_);
    std::swap(held_, from.held_);
    return *this;
  }
  ~budget_share() {
    if (budget_)
      budget_->used_ -= held_;
  }

  /// From now on holds so many bytes; false, and all stays, when there is no room for more.
  bool hold(std::uint64_t bytes) {
    if (!budget_)
      return true;
    if (bytes > held_ && budget_->used_ + (bytes - held_) > budget_->most_) {
      ++budget_->refused_;
      return false;
    }
    budget_->used_ += bytes - held_; // may wrap around, and back
    held_ = bytes;
    return true;
  }

  /// Of all owners together; 0: there is no budget.
  std::uint64_t most() const { return budget_ ? budget_->most() : 0; }

 private:
  std::shared_ptr<byte_budget> budget_;
  std::uint64_t held_ = 0;
};

} // namespace gasoline
