#include "actors/resolution/known_documents.hpp"

#include "actors/detection/fault/event_marks.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t most_pages = 500;

} // namespace

std::optional<wall_time> known_documents::began(std::string_view page_id) const {
  const auto known = std::find_if(documents_.begin(), documents_.end(),
                                  [&](const document& d) { return d.id == page_id; });
  return known == documents_.end() || page_id.empty() ? std::nullopt : std::optional{known->began};
}

known_documents::news known_documents::take(const event& e) {
  if (e.origin != event_origin::page)
    return news::none;
  const auto id = page_id_of(e);
  if (id.empty() || began(id))
    return news::none;
  const auto page = page_of(e);
  if (page.empty())
    return news::none;
  documents_[next_++ % documents_.size()] = {std::string{id}, e.at};
  if (pages_.find(page) != pages_.end())
    return news::reload;
  if (pages_.size() >= most_pages)
    pages_.clear();
  pages_.emplace(page);
  return news::first_load;
}

} // namespace gasoline
