#include "tools/doctor/diagnosis.hpp"

#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

namespace gasoline {
namespace {

void print_row(std::ostream& out, std::string_view name, std::string_view value) {
  constexpr std::size_t column = 12;
  out << name << ':' << std::string(std::max(column, name.size() + 2) - name.size() - 1, ' ')
      << terminal_line(value) << '\n';
}

std::string_view word_of(finding_kind kind) {
  return kind == finding_kind::note ? "note" : "wrong";
}

} // namespace

void diagnosis::row(std::string_view name, std::string value) {
  rows_.push_back({std::string{name}, std::move(value)});
}

void diagnosis::note(std::string_view check, std::string sentence) {
  findings_.push_back({finding_kind::note, std::string{check}, std::move(sentence)});
}

void diagnosis::wrong(std::string_view check, std::string sentence) {
  findings_.push_back({finding_kind::wrong, std::string{check}, std::move(sentence)});
}

bool diagnosis::is_well() const {
  return std::none_of(findings_.begin(), findings_.end(),
                      [](const finding& f) { return f.kind == finding_kind::wrong; });
}

void diagnosis::print(std::ostream& out) const {
  for (const auto& r : rows_)
    print_row(out, r.name, r.value);
  for (const auto kind : {finding_kind::note, finding_kind::wrong})
    for (const auto& f : findings_)
      if (f.kind == kind)
        print_row(out, word_of(kind), f.sentence);
  if (is_well())
    print_row(out, "wrong", "nothing");
}

nlohmann::json diagnosis::document() const {
  auto checks = nlohmann::json::array();
  for (const auto& r : rows_)
    checks.push_back({{"name", r.name}, {"value", r.value}});
  auto found = nlohmann::json::array();
  for (const auto& f : findings_)
    found.push_back({{"kind", word_of(f.kind)}, {"check", f.check}, {"sentence", f.sentence}});
  return {{"ok", is_well()}, {"checks", std::move(checks)}, {"findings", std::move(found)}};
}

std::string counted_rest(std::size_t all, std::size_t shown) {
  return all > shown ? "and " + std::to_string(all - shown) + " more" : std::string{};
}

std::string span_text(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  const auto whole = [](double n) { return std::to_string(static_cast<long>(n)); };
  if (seconds < 2 * minute)
    return whole(seconds) + " s";
  return seconds < 2 * hour ? whole(seconds / minute) + " min" : whole(seconds / hour) + " h";
}

} // namespace gasoline
