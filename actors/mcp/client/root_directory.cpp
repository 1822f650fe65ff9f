#include "actors/mcp/client/root_directory.hpp"

#include "actors/base/url_pieces.hpp"
#include "messages/base/encoding/percent_encoding.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t longest_path = 4'096;

bool is_file_scheme(std::string_view uri) {
  constexpr std::string_view scheme = "file:";
  return uri.size() > scheme.size() &&
         std::equal(scheme.begin(), scheme.end(), uri.begin(), [](char wanted, char c) {
           return wanted == std::tolower(static_cast<unsigned char>(c));
         });
}

/// What stands behind scheme and host; empty: it is another machine's.
std::string_view path_part(std::string_view uri) {
  uri.remove_prefix(uri.find(':') + 1);
  if (uri.substr(0, 2) != "//")
    return uri; // `file:/home/user`
  uri.remove_prefix(2);
  const auto host = uri.substr(0, uri.find('/'));
  if (!host.empty() && !is_local_host(host))
    return {};
  return uri.substr(host.size());
}

/// The path without `.`, `..` and a slash at its end; empty: it cannot be one of a project. That
/// everything lies below `/` says nothing.
std::string usable_path(std::string_view path) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (path.empty() || path.front() != '/' || path.size() > longest_path ||
      std::any_of(path.begin(), path.end(), is_control))
    return {};
  auto out = std::filesystem::path{path}.lexically_normal().string();
  while (!out.empty() && out.back() == '/')
    out.pop_back();
  return out;
}

} // namespace

std::vector<std::string> paths_of_root(std::string_view uri) {
  std::vector<std::string> out;
  if (!is_file_scheme(uri))
    return out;
  const auto whole = path_part(uri);
  const auto add = [&out](std::string path) {
    if (!path.empty() && std::find(out.begin(), out.end(), path) == out.end())
      out.push_back(std::move(path));
  };
  if (const auto decoded = percent_decoded(whole.substr(0, whole.find_first_of("?#"))))
    add(usable_path(*decoded));
  add(usable_path(whole));
  return out;
}

std::string root_directory(std::string_view uri) {
  for (auto& path : paths_of_root(uri)) {
    std::error_code ec;
    if (std::filesystem::is_directory(path, ec))
      return std::move(path);
  }
  return {};
}

} // namespace gasoline
