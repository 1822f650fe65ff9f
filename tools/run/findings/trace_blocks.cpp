#include "tools/run/findings/trace_blocks.hpp"

#include <nlohmann/json.hpp>
#include <re2/re2.h>

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_frames = 30;
constexpr std::size_t most_causes = 5;

void add_frame(output_finding& out, std::string_view function, std::string_view file,
               std::string_view line, std::string_view column = {}) {
  if (static_cast<std::size_t>(std::count(out.stack.begin(), out.stack.end(), '\n')) >= most_frames)
    return;
  std::string place{file};
  place.append(":").append(line);
  if (!column.empty())
    place.append(":").append(column);
  // The engine reads a place up to the first blank.
  std::replace(place.begin(), place.end(), ' ', '_');
  if (!out.stack.empty())
    out.stack += '\n';
  out.stack +=
      function.empty() ? "    at " + place : "    at " + std::string{function} + " (" + place + ")";
  if (!out.file.empty())
    return;
  out.file = file;
  out.line = static_cast<std::uint32_t>(std::strtoul(std::string{line}.c_str(), nullptr, 10));
  out.column = static_cast<std::uint32_t>(std::strtoul(std::string{column}.c_str(), nullptr, 10));
}

void add_cause(output_finding& out, std::size_t& causes, std::string_view cause) {
  if (causes++ < most_causes)
    out.message.append("\ncaused by ").append(cause);
}

/// Of what was raised in turn, the last is told; those before it are its causes, the nearest first.
void add_causes(output_finding& out, std::size_t& causes, const std::vector<std::string>& raised) {
  for (auto cause = raised.rbegin() + 1; cause != raised.rend(); ++cause)
    add_cause(out, causes, *cause);
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t|");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Python

struct python_frame {
  std::string file;
  std::string line;
  std::string function;
};

bool is_library(const std::string& file) {
  return file.find("site-packages/") != std::string::npos || file.starts_with("<frozen") ||
         file.find("/lib/python") != std::string::npos;
}

void add_python_frames(output_finding& out, const std::vector<python_frame>& frames) {
  // Where the program's own code was left says more than where a library gave up.
  const auto own = std::find_if(frames.rbegin(), frames.rend(),
                                [](const auto& f) { return !is_library(f.file); });
  const auto first = own == frames.rend() ? frames.rbegin() : own;
  for (auto at = first; at != frames.rend(); ++at)
    add_frame(out, at->function, at->file, at->line);
}

std::optional<output_finding> read_python(const trace_lines& block) {
  static const RE2 frame{R"(^[ |+]*File \x22([^\x22]+)\x22, line (\d+)(?:, in (.+))?$)"};
  static const RE2 error{R"(^(?:  )*[| +-]*((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:: (.*))?$)"};
  static const RE2 chained{"^(?:During handling|The above exception)"};
  static const RE2 in_group{R"(^ {4,}\| ((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:: .*)?)$)"};
  static const RE2 not_a_fault{R"((?:^|\.)(?:KeyboardInterrupt|SystemExit|CancelledError)$)"};
  output_finding out;
  out.tool = "python";
  std::vector<python_frame> frames;
  std::vector<std::string> raised;
  std::vector<std::string> grouped; // what the one that was raised last is a group of
  bool after_frames = false;
  for (const auto& line : block.lines) {
    python_frame f;
    std::string name;
    std::string text;
    if (RE2::FullMatch(line, in_group, &text)) {
      if (std::find(grouped.begin(), grouped.end(), text) == grouped.end())
        grouped.push_back(text);
    } else if (RE2::PartialMatch(line, frame, &f.file, &f.line, &f.function)) {
      if (after_frames)
        frames.clear(); // of the exception that was being handled
      after_frames = false;
      frames.push_back(f);
    } else if (!frames.empty() && !line.empty() && line.find("Traceback (") == std::string::npos &&
               !RE2::PartialMatch(line, chained) && (line[0] != ' ' || line.starts_with("  | ")) &&
               !line.starts_with("  |   ") && RE2::FullMatch(line, error, &name, &text)) {
      if (RE2::PartialMatch(name, not_a_fault))
        return std::nullopt;
      if (!after_frames || !line.starts_with("  | ")) {
        raised.emplace_back(trimmed(line));
        grouped.clear();
      }
      after_frames = true;
    }
  }
  if (raised.empty())
    return std::nullopt;
  out.message = raised.back();
  std::size_t causes = 0;
  for (const auto& one : grouped)
    add_cause(out, causes, one);
  add_causes(out, causes, raised);
  add_python_frames(out, frames);
  return out;
}

struct at_frame {
  std::string function;
  std::string file;
  std::string line;
  std::string column;
};

/// From the program's own frame on, if one is its own: where it called says more than where a
/// library gave up.
void add_frames_from_own(output_finding& out, const std::vector<at_frame>& frames,
                         bool (*is_foreign)(const at_frame&)) {
  auto at = std::find_if_not(frames.begin(), frames.end(), is_foreign);
  if (at == frames.end())
    at = frames.begin();
  for (; at != frames.end(); ++at)
    add_frame(out, at->function, at->file, at->line, at->column);
}

// JavaScript, Java, .NET: frames that begin with `at`

bool read_at_frame(const std::string& text, at_frame& out, std::string& tool) {
  static const RE2 java{
      R"(^\s*at ([\w$.<>/@-]+)\(([\w$-]+\.(?:java|kt|scala|groovy|clj)):(\d+)\))"};
  static const RE2 dotnet{R"(^\s*at (.+?)\(.*\) in (.+):line (\d+)$)"};
  static const RE2 named{
      R"(^\s*at (?:async )?(.*) \((?:file://)?([^()]+):(\d+):(\d+)\),?(?: \{)?$)"};
  static const RE2 bare{R"(^\s*at (?:async )?(?:file://)?([^()]+):(\d+):(\d+)(?: \{)?$)"};
  out = {};
  if (RE2::PartialMatch(text, java, &out.function, &out.file, &out.line))
    tool = "java";
  else if (RE2::PartialMatch(text, dotnet, &out.function, &out.file, &out.line))
    tool = "dotnet";
  else if (RE2::PartialMatch(text, named, &out.function, &out.file, &out.line, &out.column) ||
           RE2::PartialMatch(text, bare, &out.file, &out.line, &out.column))
    tool = "node";
  else
    return false;
  return true;
}

bool is_runtime(const at_frame& f) {
  return f.file.starts_with("node:") || f.file.find("/node_modules/") != std::string::npos ||
         f.function.starts_with("java.") || f.function.starts_with("jdk.") ||
         f.function.starts_with("java.base/") || f.function.starts_with("org.springframework.");
}

// A syntax error of Node.js has its place two lines above.
void add_place_above(output_finding& out, const std::vector<std::string>& before) {
  static const RE2 place{R"(^(?:file://)?(/[^()]*|[A-Za-z]:\\[^()]*):(\d+)$)"};
  for (auto line = before.rbegin(); line != before.rend(); ++line) {
    std::string file;
    std::string number;
    if (!RE2::FullMatch(*line, place, &file, &number))
      continue;
    out.stack.clear();
    out.file.clear();
    return add_frame(out, {}, file, number);
  }
}

std::string_view header_text(std::string_view line) {
  static const RE2 opening{
      R"(^\s*(?:Exception in thread "[^"]*" |Unhandled exception\. |Uncaught (?:\(in promise\) )?|\[cause\]: |⨯ |✗ |× )*)"};
  re2::StringPiece text{line.data(), line.size()};
  RE2::Consume(&text, opening);
  return {text.data(), text.size()};
}

constexpr std::string_view emitted = "Emitted 'error' event";

// Of the three sentences that Node.js says of a rejection, the reason alone tells something.
void shorten_rejection(std::string& message) {
  static const RE2 sentences{
      R"((?s)^(\[?UnhandledPromiseRejection): This error originated .* with the reason \x22(.*)\x22\.\]?.*$)"};
  std::string kind;
  std::string reason;
  if (RE2::FullMatch(message, sentences, &kind, &reason))
    message = "UnhandledPromiseRejection: " + reason;
}

std::optional<output_finding> read_rejection(const trace_lines& block) {
  output_finding out;
  out.tool = "node";
  out.message = block.lines.front();
  shorten_rejection(out.message);
  return out;
}

// What was thrown is no Error: it stands above the line that says how to learn more.
std::optional<output_finding> read_thrown_value(const trace_lines& block) {
  output_finding out;
  out.tool = "node";
  out.message = "Uncaught " + block.lines.front();
  add_place_above(out, block.before);
  return out;
}

std::optional<output_finding> read_at_trace(const trace_lines& block) {
  static const RE2 cause{R"(^\s*(?:Caused by: |\[cause\]: |---> )(.*?)(?: \{)?$)"};
  static const RE2 cause_ends{R"(^\s*--- End of inner exception stack trace ---)"};
  output_finding out;
  std::vector<at_frame> frames;
  std::vector<at_frame> frames_of_cause;
  std::size_t causes = 0;
  bool any_frame = false;
  bool in_cause = false;
  for (const auto& line : block.lines) {
    at_frame frame;
    std::string text;
    if (line.starts_with(emitted))
      break; // where it was handed on, not where it was made
    if (read_at_frame(line, frame, out.tool)) {
      any_frame = true;
      (in_cause ? frames_of_cause : frames).push_back(frame);
    } else if (RE2::PartialMatch(line, cause_ends)) {
      in_cause = false; // .NET shows the frames of the cause first
    } else if (!out.message.empty() && RE2::PartialMatch(line, cause, &text)) {
      add_cause(out, causes, text);
      in_cause = true;
    } else if (out.message.empty())
      out.message = header_text(line);
    else if (!any_frame && out.message.size() < 2048 && !RE2::PartialMatch(line, R"(^\s*at )"))
      out.message.append("\n").append(line);
  }
  static const RE2 no_fault{R"(^(?:\(\w+:\d+\) )?(?:\[\w+\] )?\w*Warning: )"};
  if (!any_frame || out.message.empty() || RE2::PartialMatch(out.message, no_fault))
    return std::nullopt;
  if (out.message.ends_with(" {"))
    out.message.resize(out.message.size() - 2);
  add_frames_from_own(out, frames.empty() ? frames_of_cause : frames, is_runtime);
  shorten_rejection(out.message);
  if (out.message.starts_with("SyntaxError") && out.tool == "node")
    add_place_above(out, block.before);
  return out;
}

// Go

std::optional<output_finding> read_go(const trace_lines& block) {
  static const RE2 opening{R"(^(?:.*http: panic serving [^ ]+: |.*?\bpanic: |fatal error: )(.*)$)"};
  static const RE2 place{R"(^\t(.+\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?$)"};
  static const RE2 function{R"(^([^\t ].*)\([^()]*\)$)"};
  output_finding out;
  out.tool = "go";
  std::string text;
  if (!RE2::FullMatch(block.lines.front(), opening, &text))
    return std::nullopt;
  const auto began_with =
      block.lines.front().starts_with("fatal error") ? "fatal error: " : "panic: ";
  static const RE2 again{R"(^\tpanic: (.*)$)"};
  const auto panics = [](const std::string& said) {
    static const RE2 recovered{R"( \[recovered(?:, repanicked)?\]$)"};
    auto words = said;
    RE2::Replace(&words, recovered, "");
    return words;
  };
  std::vector<std::string> raised{panics(text)};
  for (const auto& line : block.lines)
    if (std::string next; RE2::FullMatch(line, again, &next) && panics(next) != raised.back())
      raised.push_back(panics(next));
  out.message = began_with + raised.back();
  std::size_t causes = 0;
  add_causes(out, causes, raised);
  bool started_there = false; // the place below is where the goroutine was started
  std::string name;
  std::vector<at_frame> frames;
  for (const auto& line : block.lines) {
    at_frame frame;
    std::string here;
    if (line.starts_with("created by ")) {
      started_there = true;
    } else if (RE2::FullMatch(line, place, &frame.file, &frame.line)) {
      frame.function = name;
      if (!std::exchange(started_there, false))
        frames.push_back(frame);
    } else if (RE2::FullMatch(line, function, &here)) {
      name = here;
      if (name == "panic") // what stands above it is the runtime's
        frames.clear();
    } else if (line.empty() && !frames.empty())
      break; // another goroutine
  }
  for (const auto& f : frames)
    if (f.file.find("/src/runtime/") == std::string::npos)
      add_frame(out, f.function, f.file, f.line);
  return out;
}

std::optional<output_finding> read_gin(const trace_lines& block) {
  static const RE2 place{R"(^(\S+\.(?:go|s)):(\d+) \(0x[0-9a-f]+\)$)"};
  static const RE2 function{R"(^\t([^:]+): )"};
  output_finding out;
  out.tool = "go";
  std::vector<at_frame> frames;
  for (std::size_t i = 1; i < block.lines.size(); ++i) {
    const auto& line = block.lines[i];
    at_frame frame;
    if (RE2::FullMatch(line, place, &frame.file, &frame.line))
      frames.push_back(frame);
    else if (!frames.empty())
      RE2::PartialMatch(line, function, &frames.back().function);
    else if (!line.empty())
      out.message = "panic: " + line; // below the request's head
  }
  add_frames_from_own(out, frames, [](const at_frame& f) {
    return f.file.find("/src/runtime/") != std::string::npos ||
           f.file.find("/pkg/mod/") != std::string::npos;
  });
  return out.message.empty() ? std::nullopt : std::optional{out};
}

// Ruby

bool is_gem(const at_frame& f) {
  return f.file.find("/gems/") != std::string::npos ||
         f.file.find("/rubygems-integration/") != std::string::npos ||
         f.file.find("/lib/ruby/") != std::string::npos || f.file.starts_with("<internal:");
}

std::optional<output_finding> read_ruby(const trace_lines& block) {
  static const RE2 raised{R"(^(\S+?):(\d+):in [`'](.+?)': (.*) \(([A-Z][\w:]*)\)$)"};
  static const RE2 logged{R"(^(?:F, .*: |\s*)([A-Z][\w:]*) \((.*)\):?$)"};
  static const RE2 dated{
      R"(^(?:[-\d]+ [\d:]+ - ([A-Z][\w:]*) - (.*):|\[[-\d: ]+\] ERROR +([A-Z]\w*(?:::\w+)*): (.*))$)"};
  static const RE2 frame{R"(^\s*(?:\d+: )?(?:from )?(\S+?):(\d+):in [`'](.+?)'$)"};
  static const RE2 view{R"(^\s*(\S+\.(?:erb|haml|slim)):(\d+)$)"};
  output_finding out;
  out.tool = "ruby";
  std::vector<at_frame> frames;
  for (const auto& line : block.lines) {
    at_frame f;
    std::string text;
    std::string name;
    std::string other_name;
    std::string other_text;
    if (RE2::FullMatch(line, frame, &f.file, &f.line, &f.function) ||
        RE2::FullMatch(line, view, &f.file, &f.line)) {
      frames.push_back(f);
    } else if (!out.message.empty()) {
      continue;
    } else if (RE2::FullMatch(line, raised, &f.file, &f.line, &f.function, &text, &name)) {
      out.message = name + ": " + text;
      frames.push_back(f);
    } else if (RE2::FullMatch(line, logged, &name, &text)) {
      out.message = name + ": " + text;
    } else if (RE2::FullMatch(line, dated, &name, &text, &other_name, &other_text)) {
      out.message = name + other_name + ": " + text + other_text;
    }
  }
  if (out.message.empty() || frames.empty() || out.message.starts_with("Interrupt:"))
    return std::nullopt;
  add_frames_from_own(out, frames, is_gem);
  return out;
}

// Rust

std::optional<output_finding> read_rust(const trace_lines& block) {
  static const RE2 old{R"(^thread '(.*)' (?:\(\d+\) )?panicked at '(.*)', (.+):(\d+):(\d+)$)"};
  static const RE2 now{R"(^thread '(.*)' (?:\(\d+\) )?panicked at (.+):(\d+):(\d+):$)"};
  output_finding out;
  out.tool = "rust";
  std::string thread;
  std::string text;
  std::string file;
  std::string line;
  std::string column;
  const auto& first = block.lines.front();
  if (RE2::FullMatch(first, old, &thread, &text, &file, &line, &column))
    out.message = "panic: " + text;
  else if (RE2::FullMatch(first, now, &thread, &file, &line, &column))
    out.message = "panic: " + (block.lines.size() > 1 ? block.lines[1] : std::string{});
  else
    return std::nullopt;
  add_frame(out, "thread " + thread, file, line, column);
  return out;
}

// PHP

bool is_vendor(const at_frame& f) {
  return f.file.find("/vendor/") != std::string::npos;
}

/// A frame `#0 FILE(LINE): FUNCTION(…)`.
bool read_php_frame(const std::string& line, at_frame& out) {
  static const RE2 frame{R"(^#\d+ (\S+?)\((\d+)\): (.+?)(?:\(.*)?$)"};
  return RE2::FullMatch(line, frame, &out.file, &out.line, &out.function);
}

std::optional<output_finding> read_php(const trace_lines& block) {
  static const RE2 opening{
      R"(^(?:\[[^\]]+\] )?(?:PHP )?(?:Fatal|Parse|Recoverable fatal) error: +(?:Uncaught )?(.*?)(?: in (\S+?)(?::| on line )(\d+))?$)"};
  static const RE2 next{R"(^Next (.*?)(?: in (\S+?):(\d+))?$)"};
  static const RE2 thrown{R"(^\s*thrown in (\S+) on line (\d+)$)"};
  output_finding out;
  out.tool = "php";
  std::vector<std::string> raised;
  std::vector<at_frame> frames;
  for (const auto& line : block.lines) {
    at_frame f;
    std::string text;
    const bool begins = raised.empty() ? RE2::FullMatch(line, opening, &text, &f.file, &f.line)
                                       : RE2::FullMatch(line, next, &text, &f.file, &f.line);
    if (raised.empty() && !begins)
      return std::nullopt;
    if (begins) {
      raised.push_back(text);
      frames.clear();
    }
    if ((begins && !f.file.empty()) || read_php_frame(line, f) ||
        (frames.empty() && RE2::FullMatch(line, thrown, &f.file, &f.line)))
      frames.push_back(f);
  }
  out.message = raised.back();
  std::size_t causes = 0;
  add_causes(out, causes, raised);
  add_frames_from_own(out, frames, is_vendor);
  return out;
}

// The log of Laravel and Symfony, in which names have two backslashes.
std::optional<output_finding> read_monolog(const trace_lines& block) {
  static const RE2 object{
      R"(\[object\] \(([\w\\]+)\(code: [^)]*\): (.*?) at ((?:[A-Za-z]:)?[^\s:]+):(\d+)\))"};
  output_finding out;
  out.tool = "php";
  std::size_t causes = 0;
  std::vector<at_frame> frames;
  for (auto line : block.lines) {
    RE2::GlobalReplace(&line, R"(\\\\)", R"(\\)");
    re2::StringPiece rest{line};
    std::string name;
    std::string text;
    at_frame f;
    while (RE2::FindAndConsume(&rest, object, &name, &text, &f.file, &f.line)) {
      if (out.message.empty()) {
        out.message = name + ": " + text;
        frames.push_back(f);
      } else {
        add_cause(out, causes, name + ": " + text);
      }
    }
    if (causes == 0 && read_php_frame(line, f))
      frames.push_back(f);
  }
  if (out.message.empty())
    return std::nullopt;
  add_frames_from_own(out, frames, is_vendor);
  return out;
}

// Logs of one JSON object a line: pino, winston, structlog, zap, Logback's encoder

/// Whether the log says that it is about an error: a word, or pino's number.
bool is_logged_error(const nlohmann::json& log) {
  constexpr int pino_error = 50;
  static const RE2 words{"(?i)^(?:error|err|fatal|critical|severe|panic|dpanic|alert|emerg.*)$"};
  for (const auto* name : {"level", "severity", "levelname", "log.level", "lvl", "@l"}) {
    const auto level = log.find(name);
    if (level == log.end())
      continue;
    if (level->is_number())
      return level->get<double>() >= pino_error;
    return level->is_string() && RE2::PartialMatch(level->get_ref<const std::string&>(), words);
  }
  return false;
}

/// The trace in it, as text; empty: there is none.
std::string logged_stack(const nlohmann::json& log) {
  for (const auto* name : {"stack", "stack_trace", "stacktrace", "exc_info", "exception"})
    if (const auto stack = log.find(name); stack != log.end() && stack->is_string())
      return stack->get<std::string>();
  for (const auto* name : {"err", "error", "exception"})
    if (const auto error = log.find(name); error != log.end() && error->is_object())
      return logged_stack(*error);
  return {};
}

std::string logged_text(const nlohmann::json& log, std::initializer_list<const char*> names) {
  for (const auto* name : names)
    if (const auto text = log.find(name); text != log.end() && text->is_string())
      return text->get<std::string>();
  return {};
}

trace_lines lines_of(std::string_view text) {
  constexpr std::size_t most_lines = 300;
  trace_lines out;
  while (!text.empty() && out.lines.size() < most_lines) {
    const auto end = std::min(text.find('\n'), text.size());
    out.lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Of Go's logs, the stack has no head: what went wrong stands beside it.
std::optional<output_finding> read_go_log(const nlohmann::json& log, const trace_lines& stack) {
  auto lines = stack;
  const auto error = logged_text(log, {"error", "err", "errorVerbose"});
  const auto said = logged_text(log, {"msg", "message"});
  lines.lines.insert(lines.lines.begin(),
                     "panic: " + said + (said.empty() || error.empty() ? "" : ": ") + error);
  auto out = read_go(lines);
  if (out)
    out->message.erase(0, std::string_view{"panic: "}.size());
  return out && !out->stack.empty() ? out : std::nullopt;
}

std::optional<output_finding> read_json_log(const trace_lines& block) {
  const auto log = nlohmann::json::parse(block.lines.front(), nullptr, false);
  if (!log.is_object() || !is_logged_error(log))
    return std::nullopt;
  const auto stack = lines_of(logged_stack(log));
  if (stack.lines.empty())
    return std::nullopt;
  if (stack.lines.front().find("Traceback (most") != std::string::npos)
    return read_python(stack);
  auto out = read_at_trace(stack);
  return out ? out : read_go_log(log, stack);
}

constexpr const char* at_goes_on =
    R"(^\s+at |^\s*Caused by:|^\s*Suppressed:|^\s*\.\.\. \d+ |^\s*--- End of|\[cause\]|^\s*[{}\]]|^\s{2,}\S|^ ---> |^Emitted 'error' event)";
constexpr const char* at_confirms =
    R"(^\s+at .*(?::\d+\)?|\(Native Method\)|<anonymous>\)|line \d+)(?: \{| ~?\[[^\]]*\])?$)";

} // namespace

const std::vector<trace_rule>& trace_rules() {
  static const std::vector<trace_rule> rules{
      {"json", R"(^\s*\{.*"(?:stack|stack_trace|stacktrace|exc_info|exception)\x22: ?\x22[^\x22])",
       "", "", "", "", 0, false, read_json_log},
      {"python",
       R"(^[ +|]*(?:Exception Group )?Traceback \(most recent call last\):|^  File "[^"]+", line \d+$)",
       R"(^[ \t]|^$|^Traceback|^During handling|^The above exception)",
       R"(^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?::|$))", R"(^During handling|^The above exception)", "",
       0, false, read_python},
      {"go", R"(^(?:.*http: panic serving .*|panic: .*|fatal error: .*)$)",
       R"(^$|^goroutine \d+|^\t|^\S+\(.*\)$|^created by|^\[signal|^exit status|^panic: |^main\.|^runtime\.)",
       "", "", R"(^goroutine \d+)", 6, false, read_go},
      {"rust", R"(^thread '.*' (?:\(\d+\) )?panicked at )",
       R"(^note: |^stack backtrace:|^\s+\d+: |^\s+at )", "", "", R"(^note: |^stack backtrace:|.)",
       1, false, read_rust},
      {"go", R"(\[Recovery\] .* panic recovered:$)", R"(^\S+\.(?:go|s):\d+ \(0x|^\t)", "", "",
       R"(^\S+\.(?:go|s):\d+ \(0x[0-9a-f]+\)$)", 60, false, read_gin},
      {"php", R"(^(?:\[[^\]]+\] )?(?:PHP )?(?:Fatal|Parse|Recoverable fatal) error: )",
       R"(^Stack trace:|^#\d+ |^\s+thrown in |^$|^Next [A-Z\\])", R"(^\s+thrown in )", "", "", 0,
       false, read_php},
      {"php", R"(^\[[^\]]+\] [\w-]+\.(?:ERROR|CRITICAL|ALERT|EMERGENCY): .*\[object\] \()",
       R"(^\[(?:stacktrace|previous exception)\]|^#\d+ |^"\})", R"(^"\})", "", "", 0, false,
       read_monolog},
      {"ruby", R"(^\S+:\d+:in [`'].*': .* \([A-Z][\w:]*\)$)",
       R"(^\s+(?:\d+: )?from |^\s*\S+:\d+:in |^$|^\s{2,})", "", "", "", 0, false, read_ruby},
      {"ruby", R"(^(?:F, .*: )?[A-Z][\w:]* \(.*\):$)",
       R"(^\s+(?:\d+: )?from |^\s*\S+:\d+:in |^$|^\s+\d+: |^\s*\S+\.(?:erb|haml|slim):\d+)", "", "",
       R"(:\d+:in |^\s*\S+\.(?:erb|haml|slim):\d+$)", 12, false, read_ruby},
      {"ruby", R"(^[-\d]+ [\d:]+ - [A-Z][\w:]* - .*:$|^\[[-\d: ]+\] ERROR +[A-Z]\w*(?:::\w+)*: )",
       R"(^\s*\S+:\d+:in )", "", "", R"(^\s.*:\d+:in )", 3, false, read_ruby},
      {"node", R"(^\[UnhandledPromiseRejection: )", "", "", "", "", 0, false, read_rejection},
      {"node", R"(^\(Use .node --trace-uncaught)", "", "", "", "", 0, true, read_thrown_value},
      {"at", R"((?:^|\s)AssertionError(?: \[\w+\])?: )", at_goes_on, "", "", at_confirms, 60, false,
       read_at_trace},
      {"at",
       R"((?:^|[\s\[("])(?:[A-Za-z_$][\w$]*[.:])*[\w$]*(?:Error|Exception|Throwable)(?: \[\w+\])?(?:: |$))",
       at_goes_on, "", "", at_confirms, 5, false, read_at_trace},
      {"at", at_confirms, at_goes_on, "", "", "", 0, true, read_at_trace},
  };
  return rules;
}

} // namespace gasoline
