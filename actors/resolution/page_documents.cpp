#include "actors/resolution/page_documents.hpp"

#include "actors/detection/fault/event_marks.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>

namespace gasoline {

page_documents::page_documents(const std::vector<event_group>& events) {
  for (const auto& group : events) {
    const auto& e = *group.newest;
    const auto id = page_id_of(e);
    const auto page = id.empty() ? std::string_view{} : page_of(e);
    if (page.empty())
      continue;
    const auto known = documents_.find(id);
    if (known == documents_.end())
      documents_.emplace(std::string{id}, document{std::string{page}, group.first_at});
    else
      known->second.began = std::min(known->second.began, group.first_at);
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

} // namespace gasoline
