#pragma once

#include "actors/streams/topics/topic_filter.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Finds who wants an event of a topic: a tree of tokens, so that the cost depends on the topic's
/// tokens and on who is found, not on how many filters there are.
class topic_index {
 public:
  /// Adds a key; each key at most once, rising.
  void add(const topic_filter& filter, std::uint64_t key);

  /// Removes a key that was added with that filter.
  void remove(const topic_filter& filter, std::uint64_t key);

  /// Calls `found` with every key whose filter lets the topic pass, each once. The empty topic
  /// passes all.
  void find(std::string_view topic, const std::function<void(std::uint64_t)>& found) const;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  struct node {
    std::map<std::string, std::unique_ptr<node>, std::less<>> children; // `*` is one of them
    std::vector<std::uint64_t> here;                                    // filters that end here
    std::vector<std::uint64_t> rest;                                    // those that go on with `>`

    bool is_empty() const { return children.empty() && here.empty() && rest.empty(); }
  };
  using found_function = std::function<void(std::uint64_t)>;

  static void visit_all(const node& from, const found_function& found);
  static void visit(const node& from, const std::string_view* token, const std::string_view* end,
                    const found_function& found);
  static void remove_from(node& from, const std::string* token, const std::string* end,
                          std::uint64_t key);

  node root_; // its `rest` holds the filters that take all
  std::size_t size_ = 0;
};

} // namespace gasoline
