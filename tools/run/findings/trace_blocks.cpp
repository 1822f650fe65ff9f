#include "tools/run/findings/trace_blocks.hpp"

#include <re2/re2.h>

#include <algorithm>

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
  static const RE2 not_a_fault{R"((?:^|\.)(?:KeyboardInterrupt|SystemExit|CancelledError)$)"};
  output_finding out;
  out.tool = "python";
  std::vector<python_frame> frames;
  std::vector<std::string> raised;
  bool after_frames = false;
  for (const auto& line : block.lines) {
    python_frame f;
    std::string name;
    std::string text;
    if (RE2::PartialMatch(line, frame, &f.file, &f.line, &f.function)) {
      if (after_frames)
        frames.clear(); // of the exception that was being handled
      after_frames = false;
      frames.push_back(f);
    } else if (!frames.empty() && !line.empty() && line.find("Traceback (") == std::string::npos &&
               !RE2::PartialMatch(line, chained) && (line[0] != ' ' || line.starts_with("  | ")) &&
               !line.starts_with("  |   ") && RE2::FullMatch(line, error, &name, &text)) {
      if (RE2::PartialMatch(name, not_a_fault))
        return std::nullopt;
      if (!after_frames || !line.starts_with("  | "))
        raised.emplace_back(trimmed(line));
      after_frames = true;
    }
  }
  if (raised.empty())
    return std::nullopt;
  out.message = raised.back();
  std::size_t causes = 0;
  for (auto cause = raised.rbegin() + 1; cause != raised.rend(); ++cause)
    add_cause(out, causes, *cause);
  add_python_frames(out, frames);
  return out;
}

// JavaScript, Java, .NET: frames that begin with `at`

struct at_frame {
  std::string function;
  std::string file;
  std::string line;
  std::string column;
};

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

void add_at_frames(output_finding& out, const std::vector<at_frame>& frames) {
  const auto own =
      std::find_if(frames.begin(), frames.end(), [](const auto& f) { return !is_runtime(f); });
  for (auto at = own == frames.end() ? frames.begin() : own; at != frames.end(); ++at)
    add_frame(out, at->function, at->file, at->line, at->column);
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

std::optional<output_finding> read_at_trace(const trace_lines& block) {
  static const RE2 cause{R"(^\s*(?:Caused by: |\[cause\]: |--->? ?)(.*?)(?: \{)?$)"};
  output_finding out;
  std::vector<at_frame> frames;
  std::size_t causes = 0;
  bool any_frame = false;
  for (const auto& line : block.lines) {
    at_frame frame;
    std::string text;
    if (read_at_frame(line, frame, out.tool)) {
      any_frame = true;
      if (causes == 0)
        frames.push_back(frame);
    } else if (!out.message.empty() && RE2::PartialMatch(line, cause, &text))
      add_cause(out, causes, text);
    else if (out.message.empty())
      out.message = header_text(line);
    else if (!any_frame && out.message.size() < 2048 && !RE2::PartialMatch(line, R"(^\s*at )"))
      out.message.append("\n").append(line);
  }
  static const RE2 no_fault{R"(^(?:\(\w+:\d+\) )?(?:\[\w+\] )?\w*Warning: )"};
  if (!any_frame || out.message.empty() || RE2::PartialMatch(out.message, no_fault))
    return std::nullopt;
  if (out.message.ends_with(" {"))
    out.message.resize(out.message.size() - 2);
  add_at_frames(out, frames);
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
  out.message =
      (block.lines.front().starts_with("fatal error") ? "fatal error: " : "panic: ") + text;
  std::string name;
  std::vector<at_frame> frames;
  for (const auto& line : block.lines) {
    at_frame frame;
    std::string here;
    if (RE2::FullMatch(line, place, &frame.file, &frame.line)) {
      frame.function = name;
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

// Ruby

std::optional<output_finding> read_ruby(const trace_lines& block) {
  static const RE2 raised{R"(^(\S+?):(\d+):in [`'](.+?)': (.*) \(([A-Z][\w:]*)\)$)"};
  static const RE2 logged{R"(^(?:F, .*: |\s*)([A-Z][\w:]*) \((.*)\):?$)"};
  static const RE2 frame{R"(^\s*(?:\d+: )?(?:from )?(\S+?):(\d+):in [`'](.+?)'$)"};
  output_finding out;
  out.tool = "ruby";
  for (const auto& line : block.lines) {
    std::string file;
    std::string number;
    std::string function;
    std::string text;
    std::string name;
    if (out.message.empty() &&
        RE2::FullMatch(line, raised, &file, &number, &function, &text, &name)) {
      out.message = name + ": " + text;
      add_frame(out, function, file, number);
    } else if (out.message.empty() && RE2::FullMatch(line, logged, &name, &text)) {
      out.message = name + ": " + text;
    } else if (RE2::FullMatch(line, frame, &file, &number, &function)) {
      add_frame(out, function, file, number);
    }
  }
  if (out.message.empty() || out.stack.empty() || out.message.starts_with("Interrupt:"))
    return std::nullopt;
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

std::optional<output_finding> read_php(const trace_lines& block) {
  static const RE2 opening{
      R"(^(?:PHP )?(?:Fatal|Parse|Recoverable fatal) error: +(?:Uncaught )?(.*?)(?: in (\S+?)(?::| on line )(\d+))?$)"};
  static const RE2 frame{R"(^#\d+ (\S+?)\((\d+)\): (.+?)(?:\(.*)?$)"};
  static const RE2 thrown{R"(^\s*thrown in (\S+) on line (\d+)$)"};
  output_finding out;
  out.tool = "php";
  std::string file;
  std::string line;
  if (!RE2::FullMatch(block.lines.front(), opening, &out.message, &file, &line))
    return std::nullopt;
  if (!file.empty())
    add_frame(out, {}, file, line);
  for (const auto& text : block.lines) {
    std::string function;
    if (RE2::FullMatch(text, frame, &file, &line, &function))
      add_frame(out, function, file, line);
    else if (out.file.empty() && RE2::FullMatch(text, thrown, &file, &line))
      add_frame(out, {}, file, line);
  }
  return out;
}

constexpr const char* at_goes_on =
    R"(^\s+at |^\s*Caused by:|^\s*Suppressed:|^\s*\.\.\. \d+ |^\s*--- End of|\[cause\]|^\s*[{}\]]|^\s{2,}\S|^ ---> )";
constexpr const char* at_confirms =
    R"(^\s+at .*(?::\d+\)?|\(Native Method\)|<anonymous>\)|line \d+)(?: \{)?$)";

} // namespace

const std::vector<trace_rule>& trace_rules() {
  static const std::vector<trace_rule> rules{
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
      {"php", R"(^(?:PHP )?(?:Fatal|Parse|Recoverable fatal) error: )",
       R"(^Stack trace:|^#\d+ |^\s+thrown in )", R"(^\s+thrown in )", "", "", 0, false, read_php},
      {"ruby", R"(^\S+:\d+:in [`'].*': .* \([A-Z][\w:]*\)$)",
       R"(^\s+(?:\d+: )?from |^\s*\S+:\d+:in |^$|^\s{2,})", "", "", "", 0, false, read_ruby},
      {"ruby", R"(^(?:F, .*: )?[A-Z][\w:]* \(.*\):$)", R"(^\s+(?:\d+: )?from |^\s*\S+:\d+:in |^$)",
       "", "", R"(:\d+:in )", 3, false, read_ruby},
      {"at",
       R"((?:^|[\s\[("])(?:[A-Za-z_$][\w$]*[.:])*[\w$]*(?:Error|Exception|Throwable)(?: \[\w+\])?(?:: |$))",
       at_goes_on, "", "", at_confirms, 5, false, read_at_trace},
      {"at", at_confirms, at_goes_on, "", "", "", 0, true, read_at_trace},
  };
  return rules;
}

} // namespace gasoline
