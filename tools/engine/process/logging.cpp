#include "tools/engine/process/logging.hpp"

#include "messages/base/private_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spdlog/async.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>
#include <string_view>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t queue_lines = 1024;
constexpr std::size_t file_bytes = 5U << 20U;
constexpr std::size_t files_kept = 2;

void write_if_read(std::string_view text) {
  pollfd p{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&p, 1, 0) != 1 || (p.revents & POLLOUT) == 0)
    return;
  [[maybe_unused]] const auto n = ::write(STDERR_FILENO, text.data(), text.size());
}

/// Writes to stderr only while somebody reads it. Called by the logger's one thread.
class stderr_sink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    write_if_read({text.data(), text.size()});
  }

  void flush_() override {}
};

/// Called before each opening, also after a rotation: the log writes by name, so the name has to be
/// that of a file of ours, for our user alone.
void make_own_file(const spdlog::filename_t& file) {
  if (const auto made = open_own_file(file, O_WRONLY | O_CREAT); !made)
    throw spdlog::spdlog_ex(made.error().message);
}

void add_file(std::vector<spdlog::sink_ptr>& sinks, const std::filesystem::path& state_dir) {
  if (state_dir.empty())
    return;
  spdlog::file_event_handlers events;
  events.before_open = make_own_file;
  try {
    constexpr bool rotate_on_open = false;
    sinks.push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
        (state_dir / "gasoline.log").string(), file_bytes, files_kept, rotate_on_open, events));
  } catch (const spdlog::spdlog_ex& e) {
    say_on_stderr(std::string{"There is no log file: "} + e.what());
  }
}

} // namespace

void start_logging(const std::string& level, const std::filesystem::path& state_dir) {
  spdlog::init_thread_pool(queue_lines, 1);
  std::vector<spdlog::sink_ptr> sinks{std::make_shared<stderr_sink>()};
  add_file(sinks, state_dir);
  auto logger = std::make_shared<spdlog::async_logger>(
      "gasoline", sinks.begin(), sinks.end(), spdlog::thread_pool(),
      spdlog::async_overflow_policy::overrun_oldest);
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e gasoline %l: %v");
  logger->set_level(spdlog::level::from_str(level));
  logger->flush_on(spdlog::level::warn);
  spdlog::set_default_logger(std::move(logger));
}

void stop_logging() {
  spdlog::shutdown();
}

void say_on_stderr(const std::string& sentence) {
  write_if_read("gasoline: " + sentence + '\n');
}

} // namespace gasoline
