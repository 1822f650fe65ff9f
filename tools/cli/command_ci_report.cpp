#include "tools/cli/command_ci_report.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "tools/ci_report/report_readers.hpp"
#include "tools/ci_report/working_tree.hpp"
#include "tools/terminal/engine_call.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::uintmax_t most_file_bytes = 512U << 20U;
constexpr std::size_t most_input_bytes = 64U << 20U;
constexpr std::size_t looked_at_bytes = 64U << 10U;

int complain_of(const std::string& sentence) {
  std::cerr << "gasoline: " << terminal_text(sentence) << '\n';
  return 1;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The variables of one CI system.
struct ci_system {
  const char* mark; ///< set by this system alone
  const char* source;
  const char* ref;
  const char* commit;
  const char* job;
};

constexpr ci_system ci_systems[] = {
    {"GITHUB_ACTIONS", "github-actions", "GITHUB_REF_NAME", "GITHUB_SHA", "GITHUB_JOB"},
    {"GITLAB_CI", "gitlab-ci", "CI_COMMIT_REF_NAME", "CI_COMMIT_SHA", "CI_JOB_NAME"},
    {"CIRCLECI", "circleci", "CIRCLE_BRANCH", "CIRCLE_SHA1", "CIRCLE_JOB"},
    {"BUILDKITE", "buildkite", "BUILDKITE_BRANCH", "BUILDKITE_COMMIT", "BUILDKITE_LABEL"},
    {"JENKINS_URL", "jenkins", "GIT_BRANCH", "GIT_COMMIT", "JOB_NAME"},
};

const ci_system* this_system() {
  for (const auto& system : ci_systems)
    if (!variable(system.mark).empty())
      return &system;
  return nullptr;
}

result_or<bool> read_format(report_format format, std::istream& in, test_report& out) {
  switch (format) {
  case report_format::junit:
    return read_junit(in, out);
  case report_format::tap:
    return read_tap(in, out);
  case report_format::go_test:
    return read_go_test(in, out);
  case report_format::annotations:
    return read_annotations(in, out);
  case report_format::libtest:
    return read_libtest(in, out);
  case report_format::unknown:
    break;
  }
  return true;
}

/// Reads a report. The name of its format, or of the tool that printed it, as a source of results.
result_or<std::string> read_stream(std::istream& in, test_report& out) {
  std::string beginning(looked_at_bytes, '\0');
  in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(in.gcount()));
  in.clear();
  in.seekg(0);
  if (beginning.find_first_not_of(" \t\r\n") == std::string::npos)
    return tl::unexpected(user_error{"is empty"});
  const auto format = format_of(beginning);
  if (format == report_format::unknown)
    return read_console(in, out);
  if (const auto done = read_format(format, in, out); !done)
    return tl::unexpected(done.error());
  return std::string{name_of(format)};
}

// What cannot be read twice is kept.
result_or<std::string> read_pipe(std::istream& pipe, test_report& out) {
  std::string text;
  std::string piece(looked_at_bytes, '\0');
  while (text.size() <= most_input_bytes && pipe) {
    pipe.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(pipe.gcount()));
  }
  if (text.size() > most_input_bytes)
    return tl::unexpected(user_error{"has more than 64 MB; write it into a file"});
  std::istringstream in{std::move(text)};
  return read_stream(in, out);
}

result_or<std::string> read_file(const std::string& name, test_report& out) {
  if (name == "-")
    return read_pipe(std::cin, out);
  std::error_code ec;
  if (std::filesystem::is_directory(name, ec))
    return tl::unexpected(user_error{"is a directory; name the files in it"});
  std::ifstream in{name, std::ios::binary};
  if (!in)
    return tl::unexpected(user_error{"cannot be opened: " + std::system_category().message(errno)});
  if (!std::filesystem::is_regular_file(name, ec))
    return read_pipe(in, out);
  if (std::filesystem::file_size(name, ec) > most_file_bytes)
    return tl::unexpected(user_error{"has more than 512 MB"});
  return read_stream(in, out);
}

json result_of(const test_report& report, const ci_report_options& options,
               const std::string& format) {
  const auto* const system = this_system();
  const auto chosen = [&](const std::string& told, const char* ci_system::*member) {
    return told.empty() && system != nullptr ? variable(system->*member) : told;
  };
  json failures = json::array();
  for (const auto& failure : report.failures())
    failures.push_back({{"name", failure.name}, {"message", failure.message}});
  auto ref = chosen(options.ref, &ci_system::ref);
  if (ref.empty())
    ref = working_tree_here().branch;
  json out{{"status", report.failed() > 0 ? "failure" : "success"},
           {"source", !options.source.empty() ? options.source
                      : system != nullptr     ? system->source
                                              : format},
           {"ref", ref},
           {"commit", chosen(options.commit, &ci_system::commit)},
           {"job", chosen(options.job, &ci_system::job)},
           {"summary", report.summary()},
           {"failures", failures}};
  if (report.duration_ms() > 0)
    out["duration_ms"] = report.duration_ms();
  if (const auto attempt = std::strtoul(variable("GITHUB_RUN_ATTEMPT").c_str(), nullptr, 10);
      attempt > 0)
    out["attempt"] = attempt;
  if (const auto run = variable("GITHUB_RUN_ID"); !run.empty())
    out["url"] = variable("GITHUB_SERVER_URL") + "/" + variable("GITHUB_REPOSITORY") +
                 "/actions/runs/" + run;
  else
    out["url"] = variable("CI_JOB_URL");
  return out;
}

} // namespace

int run_ci_report(const settings& config, const ci_report_options& options) {
  test_report report;
  std::string format;
  for (const auto& name : options.files) {
    const auto done = read_file(name, report);
    if (!done)
      return complain_of((name == "-" ? "standard input" : name) + " " + done.error().message +
                         ". Nothing was told to the engine.");
    format = *done;
  }
  if (report.empty() && format != name_of(report_format::annotations))
    return complain_of("The report tells of no test at all. Nothing was told to the engine.");
  const auto body = result_of(report, options, format);
  const auto answer = call_engine(config, {"POST", "/ci-result", dumped(body), {}, {}});
  if (!answer)
    return complain_of(answer.error().message);
  if (answer->status >= 300)
    return complain_of(refusal_sentence(*answer));
  const auto summary = report.summary();
  std::cout << terminal_line(body.at("status").get<std::string>() + ": " +
                             (summary.empty() ? "no errors" : summary))
            << std::endl;
  return 0;
}

} // namespace gasoline
