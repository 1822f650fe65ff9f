#include "actors/browser/actions/element_search.hpp"

#include "actors/browser/actions/action_run.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds look_again{100};
constexpr milliseconds idle_patience{1'000};
constexpr std::size_t candidates_shown = 5;

json how_of(const element_choice& choice) {
  json out = json::object();
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty())
      out[key] = value;
  };
  put("role", choice.role);
  put("name", choice.name);
  put("text", choice.text);
  put("label", choice.label);
  put("testid", choice.testid);
  put("css", choice.css);
  return out;
}

} // namespace

/// One search under way.
struct element_search::search {
  page_ptr page;
  element_choice choice;
  json how;
  mono_time begun{};
  milliseconds patience{};
  std::size_t most = 0;
  std::function<bool()> is_busy;
  std::function<void(const search_ptr&)> then; ///< what is done with what was found

  // Of the last look.
  std::size_t open = 0;
  std::size_t count = 0;
  bool hidden = false;
  std::string problem;
  std::vector<found_element> found;
  std::vector<std::string> details; ///< state and surroundings of each
};

std::string choice_words(const element_choice& choice) {
  if (!choice.handle.empty())
    return choice.handle;
  if (!choice.css.empty())
    return "css " + choice.css;
  if (!choice.testid.empty())
    return "testid " + page_quote(choice.testid);
  if (!choice.label.empty())
    return "label " + page_quote(choice.label);
  if (!choice.role.empty())
    return choice.role + (choice.name.empty() ? "" : ' ' + page_quote(choice.name));
  return "text " + page_quote(choice.text.empty() ? choice.name : choice.text);
}

void element_search::one(const page_ptr& page, const element_choice& choice, milliseconds patience,
                         std::function<bool()> is_busy, found_then then) {
  const auto s = std::make_shared<search>();
  s->page = page;
  s->choice = choice;
  s->how = how_of(choice);
  s->begun = port_.self()->clock().now();
  s->patience = patience;
  s->most = candidates_shown + 1;
  s->is_busy = std::move(is_busy);
  s->then = [then = std::move(then)](const search_ptr& done) {
    if (done->count == 1 && done->problem.empty())
      return then(done->found.front());
    then(tl::unexpected(user_error{done->problem}));
  };
  const auto parts = parse_handle(choice.handle);
  if (choice.handle.empty())
    return look(s);
  if (!parts) {
    s->problem = page_quote(choice.handle) +
                 " is no handle: those are like w1e5, as find and snapshot show them.";
    return s->then(s);
  }
  const auto* world = worlds_.worlds().numbered(parts->world);
  if (world == nullptr)
    return judge_gone(s);
  s->how = {{"n", parts->element}};
  s->open = 1;
  worlds_.ask(*world, "find", json::array({s->how, 1}),
              [this, s, found = *world](const hands_answer& answer) {
                const auto items = answer.value.value("items", json::array());
                if (!answer.problem.empty() || items.empty())
                  return judge_gone(s);
                s->count = 1;
                s->found.push_back({found, items[0].value("n", std::uint64_t{0}),
                                    items[0].value("shown", ""), items[0].value("role", ""),
                                    items[0].value("name", "")});
                s->then(s);
              });
}

/// The element of a handle is gone. One that says the same in its place is what was meant.
void element_search::judge_gone(const search_ptr& s) {
  const auto* told = worlds_.worlds().told(s->choice.handle);
  if (told == nullptr || told->name.empty() || told->role.empty()) {
    s->problem = s->choice.handle + " is gone; find it again, or see the page with snapshot.";
    return s->then(s);
  }
  s->how = {{"role", told->role}, {"name", told->name}};
  s->choice.role = told->role;
  s->choice.name = told->name;
  const auto handle = std::exchange(s->choice.handle, {});
  s->patience = {};
  const auto then = std::exchange(s->then, nullptr);
  s->then = [then, handle](const search_ptr& done) {
    if (done->count != 1)
      done->problem = handle + " is gone, and " + done->problem;
    then(done);
  };
  look(s);
}

void element_search::look(const search_ptr& s) {
  ask_each(s, "find");
}

void element_search::ask_each(const search_ptr& s, std::string_view function) {
  s->count = 0;
  s->hidden = false;
  s->problem.clear();
  s->found.clear();
  s->details.clear();
  worlds_.each(s->page, [this, s, function](const std::vector<page_world>& all) {
    s->open = all.size();
    if (all.empty()) {
      s->problem = hanging_page;
      return s->then(s);
    }
    for (const auto& world : all)
      worlds_.ask(world, function, json::array({s->how, s->most}),
                  [this, s, world, function](const hands_answer& answer) {
                    const auto& value = answer.value;
                    if (answer.problem.empty()) {
                      const auto items = value.value("items", json::array());
                      s->count += value.value("count", items.size());
                      s->hidden = s->hidden || value.value("hidden", false);
                      if (const auto wrong = value.value("problem", ""); !wrong.empty())
                        s->problem = wrong;
                      for (const auto& item : items) {
                        found_element element{world, item.value("n", std::uint64_t{0}),
                                              item.value("shown", ""), item.value("role", ""),
                                              item.value("name", "")};
                        worlds_.worlds().remember(handle_text(world.number, element.number),
                                                  {element.role, element.name});
                        s->found.push_back(std::move(element));
                        s->details.push_back(item.value("state", "") + ' ' +
                                             item.value("context", ""));
                      }
                    }
                    if (--s->open > 0)
                      return;
                    if (function == "find")
                      judge(s);
                    else
                      s->then(s);
                  });
  });
}

void element_search::judge(const search_ptr& s) {
  const auto waited = port_.self()->clock().now() - s->begun;
  const auto patience =
      s->is_busy && s->is_busy() ? s->patience : std::min(s->patience, idle_patience);
  if (!s->problem.empty()) {
    s->problem = choice_words(s->choice) + ": " + s->problem;
    return s->then(s);
  }
  if (s->count == 1)
    return s->then(s);
  if (s->count == 0 && waited < patience) {
    port_.timers().start(port_.self(), look_again, [this, s] { look(s); });
    return;
  }
  if (s->count > 1) {
    s->problem = std::to_string(s->count) + " elements match " + choice_words(s->choice) +
                 "; say which by its handle:\n" + lines_of(s, candidates_shown);
    return s->then(s);
  }
  const auto then = std::exchange(s->then, nullptr);
  s->most = candidates_shown;
  s->then = [this, then](const search_ptr& done) {
    const auto near = lines_of(done, candidates_shown);
    done->count = 0;
    done->problem =
        "nothing matches " + choice_words(done->choice) +
        (near.empty() ? "; the page has nothing to act on." : ". What there is:\n" + near);
    then(done);
  };
  ask_each(s, "nearest");
}

std::string element_search::lines_of(const search_ptr& s, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, s->found.size()); ++i) {
    const auto& element = s->found[i];
    out += (out.empty() ? "" : "\n") + handle_text(element.world.number, element.number) + ' ' +
           element.shown;
    if (const auto from = s->details[i].find_first_not_of(' '); from != std::string::npos)
      out += ' ' + s->details[i].substr(from, s->details[i].find_last_not_of(' ') - from + 1);
  }
  return out;
}

void element_search::is_there(const page_ptr& page, const element_choice& choice,
                              std::function<void(bool)> then) {
  const auto s = std::make_shared<search>();
  s->page = page;
  s->how = how_of(choice);
  s->most = 1;
  s->then = [then = std::move(then)](const search_ptr& done) {
    then(done->count > 0 && !done->hidden);
  };
  ask_each(s, "listed");
}

void element_search::list(const page_ptr& page, const element_choice& choice, std::size_t most,
                          std::function<void(std::string)> then) {
  const auto s = std::make_shared<search>();
  s->page = page;
  s->choice = choice;
  s->how = how_of(choice);
  s->begun = port_.self()->clock().now();
  s->most = most;
  s->then = [this, most, then = std::move(then)](const search_ptr& done) {
    if (done->found.empty())
      return then(!done->problem.empty() ? done->problem
                  : done->choice.empty() ? "the page has nothing to act on"
                                         : "nothing matches " + choice_words(done->choice));
    auto out = lines_of(done, most);
    if (done->count > most)
      out += "\nand " + std::to_string(done->count - most) + " more; say more of what is meant";
    then(out);
  };
  // One look, without waiting and without refusing several.
  s->patience = {};
  ask_each(s, choice.empty() ? "nearest" : "listed");
}

} // namespace gasoline
