#include "tools/setup/agent_setup.hpp"

#include "messages/base/private_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = 16U << 20U;
constexpr mode_t private_file = 0600;
constexpr mode_t private_program = 0700;

/// What stands in the copy of a file that was not there.
constexpr std::string_view no_file = "There was no such file before `gasoline setup`.\n";

user_error left_alone(const fs::path& file, const std::string& why) {
  return user_error{file.string() + " is left alone: " + why + "."};
}

fs::path backup_of(const fs::path& file) {
  auto out = file;
  return out += ".gasoline-backup";
}

result_or<std::optional<std::string>> read_file(const fs::path& file) {
  std::error_code ec;
  const auto status = fs::status(file, ec);
  if (status.type() == fs::file_type::not_found)
    return std::optional<std::string>{};
  if (!fs::is_regular_file(status))
    return tl::unexpected(left_alone(file, "it is no regular file"));
  if (fs::file_size(file, ec) > most_bytes)
    return tl::unexpected(left_alone(file, "it is larger than 16 MB"));
  std::ifstream in{file, std::ios::binary};
  std::ostringstream text;
  if (!in || !(text << in.rdbuf() || in.peek() == std::ifstream::traits_type::eof()))
    return tl::unexpected(left_alone(file, "it cannot be read"));
  return std::optional{text.str()};
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool is_nothing(std::string text) {
  std::erase_if(text, [](char c) { return is_blank({&c, 1}); });
  return text.empty() || text == "{}";
}

element_test ours_like(const ordered_json& value) {
  return [value](const ordered_json& element) { return element == value || is_own_hook(element); };
}

/// Whether the array goes on where the other one ends.
bool goes_on(const ordered_json& longer, const ordered_json& wanted) {
  return longer.is_array() && wanted.is_array() && longer.size() > wanted.size() &&
         std::equal(wanted.begin(), wanted.end(), longer.begin());
}

/// Whether the entry of an agent starts a program of ours, of this build or another one.
bool starts_gasoline(const ordered_json& entry) {
  const auto command = entry.is_object() ? entry.find("command") : entry.end();
  if (!entry.is_object() || command == entry.end())
    return false;
  const auto& word = command->is_array() && !command->empty() ? command->front() : *command;
  return word.is_string() && fs::path{word.get<std::string>()}.filename() == "gasoline";
}

/// What is wanted, with what the user has added to the entry that is there: arguments behind ours,
/// variables, members that we do not write.
ordered_json with_additions(const std::optional<ordered_json>& there, const ordered_json& wanted) {
  if (!there || !wanted.is_object() || !starts_gasoline(*there))
    return wanted;
  auto out = *there;
  for (const auto& [name, value] : wanted.items()) {
    const auto known = there->find(name);
    const bool keeps = known != there->end() &&
                       (goes_on(*known, value) || (value.is_object() && known->is_object()));
    if (!keeps)
      out[name] = value;
  }
  return out;
}

struct setter {
  std::string_view text;

  result_or<std::string> operator()(const wanted_member& m) const {
    return set_json_member(text, m.path, with_additions(json_value_at(text, m.path), m.value));
  }
  result_or<std::string> operator()(const wanted_element& e) const {
    return set_json_element(text, e.path, e.value, ours_like(e.value));
  }
  result_or<std::string> operator()(const wanted_table& t) const {
    return set_toml_table(text, t.name, t.lines);
  }
};

struct remover {
  std::string_view text;

  result_or<std::string> operator()(const wanted_member& m) const {
    return remove_json_member(text, m.path);
  }
  result_or<std::string> operator()(const wanted_element& e) const {
    return remove_json_elements(text, e.path, ours_like(e.value));
  }
  result_or<std::string> operator()(const wanted_table& t) const {
    return remove_toml_table(text, t.name);
  }
};

bool is_json(const wanted_file& wanted) {
  return !wanted.entries.empty() && !std::holds_alternative<wanted_table>(wanted.entries.front());
}

/// Removes what is empty at the path and above it, as far as the original has none of it.
std::string pruned(std::string text, json_path path, const std::optional<std::string>& original) {
  for (; !path.empty(); path.pop_back()) {
    const auto value = json_value_at(text, path);
    const bool was_there = original && json_value_at(*original, path);
    if (!value || !value->is_structured() || !value->empty() || was_there)
      break;
    if (auto out = remove_json_member(text, path))
      text = std::move(*out);
  }
  return text;
}

json_path parent_of(const wanted_entry& entry) {
  if (const auto* member = std::get_if<wanted_member>(&entry))
    return {member->path.begin(), member->path.end() - 1};
  if (const auto* element = std::get_if<wanted_element>(&entry))
    return element->path;
  return {};
}

/// The file that a symbolic link leads to, also one that does not exist yet.
fs::path behind_links(const fs::path& file) {
  std::error_code ec;
  auto out = file;
  constexpr int most_links = 16;
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(out, ec)); ++i) {
    const auto to = fs::read_symlink(out, ec);
    out = to.is_absolute() ? to : out.parent_path() / to;
  }
  return out;
}

/// Removes the folders that the file was alone in: setup has made them, or nobody misses them.
void remove_empty_folders(const file_change& change) {
  std::error_code ec;
  const auto is_left_over = [&](const fs::path& folder) {
    return !change.below.empty() && lies_below(folder, change.below) &&
           !fs::is_symlink(fs::symlink_status(folder, ec)) && fs::is_empty(folder, ec);
  };
  for (auto at = change.path.parent_path(); is_left_over(at); at = at.parent_path())
    if (!fs::remove(at, ec))
      return;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// From the first line that differs to the last, with the common lines between the two left out
/// only at both ends.
std::string differing_lines(const std::vector<std::string_view>& a,
                            const std::vector<std::string_view>& b) {
  const auto [first_a, first_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  auto last_a = a.end();
  auto last_b = b.end();
  while (last_a != first_a && last_b != first_b && *(last_a - 1) == *(last_b - 1)) {
    --last_a;
    --last_b;
  }
  std::string out;
  for (auto i = first_a; i != last_a; ++i)
    out.append("- ").append(*i).append("\n");
  for (auto i = first_b; i != last_b; ++i)
    out.append("+ ").append(*i).append("\n");
  return out;
}

} // namespace

result_or<std::string> with_entries(std::string_view text, const wanted_file& wanted) {
  if (wanted.entries.empty())
    return wanted.content;
  std::string out{is_json(wanted) && is_blank(text) ? "{}\n" : text};
  for (const auto& entry : wanted.entries) {
    auto next = std::visit(setter{out}, entry);
    if (!next)
      return tl::unexpected(left_alone(wanted.path, next.error().message));
    out = std::move(*next);
  }
  return out;
}

result_or<std::string> without_entries(std::string_view text, const wanted_file& wanted,
                                       const std::optional<std::string>& original) {
  std::string out{text};
  for (const auto& entry : wanted.entries) {
    auto next = std::visit(remover{out}, entry);
    if (!next)
      return tl::unexpected(left_alone(wanted.path, next.error().message));
    out = pruned(std::move(*next), parent_of(entry), original);
  }
  return out;
}

result_or<file_change> plan_setup(const wanted_file& wanted) {
  auto before = read_file(wanted.path);
  if (!before)
    return tl::unexpected(before.error());
  if (wanted.entries.empty() && *before && before->value().find("gasoline") == std::string::npos)
    return tl::unexpected(left_alone(wanted.path, "it is there and is not ours"));
  auto after = with_entries(before->value_or(""), wanted);
  if (!after)
    return tl::unexpected(after.error());
  file_change out{wanted.path, std::move(*before), std::move(*after), wanted.executable};
  out.keeps_copy = !wanted.entries.empty();
  return out;
}

result_or<file_change> plan_uninstall(const wanted_file& wanted) {
  auto before = read_file(wanted.path);
  if (!before)
    return tl::unexpected(before.error());
  file_change out{wanted.path, *before, *before, wanted.executable};
  out.below = wanted.below;
  if (!*before)
    return out;
  if (wanted.entries.empty()) {
    if (before->value().find("gasoline") != std::string::npos)
      out.after.reset();
    return out;
  }
  auto original = read_file(backup_of(behind_links(wanted.path)));
  if (!original)
    return tl::unexpected(original.error());
  if (*original == no_file) {
    original->reset();
    out.drops_copy = true;
  }
  const auto untouched = with_entries(original->value_or(""), wanted);
  if (untouched && *untouched == **before) {
    out.after = *original;
    out.drops_copy = true;
    return out;
  }
  auto after = without_entries(**before, wanted, *original);
  if (!after)
    return tl::unexpected(after.error());
  if (!*original && is_nothing(*after))
    out.after.reset(); // it was made by setup, and nobody has put anything into it
  else
    out.after = std::move(*after);
  return out;
}

namespace {

/// The copy of what is there before the first change.
std::optional<user_error> keep_copy(const file_change& change, const fs::path& copy, mode_t mode) {
  std::error_code ec;
  if (!change.keeps_copy || fs::exists(copy, ec))
    return std::nullopt;
  return replace_file(copy, change.before ? std::string_view{*change.before} : no_file, mode);
}

std::optional<user_error> remove_with_folders(const file_change& change, const fs::path& file) {
  std::error_code ec;
  if (!fs::remove(file, ec) && ec)
    return user_error{file.string() + " cannot be removed (" + ec.message() + ")."};
  if (change.drops_copy)
    fs::remove(backup_of(file), ec);
  remove_empty_folders(change);
  return std::nullopt;
}

} // namespace

std::optional<user_error> apply_change(const file_change& change) {
  if (change.is_none())
    return std::nullopt;
  const auto file = behind_links(change.path);
  if (!change.after)
    return remove_with_folders(change, file);
  std::error_code ec;
  fs::create_directories(file.parent_path(), ec);
  struct stat status {};
  const bool exists = ::stat(file.c_str(), &status) == 0;
  const auto mode =
      exists ? status.st_mode & 07777U : (change.executable ? private_program : private_file);
  if (auto problem = keep_copy(change, backup_of(file), mode))
    return problem;
  if (auto problem = replace_file(file, *change.after, mode))
    return problem;
  if (change.drops_copy)
    fs::remove(backup_of(file), ec);
  return std::nullopt;
}

std::string change_text(const file_change& change) {
  const auto before = change.before.value_or("");
  const auto after = change.after.value_or("");
  std::string out = change.path.string();
  if (!change.before)
    out += " (new)";
  if (!change.after)
    out += " (goes)";
  return out + "\n" + differing_lines(lines_of(before), lines_of(after));
}

} // namespace gasoline
