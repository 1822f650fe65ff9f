#include "actors/mcp_tools/interact/answer/other_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>

namespace gasoline {
namespace {

using word_row = std::pair<std::string_view, std::string_view>;

// In small letters, without what may stand between words.
constexpr std::array<word_row, 63> other_actions{{
    {"goto", "navigate"},
    {"open", "navigate"},
    {"openurl", "navigate"},
    {"visit", "navigate"},
    {"browse", "navigate"},
    {"navigatepage", "navigate"},
    {"back", "navigate with url back"},
    {"goback", "navigate with url back"},
    {"navigateback", "navigate with url back"},
    {"forward", "navigate with url forward"},
    {"goforward", "navigate with url forward"},
    {"navigateforward", "navigate with url forward"},
    {"reload", "navigate with url reload"},
    {"refresh", "navigate with url reload"},
    {"tap", "click"},
    {"leftclick", "click"},
    {"dblclick", "click with kind double"},
    {"doubleclick", "click with kind double"},
    {"rightclick", "click with kind right"},
    {"contextmenu", "click with kind right"},
    {"input", "fill or type"},
    {"settext", "fill"},
    {"setvalue", "fill"},
    {"fillform", "fill with fields"},
    {"clear", "fill with an empty value"},
    {"typetext", "type"},
    {"sendkeys", "type or press"},
    {"selectoption", "select"},
    {"choose", "select"},
    {"uncheck", "check with accept false"},
    {"toggle", "click"},
    {"submit", "press with key Enter, or click its button"},
    {"presskey", "press"},
    {"keypress", "press"},
    {"key", "press"},
    {"mouseover", "hover"},
    {"wait", "wait_for"},
    {"sleep", "wait_for with seconds"},
    {"waitforselector", "wait_for with css"},
    {"waitfortext", "wait_for with text"},
    {"eval", "evaluate"},
    {"executejs", "evaluate"},
    {"executescript", "evaluate"},
    {"execute", "evaluate"},
    {"runscript", "evaluate"},
    {"takescreenshot", "screenshot"},
    {"takesnapshot", "snapshot"},
    {"gettext", "read"},
    {"getcontent", "read"},
    {"listpages", "tabs"},
    {"listtabs", "tabs"},
    {"newtab", "tabs with do open"},
    {"newpage", "tabs with do open"},
    {"closetab", "tabs with do close"},
    {"closepage", "tabs with do close"},
    {"switchtab", "tabs with do choose"},
    {"selectpage", "tabs with do choose"},
    {"handledialog", "dialog"},
    {"acceptdialog", "dialog"},
    {"dismissdialog", "dialog with accept false"},
    {"resize", "emulate with fields.viewport"},
    {"uploadfile", "upload"},
    {"draganddrop", "drag"},
}};

constexpr std::array<word_row, 54> other_parameters{{
    {"selector", "css"},
    {"cssselector", "css"},
    {"xpath", "css, or role and name"},
    {"locator", "css, or role and name"},
    {"ref", "handle"},
    {"uid", "handle"},
    {"elementid", "handle"},
    {"id", "handle"},
    {"element", "text, or role and name"},
    {"target", "text, or role and name; where it is dragged: to"},
    {"x", "the element, such as by text: there are no coordinates"},
    {"y", "the element, such as by text: there are no coordinates"},
    {"coordinate", "the element, such as by text: there are no coordinates"},
    {"placeholder", "label"},
    {"field", "label"},
    {"query", "text"},
    {"href", "url"},
    {"address", "url"},
    {"input", "value"},
    {"content", "value"},
    {"option", "value"},
    {"options", "value"},
    {"values", "value"},
    {"prompttext", "value"},
    {"form", "fields"},
    {"keys", "key"},
    {"timeout", "timeout_ms"},
    {"timeoutseconds", "timeout_ms"},
    {"script", "expression"},
    {"code", "expression"},
    {"function", "expression"},
    {"js", "expression"},
    {"javascript", "expression"},
    {"file", "files"},
    {"paths", "files"},
    {"filepath", "files"},
    {"fullpage", "whole"},
    {"double", "kind double"},
    {"doubleclick", "kind double"},
    {"clickcount", "kind double"},
    {"button", "kind right for the right button"},
    {"checked", "accept"},
    {"from", "handle, text or css for what is dragged"},
    {"source", "handle, text or css for what is dragged"},
    {"destination", "to"},
    {"direction", "to for scroll, url for back, forward and reload"},
    {"amount", "to"},
    {"time", "seconds"},
    {"duration", "seconds"},
    {"networkidle", "nothing: without an element the page is waited for until it is quiet"},
    {"viewport", "fields"},
    {"device", "fields"},
    {"tab", "page"},
    {"tabid", "page"},
}};

/// Without blanks, lines and the case of letters, in which the words of tools differ.
std::string bare_word(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string out;
  for (const char c : word.substr(0, longest))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

template <std::size_t N>
std::string_view row_meant_by(const std::array<word_row, N>& rows, std::string_view word) {
  const auto name = bare_word(word);
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const word_row& row) { return row.first == name; });
  return found == rows.end() ? std::string_view{} : found->second;
}

} // namespace

std::string_view action_meant_by(std::string_view word) {
  return row_meant_by(other_actions, word);
}

std::string_view parameter_meant_by(std::string_view word) {
  return row_meant_by(other_parameters, word);
}

} // namespace gasoline
