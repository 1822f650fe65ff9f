#include "actors/browser/actions/upload_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

/// Whether `inner` lies in `outer`, both whole paths without links.
bool is_within(const fs::path& inner, const fs::path& outer) {
  const auto [in, out] = std::mismatch(inner.begin(), inner.end(), outer.begin(), outer.end());
  return out == outer.end() && in != inner.end();
}

bool has_hidden_part(const fs::path& below) {
  return std::any_of(below.begin(), below.end(), [](const fs::path& part) {
    return part.native().starts_with('.') && part != "." && part != "..";
  });
}

/// Where files may be taken from: whole paths without links.
std::vector<fs::path> open_directories(const std::vector<fs::path>& directories) {
  std::vector<fs::path> out;
  std::error_code ec;
  for (const auto& directory : directories)
    if (auto whole = fs::canonical(directory, ec); !ec)
      out.push_back(std::move(whole));
  if (!directories.empty())
    return out;
  const auto here = fs::canonical(fs::current_path(ec), ec);
  const char* home = std::getenv("HOME");
  const auto house = fs::canonical(home != nullptr ? home : "/", ec);
  if (!here.empty() && here != house && !is_within(house, here))
    out.push_back(here);
  return out;
}

result_or<std::string> uploadable_file(const std::string& asked,
                                       const std::vector<fs::path>& directories) {
  std::error_code ec;
  for (const auto& directory : directories) {
    const auto file = fs::canonical(directory / asked, ec); // a whole path takes its place
    if (ec || !fs::is_regular_file(file, ec) || !is_within(file, directory))
      continue;
    if (!has_hidden_part(file.lexically_relative(directory)))
      return file.string();
  }
  std::string where;
  for (const auto& directory : directories)
    where += (where.empty() ? "" : ", ") + directory.string();
  return tl::unexpected(user_error{
      "There is no file '" + asked + "' that may be uploaded. Files come from " +
      (where.empty() ? "no directory" : where) +
      R"(, hidden ones excepted; the settings name others: {"interact":{"files":["/home/me/shop/fixtures"]}}.)"});
}

} // namespace

result_or<std::vector<std::string>> uploadable_files(const std::vector<std::string>& asked,
                                                     const std::vector<fs::path>& directories) {
  const auto open = open_directories(directories);
  std::vector<std::string> out;
  for (const auto& each : asked) {
    auto file = uploadable_file(each, open);
    if (!file)
      return tl::unexpected(file.error());
    out.push_back(std::move(*file));
  }
  return out;
}

} // namespace gasoline
