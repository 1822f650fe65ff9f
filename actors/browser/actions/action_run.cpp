#include "actors/browser/actions/action_run.hpp"

#include "messages/base/presentable_text.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_effects = 8;
constexpr std::size_t most_quoted_bytes = 120;

} // namespace

void note_effect(action_run& run, std::string effect) {
  const bool is_known =
      std::find(run.effects.begin(), run.effects.end(), effect) != run.effects.end();
  if (!is_known && run.effects.size() < most_effects)
    run.effects.push_back(std::move(effect));
}

std::string dialog_words(const page_dialog& dialog) {
  return dialog.type + " dialog" + (dialog.text.empty() ? "" : ' ' + page_quote(dialog.text));
}

std::string page_quote(std::string_view text) {
  const auto shown = utf8_beginning(text, most_quoted_bytes);
  std::string out{shown};
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  make_presentable(out);
  return '"' + out + (shown.size() < text.size() ? "…\"" : "\"");
}

} // namespace gasoline
