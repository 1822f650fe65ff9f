#include "actors/browser/pages/world_table.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace gasoline {

std::optional<handle_parts> parse_handle(std::string_view handle) {
  handle_parts out;
  const auto* end = handle.data() + handle.size();
  if (handle.empty() || handle.front() != 'w')
    return std::nullopt;
  const auto world = std::from_chars(handle.data() + 1, end, out.world);
  if (world.ec != std::errc{} || world.ptr == end || *world.ptr != 'e')
    return std::nullopt;
  const auto element = std::from_chars(world.ptr + 1, end, out.element);
  if (element.ec != std::errc{} || element.ptr != end)
    return std::nullopt;
  return out;
}

std::string handle_text(std::uint64_t world, std::uint64_t element) {
  return "w" + std::to_string(world) + "e" + std::to_string(element);
}

const page_world& world_table::add(page_frame frame, int context) {
  std::erase_if(worlds_, [&](const auto& row) {
    return row.second.frame.session == frame.session && row.second.frame.frame == frame.frame;
  });
  const auto number = ++last_;
  return worlds_.emplace(number, page_world{number, std::move(frame), context}).first->second;
}

const page_world* world_table::of_frame(std::string_view session, std::string_view frame) const {
  const auto found = std::find_if(worlds_.begin(), worlds_.end(), [&](const auto& row) {
    return row.second.frame.session == session && row.second.frame.frame == frame;
  });
  return found == worlds_.end() ? nullptr : &found->second;
}

const page_world* world_table::numbered(std::uint64_t number) const {
  const auto found = worlds_.find(number);
  return found == worlds_.end() ? nullptr : &found->second;
}

const page_world* world_table::first_of(std::string_view session) const {
  const auto found = std::find_if(worlds_.begin(), worlds_.end(), [&](const auto& row) {
    return row.second.frame.session == session && row.second.frame.parent.empty();
  });
  return found == worlds_.end() ? nullptr : &found->second;
}

void world_table::context_gone(std::string_view session, int context) {
  std::erase_if(worlds_, [&](const auto& row) {
    return row.second.frame.session == session && row.second.context == context;
  });
}

void world_table::session_gone(std::string_view session) {
  std::erase_if(worlds_, [&](const auto& row) { return row.second.frame.session == session; });
}

void world_table::remember(std::string handle, told_element element) {
  if (!told_.insert_or_assign(handle, std::move(element)).second)
    return;
  order_.push_back(std::move(handle));
  if (order_.size() <= most_)
    return;
  told_.erase(order_.front());
  order_.pop_front();
}

const told_element* world_table::told(const std::string& handle) const {
  const auto found = told_.find(handle);
  return found == told_.end() ? nullptr : &found->second;
}

} // namespace gasoline
