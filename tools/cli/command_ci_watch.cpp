#include "tools/cli/command_ci_watch.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "tools/ci_report/working_tree.hpp"
#include "tools/ci_watch/ci_program.hpp"
#include "tools/ci_watch/run_result.hpp"
#include "tools/ci_watch/run_watch.hpp"
#include "tools/terminal/engine_call.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <thread>

namespace gasoline {
namespace {

std::unique_ptr<ci_program> program_for(const std::string& asked, const working_tree& tree) {
  if (asked == "glab" || (asked.empty() && tree.remote.find("gitlab") != std::string::npos))
    return make_glab_program();
  return make_gh_program();
}

void say(const std::string& line) {
  std::cout << terminal_line(line) << std::endl;
}

void complain_once(std::string& last, const std::string& sentence) {
  if (sentence == last)
    return;
  last = sentence;
  std::cerr << "gasoline: " << terminal_text(sentence) << '\n';
}

/// Nothing failed and nothing passed.
bool is_worth_telling(const std::string& result) {
  for (const auto* word : {"cancelled", "canceled", "skipped", "neutral", "stale"})
    if (result == word)
      return false;
  return true;
}

class ci_watcher {
 public:
  ci_watcher(const settings& config, const ci_watch_options& options, std::unique_ptr<ci_program> p)
      : config_(config),
        pace_(std::chrono::seconds{options.every_seconds}),
        program_(std::move(p)) {}

  /// One look; how long to wait for the next.
  std::chrono::seconds look() {
    const auto branch = working_tree_here().branch;
    if (branch.empty()) {
      complain_once(complaint_, "No branch is checked out here; waiting for one.");
      return pace_.after_nothing();
    }
    const auto listed = program_->runs(branch);
    if (!listed) {
      complain_once(complaint_, listed.error().message + ".");
      return pace_.after_failure();
    }
    complaint_.clear();
    has_list_ = true;
    if (branch != branch_)
      say("watching the runs of " + branch + " with " + program_->name() + ", " +
          std::to_string(listed->size()) + " so far");
    branch_ = branch;
    const auto ended = watch_.take(branch, *listed);
    for (const auto& run : ended)
      if (is_worth_telling(run.result))
        waiting_.push_back(result_of_run(program_->look_into(run), program_->source()));
    tell();
    return watch_.is_running() || !ended.empty() ? pace_.after_news() : pace_.after_nothing();
  }

  /// Whether the program has ever told of runs.
  bool has_list() const { return has_list_; }

 private:
  /// What no engine takes now waits for the next look.
  void tell() {
    constexpr std::size_t most_waiting = 50;
    while (!waiting_.empty()) {
      const auto& body = waiting_.front();
      const auto answer = call_engine(config_, {"POST", "/ci-result", dumped(body), {}, {}});
      if (!answer) {
        complain_once(complaint_, answer.error().message);
        break;
      }
      if (answer->status >= 300)
        complain_once(complaint_, refusal_sentence(*answer));
      say(body.value("status", "") + ": " + body.value("job", "") + " " +
          body.value("summary", ""));
      waiting_.erase(waiting_.begin());
    }
    if (waiting_.size() > most_waiting)
      waiting_.erase(waiting_.begin(), waiting_.end() - most_waiting);
  }

  const settings& config_;
  poll_pace pace_;
  std::unique_ptr<ci_program> program_;
  run_watch watch_;
  std::string branch_;
  std::string complaint_; ///< the last one, which is not repeated
  bool has_list_ = false;
  std::vector<nlohmann::json> waiting_; ///< results that the engine has yet to take, oldest first
};

} // namespace

int run_ci_watch(const settings& config, const ci_watch_options& options) {
  const auto tree = working_tree_here();
  if (tree.branch.empty() && tree.remote.empty()) {
    std::cerr << "gasoline: This directory is no working tree of git; start it in one.\n";
    return 1;
  }
  ci_watcher watcher{config, options, program_for(options.program, tree)};
  auto wait = watcher.look();
  if (!watcher.has_list() && !tree.branch.empty())
    return 1; // what is wrong at once is wrong for good: no program, no login
  for (;;) {
    std::this_thread::sleep_for(wait);
    wait = watcher.look();
  }
}

} // namespace gasoline
