#include "actors/frames/stack/frame_folding.hpp"

#include "actors/base/url_pieces.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace gasoline {
namespace {

constexpr std::string_view server_mark = "about://React/";
constexpr std::size_t packages_named = 3;
constexpr std::size_t components_named = 6;

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t N>
bool holds_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return holds(text, part); });
}

/// Where packages and the code of bundlers, development servers and runtimes are found.
constexpr std::array<std::string_view, 27> library_places{
    "node_modules/",
    "/vite/deps/",
    "/.vite/",
    "/@vite/",
    "/@react-refresh",
    "/@id/",
    "/@ng/",
    "/_next/static/chunks/node_modules_",
    "_next_dist_",
    "/next/dist/",
    "webpack/runtime",
    "webpack/bootstrap",
    "webpack/hot/",
    "webpack-dev-server",
    "webpack:///external ",
    "(webpack)",
    "[turbopack]",
    "/gasoline.js",
    "/site-packages/",
    "/dist-packages/",
    "/lib/python3",
    "//unpkg.com/",
    "//cdn.jsdelivr.net/",
    "//esm.sh/",
    "//cdnjs.cloudflare.com/",
    "//ajax.googleapis.com/",
    "HMRRuntime",
};

constexpr std::array<std::string_view, 8> library_starts{
    "node:", "internal/", "about:", "chrome://", "resource://", "webpack/", "deno:", "ext:"};

/// Names that bundlers give to the files of packages.
constexpr std::array<std::string_view, 6> library_files{"vendor",    "vendors",       "framework",
                                                        "polyfills", "react-refresh", "main-app"};

bool is_library_file(std::string_view file) {
  const auto path = file.substr(0, file.find_first_of("?#"));
  const auto name = path.substr(path.rfind('/') + 1);
  return std::any_of(library_files.begin(), library_files.end(), [&](std::string_view library) {
    return name.starts_with(library) && name.size() > library.size() &&
           holds(".-~_", name.substr(library.size(), 1));
  });
}

std::string_view without_origin(std::string_view file, std::string_view page) {
  const auto pieces = take_apart(file);
  if (!pieces.origin.empty() && pieces.origin == take_apart(page).origin && !pieces.path.empty())
    return file.substr(pieces.origin.size());
  return file;
}

/// The line as the folded form shows it.
std::string shown_frame(const stack_frame& frame, std::string_view page) {
  std::string out = frame.async ? "at async " : "at ";
  const auto place = shown_place(frame, page);
  if (frame.function.empty() || place.empty())
    return out.append(frame.function).append(place);
  return out.append(frame.function).append(" (").append(place).append(")");
}

/// Counts what is left out, by the packages that it is of.
class left_out {
 public:
  void add(const stack_frame& frame) {
    ++frames_;
    const auto package = package_of(frame.file);
    if (package.empty() ||
        std::find(packages_.begin(), packages_.end(), package) != packages_.end())
      return;
    packages_.push_back(package);
  }

  void add_own() { ++own_; }

  std::string line() const {
    std::string out;
    if (own_ > 0)
      out = "+" + std::to_string(own_) + " more";
    if (frames_ == 0)
      return out;
    out += (out.empty() ? "+" : ", +") + std::to_string(frames_) +
           (packages_.empty() ? " of libraries" : " in ");
    for (std::size_t i = 0; i < std::min(packages_.size(), packages_named); ++i)
      out.append(i > 0 ? ", " : "").append(packages_[i]);
    return out;
  }

 private:
  std::size_t frames_ = 0;
  std::size_t own_ = 0;
  std::vector<std::string_view> packages_;
};

void add_line(std::string& out, std::string_view line) {
  if (line.empty())
    return;
  if (!out.empty())
    out += '\n';
  out += line;
}

/// `… 480 more frames`: what somebody before us has left out.
bool is_note(std::string_view line) {
  return line.ends_with(" more frames") && line.find_first_not_of(" \t") != std::string_view::npos;
}

/// The component that a line of a component stack names: `at Cart (http://…)`, `at <Cart a=1>`,
/// `in Cart (at App.js:3)`, `Cart@http://…`; empty when it is no such line.
std::string_view component_of(std::string_view line) {
  line = ascii::trimmed(line);
  if (line.starts_with("at <") || line.starts_with("in <")) {
    line.remove_prefix(4);
    return line.substr(0, line.find_first_of(" >/"));
  }
  if (line.starts_with("in ") && line.find(' ', 3) == std::string_view::npos)
    return line.substr(3);
  if (line.starts_with("in ") && holds(line, " (at "))
    return line.substr(3, line.find(" (") - 3);
  if (line.starts_with("at ") && line.find_first_of(" :/", 3) == std::string_view::npos)
    return line.substr(3);
  const auto frame = parse_frame(line);
  return frame && !frame->place.empty() ? frame->function : std::string_view{};
}

bool is_component_line(std::string_view line) {
  line = ascii::trimmed(line);
  const auto frame = parse_frame(line);
  return !component_of(line).empty() || (frame && !frame->place.empty());
}

} // namespace

bool is_library_frame(const stack_frame& frame) {
  auto file = frame.file;
  if (file.empty())
    return true;
  if (file.starts_with(server_mark)) // what a server component threw, as React tells its page
    file.remove_prefix(server_mark.size());
  const bool starts = std::any_of(library_starts.begin(), library_starts.end(),
                                  [&](std::string_view start) { return file.starts_with(start); });
  return starts || holds_any(file, library_places) || is_library_file(file) ||
         is_extension_scheme(take_apart(file).scheme);
}

std::string_view package_of(std::string_view file) {
  constexpr std::string_view modules = "node_modules/";
  const auto at = file.rfind(modules);
  if (at == std::string_view::npos)
    return {};
  auto name = file.substr(at + modules.size());
  for (const std::string_view cache : {".vite/deps/", ".cache/"})
    if (name.starts_with(cache))
      name.remove_prefix(cache.size());
  const bool scoped = name.starts_with('@');
  auto end = name.find('/');
  if (scoped && end != std::string_view::npos)
    end = name.find('/', end + 1);
  name = name.substr(0, end);
  return name.substr(0, name.find_first_of("?#")).substr(0, name.find(".js"));
}

std::string shown_place(const stack_frame& frame, std::string_view page) {
  const auto file = without_origin(frame.file, page);
  std::string out{file.substr(0, file.find('?'))};
  if (frame.line > 0)
    out += ':' + std::to_string(frame.line);
  if (frame.line > 0 && frame.column > 0)
    out += ':' + std::to_string(frame.column);
  return out;
}

std::optional<stack_frame> leading_frame(std::string_view stack) {
  std::optional<stack_frame> first;
  std::optional<stack_frame> own;
  for_each_line(stack, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    if (!frame || frame->place.empty())
      return true;
    if (!first)
      first = frame;
    if (!is_library_frame(*frame))
      own = frame;
    return !own;
  });
  return own ? own : first;
}

std::string folded_stack(std::string_view stack, const folding& how) {
  std::string out;
  std::string notes;
  std::string first_library;
  left_out rest;
  std::size_t own = 0;
  for_each_line(stack, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    if (!frame) {
      if (is_note(line))
        notes += (notes.empty() ? "" : ", ") + std::string{ascii::trimmed(line)};
      return true;
    }
    if (is_library_frame(*frame)) {
      if (first_library.empty() && !frame->place.empty())
        first_library = shown_frame(*frame, how.page);
      rest.add(*frame);
    } else if (own++ < how.own_frames) {
      add_line(out, shown_frame(*frame, how.page));
    } else {
      rest.add_own();
    }
    return true;
  });
  if (own == 0)
    add_line(out, first_library);
  auto last = rest.line();
  if (!notes.empty())
    last += (last.empty() ? "" : ", ") + notes;
  add_line(out, last);
  return out;
}

std::string folded_message(std::string_view message) {
  std::string out;
  std::vector<std::string_view> names;
  bool any = false;
  for_each_line(message, [&](std::string_view line) {
    const auto text = ascii::trimmed(line);
    if (text.empty())
      return true;
    if (any && is_component_line(text)) {
      if (const auto name = component_of(text); !name.empty())
        names.push_back(name);
      return true;
    }
    add_line(out, text);
    any = true;
    return true;
  });
  if (names.empty())
    return out;
  out += "\nin ";
  for (std::size_t i = 0; i < std::min(names.size(), components_named); ++i)
    out.append(i > 0 ? " < " : "").append(names[i]);
  if (names.size() > components_named)
    out += " < +" + std::to_string(names.size() - components_named);
  return out;
}

} // namespace gasoline
