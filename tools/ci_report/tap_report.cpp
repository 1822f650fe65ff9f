#include "tools/ci_report/report_lines.hpp"
#include "tools/ci_report/report_readers.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t most_open = 1000;
constexpr std::size_t shown_message_bytes = 1024;

/// A failure that may turn out to be part of one further out.
struct tap_failure {
  std::size_t depth = 0;
  std::string name;
  std::string message;
};

/// A result with `{` behind it, whose parts follow.
struct tap_group {
  std::size_t depth = 0;
  std::string name;
  bool failed = false;
  bool told = false; ///< one of its parts has failed
};

class tap_document {
 public:
  explicit tap_document(test_report& out) : out_(out) {}

  void take(const std::string& line) {
    static const RE2 result{R"(^( *)(not )?ok\b(?: (\d+))?(?: -)? ?(.*)$)"};
    static const RE2 plan{R"(^1\.\.(\d+))"};
    static const RE2 bail{R"(^ *Bail out!\s*(.*)$)"};
    std::string indent;
    std::string no;
    std::string number;
    std::string text;
    if (in_block_ && take_block(line))
      return;
    if (RE2::FullMatch(line, result, &indent, &no, &number, &text))
      return take_result(indent.size(), !no.empty(), number, text);
    if (!groups_.empty() && line == std::string(groups_.back().depth, ' ') + "}") {
      end_group();
    } else if (RE2::FullMatch(line, bail, &text)) {
      settle(0);
      out_.add_fault("Bail out!", text);
      ended_ = true;
    } else if (RE2::PartialMatch(line, plan, &number)) {
      planned_ = std::strtoul(number.c_str(), nullptr, 10);
      has_plan_ = true;
    } else if (line.find_first_not_of(' ') != std::string::npos &&
               line.compare(line.find_first_not_of(' '), std::string::npos, "---") == 0) {
      in_block_ = true;
    }
  }

  result_or<bool> finish() {
    while (!groups_.empty())
      end_group();
    settle(0);
    if (!has_plan_ && !any_ && !ended_)
      return tl::unexpected(user_error{"holds no result of a test in TAP"});
    if (has_plan_ && planned_ > seen_ && !ended_)
      out_.add_fault("plan", std::to_string(planned_) + " tests were planned, " +
                                 std::to_string(seen_) + " have ended");
    return true;
  }

 private:
  // The diagnostics of the result above, in YAML.
  bool take_block(const std::string& line) {
    static const RE2 message{R"(^\s*(?:message|error): *([|>]-?)?['"]? *(.*?)['"]?$)"};
    const auto first = line.find_first_not_of(' ');
    if (first == std::string::npos)
      return true;
    if (line.compare(first, std::string::npos, "...") == 0) {
      in_block_ = false;
      return true;
    }
    std::string text;
    if (failures_.empty() || !last_failed_)
      return true;
    auto& told = failures_.back().message;
    if (takes_next_ && told.empty())
      told = line.substr(first, shown_message_bytes);
    takes_next_ = false;
    std::string block;
    if (told.empty() && RE2::FullMatch(line, message, &block, &text)) {
      told = text.substr(0, shown_message_bytes);
      takes_next_ = !block.empty(); // else what follows are members, of which one is the message
    }
    return true;
  }

  void take_result(std::size_t depth, bool failed, const std::string& number,
                   const std::string& text) {
    static const RE2 directive{R"((?i)^(.*?)\s*#\s*(todo|skip)\b)"};
    any_ = true;
    if (depth == 0)
      ++seen_;
    std::string name = text;
    std::string word;
    const bool excused = RE2::PartialMatch(text, directive, &name, &word);
    const bool opens = name.ends_with(" {");
    name = name.substr(0, name.find(" # time="));
    if (opens && name.ends_with(" {"))
      name.resize(name.size() - 2);
    if (name.empty())
      name = "test " + number;
    if (opens && !excused && groups_.size() < most_open)
      return groups_.push_back({depth, name, failed});
    name = within_groups(std::move(name), failed && !excused);
    last_failed_ = failed && !excused;
    takes_next_ = false;
    if (excused)
      return leave_out(depth, name);
    if (!failed)
      return out_.add(name, test_outcome::passed);
    bool inner = false;
    for (auto& one : failures_)
      if (one.depth > depth) {
        one.depth = depth;
        one.name = name + " > " + one.name;
        inner = true;
      }
    last_failed_ = !inner;
    if (!inner && failures_.size() < most_open)
      failures_.push_back({depth, name, {}});
    else if (!inner)
      out_.add(name, test_outcome::failed);
  }

  // The name with those of the groups that it is in; of a failure they know then.
  std::string within_groups(std::string name, bool failed) {
    for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
      name.insert(0, group->name + " > ");
      group->told = group->told || failed;
    }
    return name;
  }

  // A result that is told of before its parts failed by itself only where none of them did.
  void end_group() {
    const auto group = groups_.back();
    groups_.pop_back();
    if (!group.failed || group.told)
      return;
    out_.add(within_groups(group.name, true), test_outcome::failed);
  }

  void leave_out(std::size_t depth, const std::string& name) {
    failures_.erase(std::remove_if(failures_.begin(), failures_.end(),
                                   [&](const tap_failure& f) { return f.depth > depth; }),
                    failures_.end());
    out_.add(name, test_outcome::skipped);
  }

  void settle(std::size_t depth) {
    for (const auto& one : failures_)
      if (one.depth >= depth)
        out_.add(one.name, test_outcome::failed, one.message);
    failures_.clear();
  }

  test_report& out_;
  std::vector<tap_group> groups_; ///< the innermost last
  std::vector<tap_failure> failures_;
  unsigned long planned_ = 0;
  unsigned long seen_ = 0;
  bool any_ = false;
  bool has_plan_ = false;
  bool ended_ = false;
  bool in_block_ = false;
  bool last_failed_ = false;
  bool takes_next_ = false;
};

} // namespace

result_or<bool> read_tap(std::istream& in, test_report& out) {
  tap_document document{out};
  for (std::string line; read_report_line(in, line);)
    document.take(line);
  return document.finish();
}

} // namespace gasoline
