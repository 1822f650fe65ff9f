#include "tools/ci_report/test_report.hpp"

#include "messages/base/letters.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t most_tests = 100'000;
constexpr std::size_t most_messages = 100;
constexpr std::size_t most_message_bytes = 1024;
constexpr std::size_t most_name_bytes = 300;
constexpr std::size_t named_in_summary = 3;

/// Codes for colours, raw, as pytest spells them in XML, and as XML's reader hands on what it may
/// not hold.
std::string without_colours(std::string_view text) {
  static const RE2 code{R"((?:\x1B|\x7F|#x1B)(?:\[[0-9;?]*[A-Za-z])?)"};
  std::string out{text};
  RE2::GlobalReplace(&out, code, "");
  return out;
}

} // namespace

std::uint64_t& test_report::count_of(test_outcome outcome) {
  switch (outcome) {
  case test_outcome::failed:
    return failed_;
  case test_outcome::skipped:
    return skipped_;
  case test_outcome::passed:
    break;
  }
  return passed_;
}

void test_report::add(std::string_view name, test_outcome outcome, std::string_view message) {
  const auto plain = without_colours(name.substr(0, most_name_bytes));
  name = ascii::trimmed(plain);
  auto known = tests_.find(name);
  if (known == tests_.end()) {
    ++count_of(outcome);
    if (tests_.size() >= most_tests)
      return;
    known = tests_.emplace(std::string{name}, test{outcome, false, tests_.size(), {}}).first;
  } else {
    auto& before = known->second;
    --count_of(before.outcome);
    ++count_of(outcome);
    before.failed_before = before.failed_before || before.outcome == test_outcome::failed;
    before.outcome = outcome;
  }
  auto& now = known->second;
  if (outcome != test_outcome::failed || !now.message.empty() || kept_messages_ >= most_messages)
    return;
  ++kept_messages_;
  const auto shown = without_colours(message.substr(0, 2 * most_message_bytes));
  now.message = ascii::trimmed(shown).substr(0, most_message_bytes);
}

void test_report::add_passed_again(std::string_view name, std::string_view message) {
  add(name, test_outcome::failed, message);
  add(name, test_outcome::passed);
}

void test_report::add_fault(std::string_view name, std::string_view message) {
  add(name, test_outcome::failed, message);
}

std::vector<test_report::failure> test_report::failures() const {
  std::vector<std::pair<std::uint64_t, failure>> ordered;
  for (const auto& [name, t] : tests_)
    if (t.outcome == test_outcome::failed)
      ordered.push_back({t.order, {name, t.message}});
  std::sort(ordered.begin(), ordered.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<failure> out;
  for (auto& one : ordered)
    if (out.size() < most_messages)
      out.push_back(std::move(one.second));
  return out;
}

std::string test_report::summary() const {
  std::string out;
  const auto add_count = [&](std::uint64_t count, const char* word) {
    if (count > 0)
      out += (out.empty() ? "" : ", ") + std::to_string(count) + word;
  };
  add_count(failed_, " failed");
  add_count(passed_, " passed");
  add_count(skipped_, " skipped");
  std::uint64_t again = 0;
  std::string names;
  for (const auto& [name, t] : tests_)
    if (t.failed_before && t.outcome == test_outcome::passed && again++ < named_in_summary)
      names += (names.empty() ? "" : ", ") + name;
  if (again > 0)
    out += "; " + std::to_string(again) + " passed again after failing: " + names +
           (again > named_in_summary ? ", …" : "");
  return out;
}

} // namespace gasoline
