#include "tools/ci_report/working_tree.hpp"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace gasoline {
namespace {

std::string first_line_of(const std::filesystem::path& file) {
  std::ifstream in{file};
  std::string out;
  std::getline(in, out);
  return out;
}

/// The directory of git's files; a linked working tree names it in a file.
std::filesystem::path git_directory(const std::filesystem::path& tree) {
  constexpr std::string_view link = "gitdir: ";
  std::error_code ec;
  const auto git = tree / ".git";
  if (!std::filesystem::is_regular_file(git, ec))
    return git;
  const auto line = first_line_of(git);
  return line.starts_with(link) ? tree / line.substr(link.size()) : git;
}

std::string branch_in(const std::filesystem::path& git) {
  constexpr std::string_view start = "ref: refs/heads/";
  const auto head = first_line_of(git / "HEAD");
  return head.starts_with(start) ? head.substr(start.size()) : std::string{};
}

/// The settings of a linked working tree stand with those of the main one.
std::filesystem::path settings_file(const std::filesystem::path& git) {
  const auto common = first_line_of(git / "commondir");
  return (common.empty() ? git : git / common) / "config";
}

std::string remote_in(const std::filesystem::path& git) {
  std::ifstream in{settings_file(git)};
  bool is_origin = false;
  for (std::string line; std::getline(in, line);) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos)
      continue;
    const auto text = std::string_view{line}.substr(begin);
    if (text.starts_with('['))
      is_origin = text.starts_with("[remote \"origin\"]");
    const auto value = text.find('=');
    if (is_origin && text.starts_with("url") && value != std::string_view::npos) {
      const auto address = text.substr(value + 1);
      return std::string{address.substr(std::min(address.find_first_not_of(' '), address.size()))};
    }
  }
  return {};
}

} // namespace

working_tree working_tree_here() {
  std::error_code ec;
  for (auto at = std::filesystem::current_path(ec); !at.empty(); at = at.parent_path()) {
    const auto git = git_directory(at);
    if (std::filesystem::exists(git / "HEAD", ec))
      return {branch_in(git), remote_in(git)};
    if (at == at.root_path())
      break;
  }
  return {};
}

} // namespace gasoline
