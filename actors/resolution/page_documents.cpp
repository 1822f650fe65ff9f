#include "actors/resolution/page_documents.hpp"

#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>

namespace gasoline {

page_documents::page_documents(event_span events) {
  // The first event of each says it all. Most have the id of the one before.
  std::string_view last;
  for (const auto* told : events) {
    const auto id = page_id_of(*told);
    if (id == last)
      continue;
    last = id;
    if (documents_.find(id) != documents_.end())
      continue;
    if (const auto page = page_of(*told); !page.empty())
      documents_.emplace(std::string{id}, document{std::string{page}, told->at,
                                                   field_text(told->fields, "tab").str()});
    else
      last = {};
  }
}

std::optional<wall_time> page_documents::document_began(std::string_view page_id) const {
  const auto found = documents_.find(page_id);
  return found == documents_.end() ? std::nullopt : std::optional{found->second.began};
}

std::optional<wall_time> page_documents::loaded_since(std::string_view page,
                                                      const page_documents& before) const {
  std::optional<wall_time> out;
  for (const auto& [id, doc] : documents_)
    if (doc.page == page && !before.document_began(id))
      out = out ? std::min(*out, doc.began) : doc.began;
  return out;
}

bool page_documents::is_left(const document& d, std::chrono::milliseconds within) const {
  return !d.tab.empty() && std::any_of(documents_.begin(), documents_.end(), [&](const auto& row) {
    const auto& next = row.second;
    return next.tab == d.tab && next.began > d.began && next.began < d.began + within;
  });
}

std::optional<page_documents::load>
page_documents::shown_since(std::string_view page, const page_documents& before,
                            std::chrono::milliseconds least) const {
  std::optional<load> out;
  for (const auto& [id, doc] : documents_) {
    if (doc.page != page || before.document_began(id))
      continue;
    const load found{doc.began, is_left(doc, least)};
    const bool is_better = !out || (out->was_left && !found.was_left) ||
                           (out->was_left == found.was_left && found.began < out->began);
    if (is_better)
      out = found;
  }
  return out;
}

} // namespace gasoline
