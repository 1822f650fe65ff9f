#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "messages/base/time.hpp"
#include "messages/telemetry/mark.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One line of a repository's log of what its working tree stood at.
struct tree_change {
  std::string commit;       ///< the first 7 digits of where it stands now
  std::int64_t seconds = 0; ///< since 1970
  std::string what;    ///< `commit`, `commit (amend)`, `checkout`, `pull`, …; as git writes it
  std::string subject; ///< not redacted
};

/// The changes of the tree in a text of git's `logs/HEAD`, oldest first. Lines that are none, and
/// those that left the tree where it was, are passed over.
std::vector<tree_change> tree_changes_in(std::string_view log);

/// When working trees changed by their repository: commits, merges, pulls, checkouts. Git notes
/// them with their time, so that they are read when somebody asks, and nothing is watched.
class commit_log {
 public:
  explicit commit_log(std::shared_ptr<const redaction_engine> redaction)
      : redaction_(std::move(redaction)) {}

  /// The last changes of the working tree in that directory, oldest first, at most 20; none that
  /// lie in the future. `wall` is now.
  telemetry_marks of(const std::string& root, mono_time now, wall_time wall) const;

 private:
  std::shared_ptr<const redaction_engine> redaction_;
};

} // namespace gasoline
