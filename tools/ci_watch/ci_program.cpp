#include "tools/ci_watch/ci_program.hpp"

#include "tools/ci_watch/command_output.hpp"
#include "tools/ci_watch/run_watch.hpp"

#include <chrono>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

constexpr auto list_patience = 30s;
constexpr auto log_patience = 120s;
constexpr std::size_t most_list_bytes = 8U << 20U;
constexpr std::size_t most_log_bytes = 4U << 20U;
/// Whose logs are asked for one by one.
constexpr std::size_t most_logs = 5;

std::string first_words(const std::string& text) {
  constexpr std::size_t most = 200;
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos)
    return {};
  return text.substr(begin, std::min(text.find_first_of("\r\n", begin) - begin, most));
}

/// What a command printed; the error says why that is nothing.
result_or<std::string> printed_by(const std::vector<std::string>& command,
                                  std::chrono::seconds patience, std::size_t most_bytes) {
  auto output = output_of(command, patience, most_bytes);
  const auto& program = command.front();
  if (output.is_missing)
    return tl::unexpected(user_error{program + " is not installed; install it and log in with `" +
                                     program + " auth login`"});
  if (output.is_late)
    return tl::unexpected(user_error{program + " did not answer in time"});
  if (output.exit_code != 0) {
    const auto words = first_words(output.errors.empty() ? output.out : output.errors);
    return tl::unexpected(user_error{program + " failed with exit code " +
                                     std::to_string(output.exit_code) +
                                     (words.empty() ? "" : ": " + words)});
  }
  return std::move(output.out);
}

class gh_program final : public ci_program {
 public:
  std::string name() const override { return "gh"; }
  std::string source() const override { return "github-actions"; }

  // Names of workflows that an organization requires cannot be asked for by everybody (cli#9228).
  result_or<std::vector<watched_run>> runs(const std::string& branch) override {
    auto text = list(branch, fields + ",workflowName");
    if (!text && text.error().message.find("workflow") != std::string::npos)
      text = list(branch, fields);
    if (!text)
      return tl::unexpected(text.error());
    return read_gh_runs(*text);
  }

  run_report look_into(const watched_run& run) override {
    run_report out{run, {}, {}};
    const auto jobs =
        printed_by({"gh", "run", "view", run.id, "--json", "jobs"}, list_patience, most_list_bytes);
    if (auto read = jobs ? read_gh_jobs(*jobs) : tl::unexpected(jobs.error()); read)
      out.jobs = std::move(*read);
    if (out.jobs.empty())
      return out;
    const auto log =
        printed_by({"gh", "run", "view", run.id, "--log-failed"}, log_patience, most_log_bytes);
    for (const auto& job : out.jobs)
      out.logs.push_back(log ? log_of_job(*log, job.name) : std::string{});
    return out;
  }

 private:
  static result_or<std::string> list(const std::string& branch, const std::string& columns) {
    return printed_by({"gh", "run", "list", "--branch", branch, "--limit", "20", "--json", columns},
                      list_patience, most_list_bytes);
  }

  inline static const std::string fields =
      "conclusion,databaseId,displayTitle,headBranch,headSha,startedAt,status,updatedAt,url";
};

class glab_program final : public ci_program {
 public:
  std::string name() const override { return "glab"; }
  std::string source() const override { return "gitlab-ci"; }

  result_or<std::vector<watched_run>> runs(const std::string& branch) override {
    const auto text = printed_by({"glab", "ci", "list", "-F", "json", "-r", branch, "-P", "20"},
                                 list_patience, most_list_bytes);
    if (!text)
      return tl::unexpected(text.error());
    return read_glab_runs(*text);
  }

  run_report look_into(const watched_run& run) override {
    run_report out{run, {}, {}};
    const auto jobs = printed_by({"glab", "ci", "get", "-F", "json", "-d", "-p", run.id},
                                 list_patience, most_list_bytes);
    if (auto read = jobs ? read_glab_jobs(*jobs) : tl::unexpected(jobs.error()); read)
      out.jobs = std::move(*read);
    for (const auto& job : out.jobs) {
      if (out.logs.size() >= most_logs)
        break;
      const auto log = printed_by({"glab", "ci", "trace", job.id}, log_patience, most_log_bytes);
      out.logs.push_back(log.value_or(std::string{}));
    }
    return out;
  }
};

} // namespace

std::unique_ptr<ci_program> make_gh_program() {
  return std::make_unique<gh_program>();
}

std::unique_ptr<ci_program> make_glab_program() {
  return std::make_unique<glab_program>();
}

} // namespace gasoline
