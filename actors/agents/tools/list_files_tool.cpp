#include "actors/agents/tools/list_files_tool.hpp"

#include "actors/agents/tools/tool_input.hpp"
#include "actors/agents/tools/workspace.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::uint64_t most_depth = 10;

struct close_directory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

using open_directory = std::unique_ptr<DIR, close_directory>;

struct listed_entry {
  std::string name;
  mode_t mode = 0;
  std::uint64_t bytes = 0;
};

/// A name can hold anything; a line break in it must not look like another entry.
std::string printable(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return name;
}

/// Lists directories below one, with one count of entries for all.
class file_lister {
 public:
  explicit file_lister(const limits_of<session_room>& limit) : limit_(limit) {}

  /// Adds what is in the directory, and in those below it for `depth` - 1 more levels.
  void list(const file_descriptor& directory, const std::string& prefix, std::uint64_t depth) {
    for (const auto& entry : entries_of(directory)) {
      add_line(entry, prefix);
      if (S_ISDIR(entry.mode) && depth > 1 && !cut_)
        list_below(directory, entry, prefix, depth - 1);
    }
  }

  tool_outcome outcome() && {
    tool_outcome out;
    out.truncated = cut_;
    if (text_.empty() && !cut_)
      text_ = "(empty)\n";
    if (cut_)
      text_ += "[there is more; list a directory further down]\n";
    text_.pop_back(); // the last line break
    out.text = std::move(text_);
    return out;
  }

 private:
  std::vector<listed_entry> entries_of(const file_descriptor& directory) {
    std::vector<listed_entry> out;
    const int again = ::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const open_directory stream{again < 0 ? nullptr : ::fdopendir(again)};
    if (!stream)
      return out;
    while (const auto* found = ::readdir(stream.get())) {
      const std::string name = found->d_name;
      if (name == "." || name == "..")
        continue;
      if (left_ == 0) {
        cut_ = true;
        break;
      }
      --left_;
      struct stat about {};
      if (::fstatat(directory.get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0)
        out.push_back({name, about.st_mode, static_cast<std::uint64_t>(about.st_size)});
    }
    std::sort(out.begin(), out.end(),
              [](const listed_entry& a, const listed_entry& b) { return a.name < b.name; });
    return out;
  }

  void add_line(const listed_entry& entry, const std::string& prefix) {
    if (text_.size() >= limit_.session.tool_output_bytes)
      cut_ = true;
    if (text_.size() >= limit_.session.tool_output_bytes)
      return;
    text_ += printable(prefix + entry.name);
    if (S_ISDIR(entry.mode))
      text_ += '/';
    else if (S_ISLNK(entry.mode))
      text_ += '@';
    else if (S_ISREG(entry.mode))
      text_ += "\t" + std::to_string(entry.bytes);
    text_ += '\n';
  }

  void list_below(const file_descriptor& directory, const listed_entry& entry,
                  const std::string& prefix, std::uint64_t depth) {
    const auto below = open_beneath(directory.get(), entry.name, readable_kind::directory);
    if (below)
      list(*below, prefix + entry.name + "/", depth);
  }

  const limits_of<session_room>& limit_;
  std::uint64_t left_ = limit_.session.list_entries;
  std::string text_;
  bool cut_ = false;
};

} // namespace

tool_outcome list_files(const tool_request& request, const limits_of<session_room>& limit) {
  tool_input input{request.input, {"path", "depth"}};
  const auto given = input.text_or("path", ".");
  const auto depth = input.count("depth", 1, most_depth);
  if (!input.fault().empty())
    return invalid_input(input.fault());
  const auto directory = open_in_workspace(request.workspace_path, given, readable_kind::directory);
  if (!directory)
    return outcome_of(directory.error());
  file_lister lister{limit};
  lister.list(directory->descriptor, directory->path == "." ? "" : directory->path + "/", depth);
  return std::move(lister).outcome();
}

model_tool list_files_tool() {
  return {"list_files",
          "Lists a directory of the workspace: one entry a line, directories with '/' at the end, "
          "symbolic links with '@', files with their size in bytes.",
          {{"type", "object"},
           {"properties",
            {{"path",
              {{"type", "string"},
               {"description", "Relative to the workspace; the workspace itself by default"}}},
             {"depth",
              {{"type", "integer"},
               {"minimum", 1},
               {"maximum", most_depth},
               {"description", "Levels; default 1"}}}}}}};
}

} // namespace gasoline
