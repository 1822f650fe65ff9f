#include "tools/run/findings/test_runs.hpp"

#include "tools/run/findings/line_expression.hpp"
#include "tools/run/findings/test_rules.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>

namespace gasoline {
namespace {

constexpr std::size_t most_failures = 100;
constexpr std::size_t most_message_bytes = 1024;

/// The compiled expressions of one row; none where the row has none.
struct compiled_rule {
  line_expression begins;
  line_expression failed;
  line_expression describes;
  line_expression details;
  line_expression summary;
  line_expression recap;
};

const std::vector<compiled_rule>& compiled_rules() {
  static const auto rules = [] {
    std::vector<compiled_rule> out;
    for (const auto& rule : test_rules())
      out.push_back({compiled_line(rule.begins), compiled_line(rule.failed),
                     compiled_line(rule.describes), compiled_line(rule.details),
                     compiled_line(rule.summary), compiled_line(rule.recap)});
    return out;
  }();
  return rules;
}

/// The first group, and the second where there is one.
bool groups_in(const line_expression& expression, std::string_view line, std::string& first,
               std::string& second) {
  if (!expression)
    return false;
  const re2::StringPiece text{line.data(), line.size()};
  return expression->NumberOfCapturingGroups() > 1
             ? RE2::PartialMatch(text, *expression, &first, &second)
             : RE2::PartialMatch(text, *expression, &first);
}

std::uint32_t number_before(std::string_view line, const RE2& word) {
  std::uint32_t out = 0;
  RE2::PartialMatch({line.data(), line.size()}, word, &out);
  return out;
}

/// The number of the alternative that was found.
std::uint32_t first_number(std::string_view line, const RE2& alternatives) {
  std::string first;
  std::string second;
  std::string third;
  if (!RE2::PartialMatch({line.data(), line.size()}, alternatives, &first, &second, &third))
    return 0;
  return static_cast<std::uint32_t>(std::strtoul((first + second + third).c_str(), nullptr, 10));
}

} // namespace

void test_runs::begin(std::size_t rule) {
  if (running_ && rule_ == rule)
    return;
  running_ = true;
  rule_ = rule;
  run_ = {};
  run_.tool = test_rules()[rule].tool;
  wants_message_ = explanation_follows_ = explains_ = false;
  told_all_ = false;
  failed_part_ = false;
  described_.clear();
  descriptions_.clear();
}

void test_runs::add(std::string name, std::string message) {
  const auto same = [&](const failed_test& t) { return t.name == name; };
  if (const auto told = std::find_if(descriptions_.begin(), descriptions_.end(), same);
      message.empty() && told != descriptions_.end())
    message = told->message;
  const auto known = std::find_if(run_.failures.begin(), run_.failures.end(), same);
  wants_message_ = explanation_follows_ = explains_ = false;
  described_.clear();
  if (known != run_.failures.end()) {
    if (known->message.empty())
      known->message = std::move(message);
    return;
  }
  ++run_.failed;
  if (run_.failures.size() >= most_failures)
    return;
  wants_message_ = test_rules()[rule_].message_follows && message.empty();
  message.resize(std::min(message.size(), most_message_bytes));
  run_.failures.push_back({std::move(name), std::move(message)});
}

std::optional<output_finding> test_runs::take(std::size_t rule, std::string_view line) {
  const auto& row = compiled_rules()[rule];
  // Runners print alike; only the one whose run is under way is heard.
  if (!running_ && found_in(row.begins, line))
    begin(rule);
  if (running_ && rule_ != rule)
    return std::nullopt;
  std::string name;
  std::string message;
  const bool ends = found_in(row.summary, line);
  if (!running_ && !(ends && !test_rules()[rule].passes_at_end))
    return std::nullopt;
  if (!running_)
    begin(rule);
  if (ends)
    return end(line);
  if (groups_in(row.failed, line, name, message)) {
    if (name != "Console")
      add(std::move(name), std::move(message));
  } else if (groups_in(row.describes, line, name, message)) {
    described_ = name;
  } else if (groups_in(row.details, line, message, name)) {
    wants_message_ = message.empty() && !run_.failures.empty();
    explanation_follows_ = test_rules()[rule].explained_below && !run_.failures.empty();
    describe(message);
  } else if (found_in(row.recap, line)) {
    told_all_ = true;
    wants_message_ = false;
    untold_pass_ = run_.failed == 0;
  }
  return std::nullopt;
}

void test_runs::describe(const std::string& message) {
  if (!running_ || told_all_)
    return;
  if (described_.empty()) {
    if (!run_.failures.empty() && run_.failures.back().message.empty())
      run_.failures.back().message = message.substr(0, most_message_bytes);
    return;
  }
  const auto known = std::find_if(run_.failures.begin(), run_.failures.end(),
                                  [&](const failed_test& t) { return t.name == described_; });
  if (known != run_.failures.end() && known->message.empty())
    known->message = message.substr(0, most_message_bytes);
  else if (known == run_.failures.end() && descriptions_.size() < most_failures)
    descriptions_.push_back({described_, message.substr(0, most_message_bytes)});
  described_.clear();
}

void test_runs::take_other(std::string_view line) {
  if (!running_)
    return;
  const auto text = without_indent(line);
  if (explains_)
    return explain(text);
  if (explanation_follows_ && text.empty()) {
    explanation_follows_ = false;
    explains_ = true;
    explanation_.clear();
    return;
  }
  if (!wants_message_ || text.empty())
    return;
  wants_message_ = false;
  run_.failures.back().message = text.substr(0, most_message_bytes);
}

// "expected: 4" and "got: 3" are two lines; below them come an empty one or the frames.
void test_runs::explain(std::string_view text) {
  if (text.starts_with("# "))
    explains_ = false;
  if (text.empty() || !explains_) {
    explains_ = explains_ && explanation_.empty();
    return;
  }
  explanation_.append(explanation_.empty() ? "" : " ").append(text);
  explanation_.resize(std::min(explanation_.size(), most_message_bytes));
  run_.failures.back().message = explanation_;
}

std::optional<output_finding> test_runs::end(std::string_view summary) {
  static const RE2 failed{R"((\d+) (?:failed|failures?)\b)"};
  static const RE2 errors{R"((\d+) errors?\b)"};
  static const RE2 passed{R"((\d+) passed\b)"};
  static const RE2 examples{R"((\d+) examples?\b|^Tests: (\d+), |^OK \((\d+) tests?)"};
  static const RE2 counted{R"(\b(?:Failures|Errors): (\d+))"};
  auto told = number_before(summary, failed) + number_before(summary, errors);
  re2::StringPiece rest{summary.data(), summary.size()};
  for (std::uint32_t more = 0; RE2::FindAndConsume(&rest, counted, &more);)
    told += more;
  run_.failed = std::max(run_.failed, told);
  const auto all = first_number(summary, examples);
  run_.passed += number_before(summary, passed) + (all > told ? all - told : 0);
  if (summary.starts_with("FAIL"))
    failed_part_ = true;
  if (run_.failed == 0 && !failed_part_ && test_rules()[rule_].passes_at_end) {
    untold_pass_ = true;
    return std::nullopt;
  }
  return close();
}

output_finding test_runs::close() {
  running_ = false;
  untold_pass_ = false;
  const bool failed = run_.failed > 0 || failed_part_;
  part_failed_ = part_failed_ || failed;
  run_.kind = failed ? output_finding_kind::tests_failed : output_finding_kind::tests_passed;
  run_.message = failed ? std::to_string(std::max<std::uint32_t>(run_.failed, 1)) + " failed" : "";
  if (run_.passed > 0)
    run_.message += (failed ? ", " : "") + std::to_string(run_.passed) + " passed";
  if (run_.message.empty())
    run_.message = "passed";
  return std::move(run_);
}

std::optional<output_finding> test_runs::pause() {
  if (!running_ || !told_all_)
    return std::nullopt;
  return close();
}

std::optional<output_finding> test_runs::finish() {
  if (!running_)
    return std::nullopt;
  const bool go = std::string_view{run_.tool} == "go";
  if (run_.failed > 0 || ((untold_pass_ || go) && !part_failed_))
    return close();
  running_ = false;
  return std::nullopt;
}

} // namespace gasoline
