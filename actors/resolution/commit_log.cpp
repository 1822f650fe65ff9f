#include "actors/resolution/commit_log.hpp"

#include "actors/base/git_directory.hpp"
#include "actors/base/small_file.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t most_changes = 20;
constexpr std::size_t most_bytes = 16U << 10U;
constexpr std::size_t shown_digits = 7;
constexpr std::size_t subject_bytes = 100;

bool is_hash(std::string_view text) {
  return text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// `old new Name <address> seconds zone`, a tab, `what: subject`.
std::optional<tree_change> change_in(std::string_view line) {
  const auto tab = line.find('\t');
  if (tab == std::string_view::npos)
    return std::nullopt;
  auto head = line.substr(0, tab);
  const auto told = line.substr(tab + 1);
  const auto space = head.find(' ');
  const auto from = head.substr(0, space);
  head = space == std::string_view::npos ? std::string_view{} : head.substr(space + 1);
  const auto to = head.substr(0, head.find(' '));
  if (!is_hash(from) || !is_hash(to) || from == to)
    return std::nullopt;
  const auto address = head.rfind("> ");
  if (address == std::string_view::npos)
    return std::nullopt;
  const auto time = head.substr(address + 2);
  tree_change out;
  if (std::from_chars(time.data(), time.data() + time.size(), out.seconds).ec != std::errc{})
    return std::nullopt;
  out.commit = to.substr(0, shown_digits);
  const auto colon = told.find(": ");
  out.what = told.substr(0, colon);
  out.subject = colon == std::string_view::npos ? std::string_view{} : told.substr(colon + 2);
  return out;
}

/// A checkout, a reset or a stash puts other files in place without a new commit.
std::string name_for(const tree_change& change) {
  const bool moves = change.what.rfind("checkout", 0) == 0 || change.what.rfind("reset", 0) == 0;
  return (moves ? "checkout " : "commit ") + change.commit;
}

} // namespace

std::vector<tree_change> tree_changes_in(std::string_view log) {
  std::vector<tree_change> out;
  while (!log.empty()) {
    const auto end = std::min(log.find('\n'), log.size());
    if (auto change = change_in(log.substr(0, end)))
      out.push_back(std::move(*change));
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return out;
}

telemetry_marks commit_log::of(const std::string& root, mono_time now, wall_time wall) const {
  const auto git = git_directory(root);
  const auto log = git.empty() ? std::nullopt : read_file_ending(git / "logs" / "HEAD", most_bytes);
  if (!log)
    return {};
  auto changes = tree_changes_in(log->text);
  if (changes.size() > most_changes)
    changes.erase(changes.begin(), changes.end() - most_changes);
  telemetry_marks out;
  for (const auto& change : changes) {
    auto at = milliseconds{change.seconds * 1000};
    // Git tells seconds; the file was written when the last line was.
    if (&change == &changes.back() && log->changed_ms / 1000 == change.seconds)
      at = milliseconds{log->changed_ms};
    const wall_time when{at};
    if (when > wall)
      continue;
    out.push_back({name_for(change), when, mark_kind::commit,
                   redaction_->text(change.subject).shortened(subject_bytes).str(),
                   now - (wall - when)});
  }
  return out;
}

} // namespace gasoline
