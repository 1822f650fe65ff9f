#pragma once

#include "actors/browser/pages/page_worlds.hpp"
#include "config/values/user_error.hpp"
#include "messages/browser/browser_action.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// An element of a page.
struct found_element {
  page_world world;
  std::uint64_t number = 0; ///< within its world
  std::string shown;        ///< in a few words: `button "Save"`
  std::string role;
  std::string name;
};

/// Finds the one element that is meant, in any frame of a page. One that is not there yet is waited
/// for; none and several are refused with what there is, and never is another one taken.
class element_search {
 public:
  element_search(page_worlds& worlds, browser_port& port, const limits_of<browser_room>& limit)
      : worlds_(worlds), port_(port), limit_(limit) {}

  using found_then = std::function<void(result_or<found_element>)>;

  /// `is_busy` says whether the page is still at work, so that more may come.
  void one(const page_ptr& page, const element_choice& choice, std::chrono::milliseconds patience,
           std::function<bool()> is_busy, found_then then);

  /// Whether what is meant can be seen now.
  void is_there(const page_ptr& page, const element_choice& choice, std::function<void(bool)> then);

  /// All that are meant, as lines with their handles; an empty choice is everything that can be
  /// acted on.
  void list(const page_ptr& page, const element_choice& choice, std::size_t most,
            std::function<void(std::string)> then);

 private:
  struct search;
  using search_ptr = std::shared_ptr<search>;

  void look(const search_ptr& s);
  void ask_each(const search_ptr& s, std::string_view function);
  void judge(const search_ptr& s);
  void judge_gone(const search_ptr& s);
  std::string lines_of(const search_ptr& s, std::size_t most);

  page_worlds& worlds_;
  browser_port& port_;
  limits_of<browser_room> limit_;
};

/// What is meant, in words: `button "Save"`, `css .pay`.
std::string choice_words(const element_choice& choice);

} // namespace gasoline
