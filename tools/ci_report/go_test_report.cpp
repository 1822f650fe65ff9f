#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"
#include "tools/ci_report/report_lines.hpp"
#include "tools/ci_report/report_readers.hpp"

#include <nlohmann/json.hpp>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <string>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t most_output_bytes = 2048;
constexpr std::size_t most_open_tests = 10'000;
constexpr std::size_t most_nesting = 8;

bool says_something(const std::string& output) {
  const auto first = output.find_first_not_of(" \t\r\n");
  if (first == std::string::npos)
    return false;
  return output.compare(first, 3, "===") != 0 && output.compare(first, 4, "--- ") != 0 &&
         output.compare(first, 4, "FAIL") != 0 && output.compare(first, 11, "exit status") != 0;
}

class go_test_document {
 public:
  explicit go_test_document(test_report& out) : out_(out) {}

  void take(const std::string& line) {
    if (line.empty() || line.front() != '{')
      return take_text(line);
    if (json_nesting(line) > most_nesting)
      return;
    const auto event = json::parse(line, nullptr, false);
    if (!event.is_object())
      return;
    const auto action = text_member(event, "Action");
    if (action.empty())
      return;
    any_ = true;
    const auto package = text_member(event, "Package");
    const auto test = text_member(event, "Test");
    if (action == "output")
      keep(package + " " + test, text_member(event, "Output"));
    else if (action == "build-output")
      keep(text_member(event, "ImportPath"), text_member(event, "Output"));
    else if (!test.empty())
      end_test(package, test, action);
    else if (action == "fail")
      end_package(package, text_member(event, "FailedBuild"), event);
    else if (action == "pass")
      take_time(event);
  }

  result_or<bool> finish() const {
    if (!any_)
      return tl::unexpected(user_error{"holds no events of `go test -json`"});
    return true;
  }

 private:
  // Before Go 1.24 what does not compile is told as text among the events.
  void take_text(const std::string& line) {
    static const RE2 failed{R"(^FAIL\t(\S+) \[(?:build|setup) failed\]$)"};
    std::string package;
    if (line.starts_with("# ")) {
      text_.clear();
    } else if (RE2::FullMatch(line, failed, &package)) {
      out_.add_fault(package, text_.empty() ? "does not compile" : text_);
      text_.clear();
      any_ = true;
    } else if (text_.size() < most_output_bytes) {
      text_.append(text_.empty() ? "" : "\n").append(line.substr(0, most_output_bytes));
    }
  }

  void keep(const std::string& key, const std::string& output) {
    if (!says_something(output) || (outputs_.size() >= most_open_tests && !outputs_.count(key)))
      return;
    auto& kept = outputs_[key];
    kept += output.substr(0, most_output_bytes - std::min(kept.size(), most_output_bytes));
  }

  std::string output_of(const std::string& key) {
    auto found = outputs_.extract(key);
    return found ? std::move(found.mapped()) : std::string{};
  }

  void end_test(const std::string& package, const std::string& test, const std::string& action) {
    if (action != "pass" && action != "fail" && action != "skip")
      return;
    const auto message = output_of(package + " " + test);
    const auto name = package + " " + test;
    if (action == "pass")
      return out_.add(name, test_outcome::passed);
    if (action == "skip")
      return out_.add(name, test_outcome::skipped);
    ++failed_in_package_;
    // A test whose parts failed says nothing of its own.
    const bool of_parts = last_failed_.compare(0, name.size() + 1, name + "/") == 0;
    last_failed_ = name;
    if (!of_parts || !message.empty())
      out_.add(name, test_outcome::failed, message);
  }

  void take_time(const json& event) {
    const auto found = event.find("Elapsed");
    if (found != event.end() && found->is_number())
      out_.add_duration(std::max(0.0, found->get<double>()) * 1000);
  }

  void end_package(const std::string& package, const std::string& build, const json& event) {
    take_time(event);
    if (failed_in_package_ == 0) {
      auto message = output_of(build.empty() ? package + " " : build);
      out_.add_fault(package, message.empty() ? "failed outside of its tests" : message);
    }
    failed_in_package_ = 0;
  }

  test_report& out_;
  std::map<std::string, std::string> outputs_; ///< of tests that have not ended, by name
  std::string last_failed_;
  std::string text_; ///< of the package that may turn out not to compile
  std::uint64_t failed_in_package_ = 0;
  bool any_ = false;
};

} // namespace

result_or<bool> read_go_test(std::istream& in, test_report& out) {
  go_test_document document{out};
  for (std::string line; read_report_line(in, line);)
    document.take(line);
  return document.finish();
}

} // namespace gasoline
