#pragma once

#include "messages/base/enum_names.hpp"
#include "messages/base/identity/client_id.hpp"
#include "messages/mcp/tool.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// What is done in a page. `overview` says what the page shows, in short.
enum class browser_verb : std::uint8_t {
  navigate,
  click,
  type,
  fill,
  select,
  check,
  press,
  hover,
  find,
  snapshot,
  read,
  wait_for,
  screenshot,
  evaluate,
  accessibility, ///< for `analyze`: what of the page some people cannot use, as JSON
  measures,      ///< for `analyze`: what the page measured of its own speed, as JSON
  dialog,
  tabs,
  scroll,
  drag,
  upload,
  emulate,
  highlight,
  overview
};

/// How an element is clicked.
enum class click_kind : std::uint8_t { single, twice, right };

template <>
struct enum_table<click_kind> {
  static constexpr std::array<std::pair<click_kind, std::string_view>, 3> rows{{
      {click_kind::single, "single"},
      {click_kind::twice, "double"},
      {click_kind::right, "right"},
  }};
};

/// What is done with tabs.
enum class tab_change : std::uint8_t { list, open, close, choose };

template <>
struct enum_table<tab_change> {
  static constexpr std::array<std::pair<tab_change, std::string_view>, 4> rows{{
      {tab_change::list, "list"},
      {tab_change::open, "open"},
      {tab_change::close, "close"},
      {tab_change::choose, "choose"},
  }};
};

/// Which element is meant: by one of these, a name with its role.
struct element_choice {
  std::string handle; ///< as an answer gave it: `w3e12`
  std::string role;
  std::string name;
  std::string text;
  std::string label;
  std::string testid;
  std::string css;

  bool empty() const {
    return handle.empty() && role.empty() && name.empty() && text.empty() && label.empty() &&
           testid.empty() && css.empty();
  }
};

/// One thing to do in a page.
struct browser_action {
  browser_verb verb = browser_verb::navigate;
  client_id client = 0;
  std::string page; ///< handle of a page; empty: the client's own
  element_choice element;
  std::string url;                  ///< also back, forward, reload; wait_for: a part of it
  std::optional<std::string> value; ///< what is typed, filled in, chosen, answered
  std::string secret;               ///< name of the secret that is the value; empty: none is
  nlohmann::ordered_json fields;    ///< of a form: label to text or true; null: none
  std::string to;                   ///< where it is scrolled, or the element it is dragged to
  std::vector<std::string> files;   ///< to be uploaded
  std::string key;
  std::string expression;     ///< JavaScript
  std::optional<bool> accept; ///< of a dialog; of a box: whether it shall be checked
  click_kind click = click_kind::single;
  tab_change tabs = tab_change::list;
  bool whole = false;                       ///< of a page, not only what is on the screen
  bool gone = false;                        ///< wait_for: until it is not there any more
  std::optional<std::chrono::seconds> rest; ///< wait_for: so long, whatever happens
  bool alone = false; ///< of a page that is opened: it shares no cookies or stores with others
  std::optional<std::chrono::milliseconds> timeout;
};

/// What came of it.
struct action_report {
  bool refused = false; ///< it was not done; `text` says why and what to do
  std::string text;     ///< not redacted yet
  std::string page;     ///< the page's handle; events of it have it as `tab`
  std::vector<image_block> images;
};

} // namespace gasoline
