#include "actors/frames/frame_rewriting.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/frames/stack/frame_folding.hpp"
#include "actors/frames/stack/project_path.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t longest_minified = 2;

struct traced_line {
  std::string_view text;
  std::optional<stack_frame> frame;
  std::optional<original_position> origin;
};

std::vector<traced_line> lines_of(std::string_view text) {
  std::vector<traced_line> out;
  for_each_line(text, [&](std::string_view line) {
    auto frame = parse_frame(line);
    if (frame && frame->place.empty())
      frame.reset();
    out.push_back({line, frame, std::nullopt});
    return true;
  });
  return out;
}

/// Asks each map once for all its frames.
std::size_t find_origins(std::vector<traced_line>& lines, const map_lookup& maps) {
  std::map<std::string_view, std::vector<std::size_t>> by_file;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].frame && lines[i].frame->line > 0)
      by_file[lines[i].frame->file].push_back(i);
  std::size_t found = 0;
  for (const auto& [file, indexes] : by_file) {
    const auto* map = maps(file);
    if (map == nullptr)
      continue;
    std::vector<script_position> positions;
    for (const auto i : indexes)
      positions.push_back({lines[i].frame->line, lines[i].frame->column});
    auto origins = map->find(positions);
    for (std::size_t n = 0; n < indexes.size(); ++n) {
      found += origins[n] ? 1U : 0U;
      lines[indexes[n]].origin = std::move(origins[n]);
    }
  }
  return found;
}

/// The frame's function; where a minifier named it, what its caller's line calls it.
std::string function_of(const std::vector<traced_line>& lines, std::size_t index) {
  const std::string own{lines[index].frame->function};
  if (own.size() > longest_minified || index + 1 >= lines.size())
    return own;
  const auto& caller = lines[index + 1].origin;
  return caller && !caller->name.empty() ? caller->name : own;
}

std::string place_of(const traced_line& line, std::string_view origin) {
  std::string out = line.origin->ignored ? "ignored:" : "";
  out += project_path(line.origin->source, origin);
  out += ':' + std::to_string(line.origin->line);
  return out + ':' + std::to_string(line.origin->column);
}

std::string written(const std::vector<traced_line>& lines, std::size_t index,
                    std::string_view origin) {
  const auto& line = lines[index];
  if (!line.frame)
    return std::string{line.text};
  std::string place;
  if (line.origin)
    place = place_of(line, origin);
  else if (is_bundler_address(line.frame->file))
    place = project_path(line.frame->file, origin) +
            std::string{line.frame->place.substr(line.frame->file.size())};
  else
    return std::string{line.text};
  const auto function = function_of(lines, index);
  std::string out = "    at ";
  if (line.frame->async)
    out += "async ";
  return out + (function.empty() ? place : function + " (" + place + ")");
}

} // namespace

void for_each_mappable(std::string_view text, std::string_view origin,
                       const std::function<void(std::string_view address)>& visit) {
  for_each_line(text, [&](std::string_view line) {
    const auto frame = parse_frame(line);
    if (frame && frame->line > 0 && !is_library_frame(*frame) &&
        take_apart(frame->file).origin == origin)
      visit(frame->file);
    return true;
  });
}

rewritten_text rewrite_frames(std::string_view text, std::string_view origin,
                              const map_lookup& maps) {
  auto lines = lines_of(text);
  rewritten_text out;
  out.mapped = find_origins(lines, maps);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0)
      out.text += '\n';
    out.text += written(lines, i, origin);
  }
  return out;
}

} // namespace gasoline
