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
#include <cstdlib>
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

/// Of a shell's command, all of whose output was read.
struct command_times {
  double first_byte_ms = 0;
  double end_ms = 0;
};

command_times times_of(const std::string& command) {
  struct closer {
    void operator()(std::FILE* stream) const { ::pclose(stream); }
  };
  std::array<char, 65536> buffer{};
  const auto begin = std::chrono::steady_clock::now();
  const auto passed_ms = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  };
  std::unique_ptr<std::FILE, closer> output{::popen(command.c_str(), "r")};
  if (!output)
    return {};
  command_times out;
  if (::read(::fileno(output.get()), buffer.data(), buffer.size()) > 0)
    out.first_byte_ms = passed_ms();
  while (::read(::fileno(output.get()), buffer.data(), buffer.size()) > 0) {
  }
  output.reset();
  out.end_ms = passed_ms();
  return out;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

command_times median(const std::vector<command_times>& all) {
  std::vector<double> first_bytes;
  std::vector<double> ends;
  for (const auto& one : all) {
    first_bytes.push_back(one.first_byte_ms);
    ends.push_back(one.end_ms);
  }
  return {median(std::move(first_bytes)), median(std::move(ends))};
}

struct pair_of_times {
  command_times alone;
  command_times wrapped;
};

/// Both in turn, so that what else the machine does falls on both.
pair_of_times medians(const std::string& alone, const std::string& wrapped, int times) {
  std::vector<command_times> alone_times;
  std::vector<command_times> wrapped_times;
  for (int i = 0; i < times; ++i) {
    alone_times.push_back(times_of("exec " + alone));
    wrapped_times.push_back(times_of("exec " + wrapped));
  }
  return {median(alone_times), median(wrapped_times)};
}

std::string in_terminal(const std::string& command) {
  return "script -qec '" + command + "' /dev/null";
}

void much_output_row(const std::string& where, const pair_of_times& much, bench_table& table) {
  table.add({"50 MB of output " + where + ", under gasoline run", much.wrapped.end_ms, "ms",
             much.alone.end_ms, "ms alone", ratio_at_most(1.05)});
}

void short_command_row(const std::string& what, double wrapped_ms, double alone_ms,
                       bench_table& table) {
  table.add(
      {what + ", beyond its own", wrapped_ms - alone_ms, "ms", alone_ms, "ms alone", at_most(2.0)});
}

void run_command_rows(const mcp_server& engine, const bench_plan& plan, bench_table& table) {
  const auto run = (plan.binary_dir / "gasoline").string() + " run --state-dir " +
                   engine.state_dir().string() + " -- ";
  const std::string much{print_much};
  much_output_row("into a pipe", medians(much, run + much, plan.quick ? 5 : 15), table);
  if (std::system("command -v script >/dev/null") == 0) // NOLINT(concurrency-mt-unsafe)
    much_output_row("into a terminal",
                    medians(in_terminal(much), in_terminal(run + much), plan.quick ? 3 : 7), table);
  else
    table.note("no script(1): a command in a terminal is not measured");
  const auto word = medians("echo word", run + "echo word", plan.quick ? 50 : 200);
  short_command_row("start of a command under gasoline run", word.wrapped.first_byte_ms,
                    word.alone.first_byte_ms, table);
  short_command_row("the same until its end", word.wrapped.end_ms, word.alone.end_ms, table);
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
      {"processor time of ci watch between polls, an hour", per_hour, "ms", {}, "", at_most(0.0)});
}

} // namespace

void run_rows(const bench_plan& plan, bench_table& table) {
  const mcp_server engine{own_engine(plan.binary_dir)};
  run_command_rows(engine, plan, table);
  watch_rows(engine, plan, table);
}

} // namespace gasoline::bench
