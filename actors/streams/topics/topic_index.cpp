#include "actors/streams/topics/topic_index.hpp"

#include <algorithm>

namespace gasoline {
namespace {

void erase_key(std::vector<std::uint64_t>& keys, std::uint64_t key) {
  const auto at = std::lower_bound(keys.begin(), keys.end(), key);
  if (at != keys.end() && *at == key)
    keys.erase(at);
}

} // namespace

void topic_index::add(const topic_filter& filter, std::uint64_t key) {
  ++size_;
  auto* at = &root_;
  if (filter.takes_all()) {
    at->rest.push_back(key);
    return;
  }
  for (const auto& token : filter.tokens()) {
    if (token == any_rest) {
      at->rest.push_back(key);
      return;
    }
    auto& child = at->children[token];
    if (!child)
      child = std::make_unique<node>();
    at = child.get();
  }
  at->here.push_back(key);
}

void topic_index::remove(const topic_filter& filter, std::uint64_t key) {
  --size_;
  const auto* first = filter.tokens().data();
  if (filter.takes_all())
    erase_key(root_.rest, key);
  else
    remove_from(root_, first, first + filter.tokens().size(), key);
}

void topic_index::remove_from(node& from, const std::string* token, const std::string* end,
                              std::uint64_t key) {
  if (token == end) {
    erase_key(from.here, key);
    return;
  }
  if (*token == any_rest) {
    erase_key(from.rest, key);
    return;
  }
  const auto child = from.children.find(*token);
  if (child == from.children.end())
    return;
  remove_from(*child->second, token + 1, end, key);
  if (child->second->is_empty())
    from.children.erase(child);
}

void topic_index::find(std::string_view topic, const found_function& found) const {
  if (topic.empty()) {
    visit_all(root_, found);
    return;
  }
  std::vector<std::string_view> tokens;
  for_each_token(topic, [&](std::string_view token) { tokens.push_back(token); });
  visit(root_, tokens.data(), tokens.data() + tokens.size(), found);
}

void topic_index::visit(const node& from, const std::string_view* token,
                        const std::string_view* end, const found_function& found) {
  if (token == end) {
    std::for_each(from.here.begin(), from.here.end(), found);
    return;
  }
  std::for_each(from.rest.begin(), from.rest.end(), found);
  if (const auto child = from.children.find(*token); child != from.children.end())
    visit(*child->second, token + 1, end, found);
  if (const auto child = from.children.find(any_token); child != from.children.end())
    visit(*child->second, token + 1, end, found);
}

void topic_index::visit_all(const node& from, const found_function& found) {
  std::for_each(from.here.begin(), from.here.end(), found);
  std::for_each(from.rest.begin(), from.rest.end(), found);
  for (const auto& [token, child] : from.children)
    visit_all(*child, found);
}

} // namespace gasoline
