#pragma once

#include "actors/mcp_tools/observe/answer/observe_call.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace gasoline {

/// Builds an answer: one sentence, a line break, and the items that fit, as compact JSON
/// `{items, count, total, cursor?, noise_hidden?}`; within `query.max_bytes`. The call must outlive
/// it.
class answer_builder {
 public:
  explicit answer_builder(const observe_call& call);

  /// Adds one item; false when it does not fit. The first item always fits, shortened if it must.
  bool add(std::string item);

  std::uint64_t count() const { return count_; }

  std::string finish(std::string sentence, std::uint64_t total, std::uint64_t next_cursor,
                     std::uint64_t noise_hidden);

  /// The answer to a question for what is new since a cursor; the next such question begins at
  /// `since_cursor`.
  std::string finish_new(std::string sentence, std::uint64_t total, std::uint64_t since_cursor,
                         std::uint64_t noise_hidden);

 private:
  std::string shortened_item(const std::string& item) const;

  const observe_call& call_;
  std::uint64_t budget_;
  std::string items_;
  std::uint64_t count_ = 0;
};

/// Pages through a short list that is rebuilt for every call: the cursor counts from the newest.
class list_pager {
 public:
  list_pager(const observe_call& call, std::size_t size);

  /// Adds the items that fit; `text` gives the item at an index.
  template <class Text>
  void add_while(Text text) {
    while (next_ < size_ && answer_.add(text(next_)))
      ++next_;
  }

  bool shown(std::size_t index) const { return index >= first_ && index < next_; }

  std::string finish(const std::string& remark);

 private:
  const observe_call& call_;
  answer_builder answer_;
  std::size_t size_;
  std::size_t first_;
  std::size_t next_;
};

} // namespace gasoline
