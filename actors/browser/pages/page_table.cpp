#include "actors/browser/pages/page_table.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

template <class Matches>
page_ptr found_page(const std::vector<page_ptr>& pages, Matches matches) {
  const auto found = std::find_if(pages.begin(), pages.end(), matches);
  return found == pages.end() ? nullptr : *found;
}

} // namespace

browser_session* page_table::add(browser_session session) {
  if (sessions_.count(session.id) > 0)
    return nullptr;
  if (session.type == "page" && session.parent.empty()) {
    auto page = std::make_shared<browser_page>();
    page->handle = "p" + std::to_string(++last_page_);
    page->target = session.target;
    page->main_frame = session.target;
    page->session = session.id;
    page->url = session.url;
    page->context = session.context;
    if (profile_.empty())
      profile_ = session.context;
    pages_.push_back(page);
    session.page = std::move(page);
  } else if (auto* parent = this->session(session.parent); parent != nullptr) {
    session.page = parent->page;
  }
  const auto id = session.id;
  return &sessions_.emplace(id, std::move(session)).first->second;
}

std::vector<std::string> page_table::remove(std::string_view session) {
  std::vector<std::string> out;
  if (this->session(session) == nullptr)
    return out;
  out.emplace_back(session);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const auto& [id, each] : sessions_)
      if (each.parent == out[i])
        out.push_back(id);
  std::erase_if(pages_, [&](const page_ptr& page) { return page->session == session; });
  for (const auto& id : out)
    sessions_.erase(id);
  return out;
}

browser_session* page_table::session(std::string_view id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : &found->second;
}

page_ptr page_table::page_of(std::string_view session) {
  const auto* found = this->session(session);
  return found == nullptr ? nullptr : found->page;
}

page_ptr page_table::by_handle(std::string_view handle) const {
  return found_page(pages_, [&](const page_ptr& page) { return page->handle == handle; });
}

page_ptr page_table::by_target(std::string_view target) const {
  return found_page(pages_, [&](const page_ptr& page) { return page->target == target; });
}

page_ptr page_table::current(client_id client) const {
  const auto found = current_.find(client);
  return found == current_.end() ? nullptr : by_target(found->second);
}

bool page_table::others_work_in_profile(client_id client) const {
  return std::any_of(pages_.begin(), pages_.end(), [&](const page_ptr& page) {
    return page->owner != 0 && page->owner != client && page->context == profile_;
  });
}

page_ptr page_table::newest_of_nobody() const {
  const auto found = std::find_if(pages_.rbegin(), pages_.rend(), [](const page_ptr& page) {
    return page->owner == 0 && page->url != "about:blank";
  });
  return found == pages_.rend() ? nullptr : *found;
}

void page_table::choose(client_id client, const page_ptr& page) {
  page->owner = client;
  current_[client] = page->target;
}

void page_table::forget(client_id client) {
  current_.erase(client);
  for (const auto& page : pages_)
    if (page->owner == client)
      page->owner = 0;
}

void page_table::clear() {
  sessions_.clear();
  pages_.clear();
  current_.clear();
  profile_.clear();
}

} // namespace gasoline
