#include "tools/run/output_reader.hpp"

#include "tools/run/findings/compile_rules.hpp"
#include "tools/run/findings/line_expression.hpp"
#include "tools/run/findings/test_rules.hpp"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet_trace = 500ms;
constexpr std::size_t most_trace_lines = 300;
constexpr std::size_t most_trace_bytes = 64U << 10U;
constexpr std::size_t most_build_errors = 20;
constexpr std::size_t lines_before = 6;
constexpr std::size_t most_recent_bytes = 512;
constexpr std::size_t most_matched_bytes = 2048;
constexpr std::size_t gathered_bytes = 4096;
constexpr std::size_t most_frame_bytes = 2048;
constexpr std::size_t most_findings = 500;
constexpr std::size_t most_told = 1000;

/// Which table a row is in.
enum class table : std::uint8_t { tests, compile, build, trace };

struct row {
  table of;
  std::size_t index;
};

/// All expressions that a line may begin something with, searched at once.
class line_table {
 public:
  line_table() : set_(line_options(), RE2::UNANCHORED) {
    for (std::size_t i = 0; i < test_rules().size(); ++i) {
      const auto& r = test_rules()[i];
      for (const auto* expression :
           {r.begins, r.failed, r.describes, r.details, r.summary, r.recap})
        add(expression, {table::tests, i});
    }
    for (std::size_t i = 0; i < compile_rules().size(); ++i)
      add(compile_rules()[i].head, {table::compile, i});
    for (std::size_t i = 0; i < build_rules().size(); ++i)
      add(build_rules()[i].line, {table::build, i});
    for (std::size_t i = 0; i < trace_rules().size(); ++i)
      add(trace_rules()[i].starts, {table::trace, i});
    set_.Compile();
  }

  /// Whether one of these lines may begin something of a row.
  bool begins_any(std::string_view lines) const {
    RE2::Set::ErrorInfo problem{RE2::Set::kNoError};
    return set_.Match({lines.data(), lines.size()}, nullptr, &problem) ||
           problem.kind != RE2::Set::kNoError;
  }

  /// The rows that the line begins something of, in the order of the tables.
  void match(std::string_view line, std::vector<int>& out) const {
    out.clear();
    const auto text = line.substr(0, most_matched_bytes);
    // Nearly no line begins anything; only which rows it was asks for memory.
    if (!begins_any(text))
      return;
    set_.Match({text.data(), text.size()}, &out);
    std::sort(out.begin(), out.end());
  }

  const row& operator[](int id) const { return rows_[static_cast<std::size_t>(id)]; }

 private:
  void add(const char* expression, row r) {
    if (*expression == '\0')
      return;
    // `^` and `$` are those of a line, so that many lines can be searched at once.
    set_.Add(std::string{"(?m)"} + expression, nullptr);
    rows_.push_back(r);
  }

  RE2::Set set_;
  std::vector<row> rows_;
};

const line_table& all_lines() {
  static const line_table out;
  return out;
}

struct compiled_trace {
  line_expression goes_on;
  line_expression last;
  line_expression resumes;
  line_expression confirms;
};

const std::vector<compiled_trace>& compiled_traces() {
  static const auto out = [] {
    std::vector<compiled_trace> rules;
    for (const auto& r : trace_rules())
      rules.push_back({compiled_line(r.goes_on), compiled_line(r.last), compiled_line(r.resumes),
                       compiled_line(r.confirms)});
    return rules;
  }();
  return out;
}

struct compiled_compile {
  line_expression head;
  line_expression place;
};

const std::vector<compiled_compile>& compiled_compiles() {
  static const auto out = [] {
    std::vector<compiled_compile> rules;
    for (const auto& r : compile_rules())
      rules.push_back({compiled_line(r.head), compiled_line(r.place)});
    return rules;
  }();
  return out;
}

std::uint32_t number_in(const std::string& text) {
  return static_cast<std::uint32_t>(
      std::min(std::strtoul(text.c_str(), nullptr, 10), 99'999'999UL));
}

/// Puts the named groups of an expression into an error. False: the line does not hold it.
bool fill(const line_expression& expression, std::string_view line, output_finding& out) {
  if (!expression)
    return false;
  std::vector<re2::StringPiece> groups(
      static_cast<std::size_t>(expression->NumberOfCapturingGroups()) + 1);
  if (!expression->Match({line.data(), line.size()}, 0, line.size(), RE2::UNANCHORED, groups.data(),
                         static_cast<int>(groups.size())))
    return false;
  for (const auto& [name, index] : expression->NamedCapturingGroups()) {
    const auto& group = groups[static_cast<std::size_t>(index)];
    std::string text{group.data() == nullptr ? "" : group.data(), group.size()};
    if (text.empty())
      continue;
    const auto part = name.substr(0, name.find('_')); // file_2 is another spelling's file
    if (part == "file")
      out.file = std::move(text);
    else if (part == "line")
      out.line = number_in(text);
    else if (part == "column")
      out.column = number_in(text);
    else if (part == "code")
      out.code = std::move(text);
    else if (part == "message")
      out.message = std::move(text);
  }
  return true;
}

/// "Transform failed with 1 error:" says nothing yet; the error stands below it.
bool announces_errors(const std::string& message) {
  static const RE2 announcement{R"(^[A-Z]\w+ failed with \d+ errors?:$)", line_options()};
  return RE2::FullMatch(message, announcement);
}

bool shows_source(std::string_view line) {
  static const RE2 numbered{R"(^\s*(?:>\s*)?\d*\s*(?:\||│|┃)|^\d+ |^\s*[~^]+)", line_options()};
  return RE2::PartialMatch({line.data(), line.size()}, numbered);
}

/// Of the error that was printed before it.
bool is_cause(std::string_view line) {
  const auto text = without_indent(line);
  return line.starts_with("Caused by") || text.starts_with("---> ");
}

/// Takes the first line off lines that are joined by `\n`; nothing stays behind the last.
std::string_view cut_line(std::string_view& lines) {
  const auto end = lines.find('\n');
  const auto line = lines.substr(0, end);
  lines = end == std::string_view::npos ? std::string_view{} : lines.substr(end + 1);
  return line;
}

} // namespace

output_reader::output_reader()
    : lines_([this](std::string_view line) { gather(line); }, [this] { repaint(); }) {}

void output_reader::take(std::string_view bytes, mono_time now) {
  pass_time(now);
  last_at_ = now;
  lines_.take(bytes);
  look_at_gathered();
}

void output_reader::skip(mono_time now) {
  now_ = now;
  finish_blocks();
  lines_.skip();
}

void output_reader::pass_time(mono_time now) {
  now_ = now;
  if (now - last_at_ < quiet_trace)
    return;
  finish_blocks();
  if (auto run = tests_.pause())
    tell(std::move(*run));
}

void output_reader::finish(int exit_code, mono_time now) {
  now_ = now;
  lines_.finish();
  look_at_gathered();
  finish_blocks();
  if (auto run = tests_.finish())
    tell(std::move(*run));
  if (exit_code == 0 && build_errors_ == 0) {
    output_finding passed;
    passed.kind = output_finding_kind::build_passed;
    tell(std::move(passed));
  }
}

std::vector<output_finding> output_reader::take_findings() {
  return std::exchange(findings_, {});
}

std::vector<std::string> output_reader::last_lines() const {
  std::vector<std::string> out;
  for (const auto& line : recent_)
    if (!line.empty())
      out.push_back(line);
  return out;
}

void output_reader::repaint() {
  look_at_gathered();
  finish_blocks();
}

void output_reader::finish_blocks() {
  finish_trace();
  finish_error();
}

void output_reader::remember(std::string_view line) {
  if (line.empty() && (recent_.empty() || recent_.back().empty()))
    return;
  if (recent_.full())
    recent_.rotate(recent_.begin() + 1); // the oldest gives its memory
  else
    recent_.push_back({});
  recent_.back().assign(line.substr(0, most_recent_bytes));
}

void output_reader::gather(std::string_view line) {
  gathered_.append(line).push_back('\n');
  gathered_long_ = gathered_long_ || line.size() > most_matched_bytes;
  if (gathered_.size() >= gathered_bytes)
    look_at_gathered();
}

// Of a command that prints much, most lines begin nothing, and one search says so of many.
void output_reader::look_at_gathered() {
  if (gathered_.empty())
    return;
  std::string_view lines = gathered_;
  lines.remove_suffix(1);
  const bool nothing_open = !trace_ && !error_ && !tests_.running();
  const bool all_are_other = nothing_open && !gathered_long_ && !all_lines().begins_any(lines);
  if (all_are_other)
    remember_last(lines);
  else
    for (auto rest = lines; rest.data() != nullptr;)
      take_line(cut_line(rest));
  gathered_.clear();
  gathered_long_ = false;
}

void output_reader::remember_last(std::string_view lines) {
  auto other = lines;
  for (std::size_t found = 0; found < most_recent && other.data() != nullptr;) {
    const auto end = other.rfind('\n');
    found += other.size() > end + 1 ? 1 : 0; // an empty line is none; without an end, end + 1 is 0
    other = end == std::string_view::npos ? std::string_view{} : other.substr(0, end);
  }
  const auto kept = other.data() == nullptr ? 0 : other.size() + 1;
  for (auto rest = lines.substr(kept); rest.data() != nullptr;)
    remember(cut_line(rest));
}

void output_reader::take_line(std::string_view line) {
  static thread_local std::vector<int> matches;
  all_lines().match(line, matches);
  if (trace_ && continue_trace(line, matches))
    return remember(line);
  if (error_ && continue_error(line, matches))
    return remember(line);
  if (matches.empty() || !start(line, matches))
    tests_.take_other(line);
  remember(line);
}

bool output_reader::start(std::string_view line, const std::vector<int>& matches) {
  bool any = false;
  std::size_t last_test = test_rules().size();
  for (const int id : matches) {
    const auto& r = all_lines()[id];
    switch (r.of) {
    case table::tests:
      if (r.index == last_test)
        break;
      last_test = r.index;
      if (auto run = tests_.take(r.index, line)) {
        tell(std::move(*run));
        any = true;
      } else {
        any = any || tests_.running();
      }
      break;
    case table::compile:
      start_error(r.index, line);
      return true;
    case table::build:
      tell_build(r.index);
      any = true;
      break;
    case table::trace:
      start_trace(r.index, line);
      tests_.take_other(line);
      return true;
    }
  }
  return any;
}

// Traces

void output_reader::start_trace(std::size_t rule, std::string_view line) {
  const auto& r = trace_rules()[rule];
  trace_.emplace();
  trace_->rule = rule;
  auto before = recent_.end();
  for (std::size_t n = 0; n < lines_before && before != recent_.begin(); ++n)
    --before;
  trace_->lines.before.assign(before, recent_.end());
  if (r.starts_before) {
    // What stands below an empty line or another frame is the rest of what was looked at before.
    if (trace_->lines.before.empty() || trace_->lines.before.back().empty() ||
        without_indent(trace_->lines.before.back()).starts_with("at ")) {
      trace_.reset();
      return;
    }
    keep(trace_->lines.before.back());
    trace_->lines.before.pop_back();
  }
  trace_->confirmed = *r.confirms == '\0';
  keep(line);
}

void output_reader::keep(std::string_view line) {
  if (trace_->lines.lines.size() >= most_trace_lines ||
      trace_->bytes + line.size() > most_trace_bytes)
    return;
  trace_->bytes += line.size();
  trace_->lines.lines.emplace_back(line);
}

bool output_reader::continue_trace(std::string_view line, const std::vector<int>& matches) {
  const auto& rule = compiled_traces()[trace_->rule];
  const bool foreign = std::any_of(matches.begin(), matches.end(), [](int id) {
    return all_lines()[id].of == table::tests || all_lines()[id].of == table::build;
  });
  if (foreign) {
    finish_trace();
    return false;
  }
  if (trace_->over) {
    if (found_in(rule.resumes, line))
      trace_->over = false;
    else if (!line.empty()) {
      finish_trace();
      return false;
    }
    keep(line);
    return true;
  }
  if (!trace_->confirmed) {
    const bool confirms = found_in(rule.confirms, line);
    if (!confirms && trace_->lines.lines.size() > trace_rules()[trace_->rule].free_lines) {
      trace_.reset();
      return false;
    }
    // Another one begins, so what seemed to was none.
    if (!confirms && !matches.empty() && !is_cause(line)) {
      trace_.reset();
      return false;
    }
    trace_->confirmed = confirms;
    keep(line);
    return true;
  }
  if (found_in(rule.last, line)) {
    keep(line);
    trace_->over = true;
    return true;
  }
  if (found_in(rule.goes_on, line)) {
    keep(line);
    return true;
  }
  finish_trace();
  return false;
}

void output_reader::finish_trace() {
  if (!trace_)
    return;
  auto done = std::exchange(trace_, std::nullopt);
  if (!done->confirmed)
    return;
  auto error = trace_rules()[done->rule].read(done->lines);
  if (!error)
    return;
  if (tests_.running())
    return tests_.describe(error->message);
  tell(std::move(*error));
}

// Builds

void output_reader::start_error(std::size_t rule, std::string_view line) {
  finish_error();
  const auto& r = compile_rules()[rule];
  open_error opened;
  opened.rule = rule;
  opened.error.kind = output_finding_kind::build_failed;
  opened.error.tool = r.tool;
  fill(compiled_compiles()[rule].head, line, opened.error);
  if (announces_errors(opened.error.message))
    opened.error.message.clear();
  opened.has_place = opened.error.line > 0;
  error_ = std::move(opened);
  if (r.ahead == 0)
    finish_error();
}

bool output_reader::continue_error(std::string_view line, const std::vector<int>& matches) {
  const bool another = std::any_of(matches.begin(), matches.end(),
                                   [](int id) { return all_lines()[id].of != table::trace; });
  const auto& rule = compile_rules()[error_->rule];
  auto& error = error_->error;
  const bool complete = !error.message.empty() && (error_->has_place || *rule.place == '\0');
  const bool below_frame = std::exchange(error_->frame_ended, line.starts_with("───"));
  if (another || error_->lines++ >= rule.ahead || (line.empty() && complete && !below_frame)) {
    finish_error();
    return !another && line.empty();
  }
  const auto text = without_indent(line);
  if (text.empty())
    return true;
  const auto message = error.message;
  if (fill(compiled_compiles()[error_->rule].place, line, error)) {
    error_->has_place = error_->has_place || error.line > 0;
    if (message.empty() && error.message.empty() && !error.code.empty())
      error.message = text;
    return true;
  }
  if (error.message.empty())
    error.message = text;
  else if (shows_source(line) && error.code_frame.size() + line.size() < most_frame_bytes)
    error.code_frame.append(error.code_frame.empty() ? "" : "\n").append(line);
  return true;
}

void output_reader::finish_error() {
  if (!error_)
    return;
  auto done = std::exchange(error_, std::nullopt);
  const auto& rule = compile_rules()[done->rule];
  if ((rule.needs_place && done->error.line == 0) || done->error.message.empty())
    return;
  tell_error(std::move(done->error));
}

void output_reader::tell_error(output_finding error) {
  if (told_.size() >= most_told)
    told_.clear();
  if (!told_.insert(error.file + ':' + std::to_string(error.line) + ':' + error.message).second)
    return;
  broken_ = true;
  if (++build_errors_ > most_build_errors)
    return;
  if (!error.code.empty() && !error.message.starts_with(error.code))
    error.message.insert(0, error.code + ": ");
  tell(std::move(error));
}

void output_reader::tell_build(std::size_t rule) {
  const auto& r = build_rules()[rule];
  const bool clean = build_errors_ == 0;
  if (r.means == build_word::passed_if_clean && !clean)
    return;
  told_.clear();
  build_errors_ = 0;
  if (r.means == build_word::begins || !std::exchange(broken_, false))
    return;
  output_finding passed;
  passed.kind = output_finding_kind::build_passed;
  passed.tool = r.tool;
  passed.message = std::string{r.tool} + ": compiles again";
  tell(std::move(passed));
}

void output_reader::tell(output_finding found) {
  if (findings_.size() < most_findings)
    findings_.push_back(std::move(found));
}

} // namespace gasoline
