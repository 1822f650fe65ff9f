#include "actors/frames/scripts/source_map.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/frames/scripts/mapping_walk.hpp"
#include "messages/base/encoding/base64.hpp"
#include "messages/base/encoding/percent_encoding.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {

namespace {

/// Whether a path that begins at a root is one of the disk, by the directories that people keep
/// their work in.
bool is_disk_path(std::string_view source) {
  constexpr std::array<std::string_view, 14> roots{
      "/home/", "/Users/", "/root/",      "/srv/",        "/opt/", "/var/",     "/tmp/",
      "/mnt/",  "/work/",  "/workspace/", "/workspaces/", "/usr/", "/private/", "/Volumes/"};
  return std::any_of(roots.begin(), roots.end(),
                     [&](std::string_view root) { return source.starts_with(root); });
}

/// The directory of the packages that some sources are of, as a path on the disk with a slash at
/// its end; empty: none is told.
std::string project_root(const std::vector<std::string>& sources) {
  for (const auto& source : sources) {
    const auto at = source.find("/node_modules/");
    if (at != std::string::npos && is_disk_path(source))
      return source.substr(0, at + 1);
  }
  return {};
}

} // namespace

/// Builds a map out of its JSON.
class source_map_reader {
 public:
  source_map_reader(std::string_view address, const source_map_caps& caps)
      : address_(address), caps_(caps) {}

  result_or<source_map> read(std::string_view json) {
    if (json.size() > caps_.bytes)
      return refused("is larger than " + std::to_string(caps_.bytes) + " bytes");
    if (json.starts_with(")]}'"))
      json.remove_prefix(std::min(json.find('\n'), json.size()));
    simdjson::dom::parser parser;
    const simdjson::padded_string text{json};
    simdjson::dom::object map;
    if (parser.parse(text).get(map) != simdjson::SUCCESS)
      return refused("is no JSON object");
    std::int64_t version = 0;
    if (map["version"].get(version) != simdjson::SUCCESS || version != 3)
      return refused("is not of version 3");
    simdjson::dom::array sections;
    if (map["sections"].get(sections) == simdjson::SUCCESS)
      read_index(sections);
    else
      read_section(map, 0, 0);
    if (map_.sections_.empty())
      return refused("holds no mappings");
    return std::move(map_);
  }

 private:
  using object = simdjson::dom::object;

  static tl::unexpected<user_error> refused(std::string what) {
    return tl::unexpected(user_error{"the source map " + std::move(what)});
  }

  void read_index(const simdjson::dom::array& sections) {
    for (const auto each : sections) {
      if (map_.sections_.size() >= caps_.sections)
        return;
      object entry;
      object offset;
      object map;
      std::uint64_t line = 0;
      std::uint64_t column = 0;
      const bool whole = each.get(entry) == simdjson::SUCCESS &&
                         entry["offset"].get(offset) == simdjson::SUCCESS &&
                         offset["line"].get(line) == simdjson::SUCCESS &&
                         offset["column"].get(column) == simdjson::SUCCESS &&
                         entry["map"].get(map) == simdjson::SUCCESS;
      if (!whole || line > UINT32_MAX || column > UINT32_MAX)
        continue;
      const auto& before = map_.sections_;
      const std::pair at{static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
      if (!before.empty() && at < std::pair{before.back().first_line, before.back().first_column})
        continue; // not in order: it cannot be told what it covers
      read_section(map, at.first, at.second);
    }
  }

  void read_section(const object& map, std::uint32_t line, std::uint32_t column) {
    source_map::section out;
    std::string_view mappings;
    if (map["mappings"].get(mappings) != simdjson::SUCCESS)
      return;
    out.first_line = line;
    out.first_column = column;
    out.mappings = mappings;
    read_sources(map, out);
    for (auto& name : texts(map, "names"))
      out.names.push_back(std::move(name));
    read_ignored(map, out);
    map_.sections_.push_back(std::move(out));
  }

  void read_sources(const object& map, source_map::section& out) const {
    std::string_view root;
    if (map["sourceRoot"].get(root) != simdjson::SUCCESS)
      root = {};
    auto sources = texts(map, "sources");
    for (auto& source : sources)
      if (!root.empty())
        source = std::string{root} + (root.ends_with('/') ? "" : "/") + source;
    const auto project = project_root(sources);
    for (const auto& source : sources)
      out.sources.push_back(resolved_source(source, project));
  }

  /// Some bundlers name sources by their path on the disk, which no server serves: below the
  /// directory of the project's packages that is one of the project, else it stays a path.
  std::string resolved_source(std::string_view source, std::string_view project) const {
    if (!project.empty() && source.starts_with(project))
      return resolved_address(address_, source.substr(project.size() - 1));
    if (is_disk_path(source))
      return "file://" + std::string{source};
    return resolved_address(address_, source);
  }

  std::vector<std::string> texts(const object& map, std::string_view key) const {
    std::vector<std::string> out;
    simdjson::dom::array list;
    if (map[key].get(list) != simdjson::SUCCESS)
      return out;
    for (const auto each : list) {
      std::string_view text;
      if (out.size() >= caps_.sources)
        return out;
      out.emplace_back(each.get(text) == simdjson::SUCCESS ? text : std::string_view{});
    }
    return out;
  }

  static void read_ignored(const object& map, source_map::section& out) {
    simdjson::dom::array list;
    if (map["ignoreList"].get(list) != simdjson::SUCCESS &&
        map["x_google_ignoreList"].get(list) != simdjson::SUCCESS)
      return;
    out.ignored.resize(out.sources.size(), false);
    for (const auto each : list) {
      std::uint64_t index = 0;
      if (each.get(index) == simdjson::SUCCESS && index < out.ignored.size())
        out.ignored[index] = true;
    }
  }

  std::string_view address_;
  source_map_caps caps_;
  source_map map_;
};

namespace {

std::string_view trimmed_end(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// The value of a comment that names a map; empty when the line is none.
std::string_view map_comment(std::string_view line) {
  constexpr std::string_view key = "sourceMappingURL=";
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with("//# ") && !line.starts_with("//@ "))
    return {};
  const auto value = line.substr(4);
  if (!value.starts_with(key))
    return {};
  const auto address = value.substr(key.size());
  return address.find_first_of(" '\"`") == std::string_view::npos ? address : std::string_view{};
}

/// The path without `.` and `..`, which stop at the root.
std::string plain_path(std::string_view path) {
  std::vector<std::string_view> kept;
  const bool rooted = path.starts_with('/');
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const auto piece = path.substr(0, end);
    if (piece == ".." && !kept.empty())
      kept.pop_back();
    else if (!piece.empty() && piece != "." && piece != "..")
      kept.push_back(piece);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  std::string out;
  for (const auto piece : kept)
    out.append(out.empty() && !rooted ? "" : "/").append(piece);
  return out;
}

bool has_scheme(std::string_view address) {
  const auto colon = address.find(':');
  return colon != std::string_view::npos && colon > 0 && address.find('/') > colon;
}

} // namespace

result_or<source_map> source_map::parse(std::string_view json, std::string_view address,
                                        const source_map_caps& caps) {
  return source_map_reader{address, caps}.read(json);
}

std::vector<std::optional<original_position>>
source_map::find(const std::vector<script_position>& positions) const {
  std::vector<std::optional<original_position>> out(positions.size());
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    const auto& part = sections_[s];
    mapping_walk walk{part.mappings, part.sources.size(), part.names.size()};
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (positions[i].line == 0)
        continue;
      const std::pair at{positions[i].line - 1,
                         positions[i].column > 0 ? positions[i].column - 1 : 0U};
      const bool before = at < std::pair{part.first_line, part.first_column};
      const bool after = s + 1 < sections_.size() && at >= std::pair{sections_[s + 1].first_line,
                                                                     sections_[s + 1].first_column};
      if (before || after)
        continue;
      const auto line = at.first - part.first_line;
      walk.ask(line, line == 0 ? at.second - part.first_column : at.second);
      asked.push_back(i);
    }
    if (asked.empty())
      continue;
    const auto found = walk.answers();
    for (std::size_t n = 0; n < asked.size(); ++n) {
      if (!found[n].known)
        continue;
      original_position at;
      at.source = part.sources[found[n].source];
      if (found[n].named)
        at.name = part.names[found[n].name];
      at.line = found[n].line + 1;
      at.column = found[n].column + 1;
      at.ignored = found[n].source < part.ignored.size() && part.ignored[found[n].source];
      out[asked[n]] = std::move(at);
    }
  }
  return out;
}

void source_map::call_source(std::string_view path, std::string_view name) {
  for (auto& part : sections_)
    for (auto& source : part.sources)
      if (source.ends_with(path))
        source = name;
}

std::uint64_t source_map::bytes() const {
  std::uint64_t total = 0;
  for (const auto& part : sections_) {
    total += sizeof(part) + part.mappings.size();
    for (const auto* list : {&part.sources, &part.names})
      for (const auto& text : *list)
        total += sizeof(text) + text.size();
  }
  return total;
}

std::string_view named_source_map(std::string_view script) {
  while (true) {
    script = trimmed_end(script);
    const auto start = script.rfind('\n');
    const auto line = script.substr(start == std::string_view::npos ? 0 : start + 1);
    if (const auto address = map_comment(line); !address.empty())
      return address;
    const auto text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    if (start == std::string_view::npos || !text.starts_with("//"))
      return {};
    script = script.substr(0, start);
  }
}

std::optional<std::string> data_content(std::string_view address) {
  const auto comma = address.find(',');
  if (!address.starts_with("data:") || comma == std::string_view::npos)
    return std::nullopt;
  const auto content = address.substr(comma + 1);
  if (address.substr(0, comma).ends_with(";base64"))
    return base64_decoded(content);
  return percent_decoded_leniently(content);
}

std::string resolved_address(std::string_view base, std::string_view address) {
  if (has_scheme(address))
    return std::string{address};
  const auto pieces = take_apart(base);
  const auto query = address.find('?');
  const auto path = address.substr(0, query);
  const auto rest = query == std::string_view::npos ? std::string_view{} : address.substr(query);
  if (path.starts_with("//"))
    return std::string{pieces.scheme} + ":" + std::string{address};
  const auto folder = pieces.path.substr(0, pieces.path.rfind('/') + 1);
  const auto whole =
      path.starts_with('/') ? std::string{path} : std::string{folder} + std::string{path};
  return std::string{pieces.origin} + plain_path(whole) + std::string{rest};
}

} // namespace gasoline
