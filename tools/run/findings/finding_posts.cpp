#include "tools/run/findings/finding_posts.hpp"

#include "messages/base/json/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr int signal_base = 128;

json entry(std::string_view name, const char* level, const char* type, std::string message) {
  return {{"level", level},           {"type", type},        {"message", std::move(message)},
          {"url", run_address(name)}, {"origin", "process"}, {"service", name},
          {"reported_by", "run"}};
}

engine_post log_post(const json& entry) {
  return {"/logs", dumped(entry)};
}

void add_place(json& out, const output_finding& found) {
  if (!found.file.empty())
    out["filename"] = found.file;
  if (found.line > 0)
    out["lineno"] = found.line;
  if (found.column > 0)
    out["colno"] = found.column;
}

engine_post error_post(const output_finding& found, std::string_view name) {
  auto out = entry(name, "error", "exception", found.message);
  out["reported_by"] = found.tool;
  if (!found.stack.empty())
    out["stack"] = found.stack;
  add_place(out, found);
  return log_post(out);
}

engine_post build_failed_post(const output_finding& found, std::string_view name) {
  auto out = entry(name, "error", "exception", found.message);
  out["reported_by"] = found.tool;
  out["build"] = "failed";
  add_place(out, found);
  if (!found.code.empty())
    out["code"] = found.code;
  if (!found.code_frame.empty())
    out["code_frame"] = found.code_frame;
  return log_post(out);
}

engine_post build_passed_post(const output_finding& found, std::string_view name) {
  const auto text = found.message.empty() ? std::string{name} + ": passes" : found.message;
  auto out = entry(name, found.message.empty() ? "debug" : "info", "console", text);
  out["build"] = "ok";
  if (!found.tool.empty())
    out["reported_by"] = found.tool;
  return log_post(out);
}

engine_post tests_post(const output_finding& found, std::string_view name) {
  json failures = json::array();
  for (const auto& failure : found.failures)
    failures.push_back({{"name", failure.name}, {"message", failure.message}});
  return {
      "/ci-result",
      dumped({{"status", found.kind == output_finding_kind::tests_failed ? "failure" : "success"},
              {"source", found.tool},
              {"ref", "local"},
              {"job", name},
              {"summary", found.message},
              {"failures", failures}})};
}

// What somebody asked for by a key or a signal.
bool is_wanted(int signal) {
  constexpr std::array<int, 4> wanted{SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  return std::find(wanted.begin(), wanted.end(), signal) != wanted.end();
}

std::string end_words(const command_end& end) {
  if (end.signal == 0)
    return "exited with code " + std::to_string(end.exit_code);
  const char* name = ::sigabbrev_np(end.signal);
  return "was ended by signal " + std::to_string(end.signal) +
         (name == nullptr ? "" : " (SIG" + std::string{name} + ")");
}

std::string lasted(std::chrono::milliseconds time) {
  const auto seconds = time.count() / 1000;
  return seconds < 120 ? std::to_string(seconds) + " s" : std::to_string(seconds / 60) + " min";
}

} // namespace

std::string run_address(std::string_view name) {
  return "run://" + std::string{name};
}

engine_post post_of(const output_finding& found, std::string_view name) {
  switch (found.kind) {
  case output_finding_kind::error:
    return error_post(found, name);
  case output_finding_kind::build_failed:
    return build_failed_post(found, name);
  case output_finding_kind::build_passed:
    return build_passed_post(found, name);
  case output_finding_kind::tests_failed:
  case output_finding_kind::tests_passed:
    break;
  }
  return tests_post(found, name);
}

engine_post start_post(std::string_view command, std::string_view name) {
  return log_post(entry(name, "info", "console", "Started: " + std::string{command}));
}

engine_post end_post(const command_end& end, std::string_view command, std::string_view name) {
  const auto text = std::string{command} + " " + end_words(end) + " after " + lasted(end.lasted);
  const int signal = end.signal != 0 ? end.signal : std::max(0, end.exit_code - signal_base);
  if (end.exit_code == 0 && end.signal == 0)
    return log_post(entry(name, "debug", "console", text));
  if (end.explained || is_wanted(signal))
    return log_post(entry(name, "info", "console", text));
  auto message = text;
  for (const auto& line : end.last_lines)
    message += "\n" + line;
  auto out = entry(name, "error", "exception", message);
  if (end.signal != 0)
    out["signal"] = end.signal;
  else
    out["exit_code"] = end.exit_code;
  return log_post(out);
}

} // namespace gasoline
