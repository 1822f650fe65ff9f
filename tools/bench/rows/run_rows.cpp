// What a command pays for being run by `gasoline run`, and what `ci watch` costs between its polls.
#include "tools/bench/peers/process_status.hpp"
#include "tools/bench/rows/rows.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace gasoline::bench {
namespace {

constexpr int watch_ms = 4000;
/// About 50 MB of lines.
constexpr const char* print_much = "seq 1000000 7200000";

/// Runs a shell's command and reads all that it prints; how long that took.
double milliseconds_of(const std::string& command) {
  struct closer {
    void operator()(std::FILE* stream) const { ::pclose(stream); }
  };
  std::array<char, 65536> buffer{};
  const auto begin = std::chrono::steady_clock::now();
  std::unique_ptr<std::FILE, closer> output{::popen(command.c_str(), "r")};
  if (!output)
    return 0;
  while (::read(::fileno(output.get()), buffer.data(), buffer.size()) > 0) {
  }
  output.reset();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct pair_of_times {
  double alone = 0;
  double wrapped = 0;
};

/// Both in turn, so that what else the machine does falls on both.
pair_of_times medians(const std::string& command, const std::string& run, int times) {
  std::vector<double> alone;
  std::vector<double> wrapped;
  for (int i = 0; i < times; ++i) {
    alone.push_back(milliseconds_of("exec " + command));
    wrapped.push_back(milliseconds_of("exec " + run + command));
  }
  return {median(std::move(alone)), median(std::move(wrapped))};
}

void run_command_rows(const mcp_server& engine, const bench_plan& plan, bench_table& table) {
  const auto run = (plan.binary_dir / "gasoline").string() + " run --state-dir " +
                   engine.state_dir().string() + " -- ";
  const auto much = medians(print_much, run, plan.quick ? 5 : 15);
  table.add({"a command that prints 50 MB, under gasoline run",
             much.wrapped,
             "ms",
             much.alone,
             "ms alone",
             {},
             1.05,
             {}});
  const auto nothing = medians("true", run, plan.quick ? 50 : 200);
  table.add({"start of a command under gasoline run, beyond its own",
             nothing.wrapped - nothing.alone,
             "ms",
             nothing.alone,
             "ms alone",
             2.0,
             {},
             {}});
}

/// A `gh` that knows no run, on a path of its own, and a working tree of git.
class quiet_ci {
 public:
  explicit quiet_ci(const std::filesystem::path& root) : root_(root) {
    std::filesystem::create_directories(root_ / ".git");
    std::filesystem::create_directories(root_ / "bin");
    std::ofstream{root_ / ".git" / "HEAD"} << "ref: refs/heads/main\n";
    std::ofstream{root_ / ".git" / "config"}
        << "[remote \"origin\"]\n\turl = git@github.com:o/shop.git\n";
    std::ofstream{root_ / "bin" / "gh"} << "#!/bin/sh\necho x >> " << calls().string()
                                        << "\necho '[]'\n";
    ::chmod((root_ / "bin" / "gh").c_str(), S_IRWXU);
  }

  std::string path() const { return (root_ / "bin").string() + ":/usr/bin:/bin"; }
  std::filesystem::path calls() const { return root_ / "calls"; }
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

double processor_ms(pid_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/stat"};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  // Behind the name, which may hold anything: the 12th and 13th are ticks of user and system.
  std::istringstream rest{text.substr(std::min(text.rfind(')') + 2, text.size()))};
  std::vector<std::string> fields{std::istream_iterator<std::string>{rest}, {}};
  if (fields.size() < 13)
    return 0;
  const auto ticks = std::stod(fields[11]) + std::stod(fields[12]);
  return ticks * 1000 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void watch_rows(const mcp_server& engine, const bench_plan& plan, bench_table& table) {
  const quiet_ci ci{engine.state_dir() / "tree"};
  child_process watch{{"/usr/bin/env", "-C", ci.root().string(), "PATH=" + ci.path(),
                       (plan.binary_dir / "gasoline").string(), "ci", "watch", "--state-dir",
                       engine.state_dir().string()}};
  for (int waited = 0; waited < 10'000 && !std::filesystem::exists(ci.calls()); waited += 50)
    ::poll(nullptr, 0, 50);
  ::poll(nullptr, 0, 1000); // the first look is over
  const auto before = processor_ms(watch.pid());
  ::poll(nullptr, 0, watch_ms);
  const auto per_hour = (processor_ms(watch.pid()) - before) * 3'600'000 / watch_ms;
  table.add(
      {"processor time of ci watch between polls, an hour", per_hour, "ms", {}, "", 0.0, {}, {}});
}

} // namespace

void run_rows(const bench_plan& plan, bench_table& table) {
  const mcp_server engine{own_engine(plan.binary_dir)};
  run_command_rows(engine, plan, table);
  watch_rows(engine, plan, table);
}

} // namespace gasoline::bench
