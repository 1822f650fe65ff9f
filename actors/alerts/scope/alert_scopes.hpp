#pragma once

#include "actors/alerts/scope/alert_scope.hpp"
#include "actors/alerts/scope/project_files.hpp"
#include "messages/alerts/merged_alert.hpp"
#include "messages/base/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

/// A program of this machine that has to be found: by process number, or by the TCP port that it
/// listens on.
struct program_key {
  std::uint16_t port = 0;
  std::uint32_t pid = 0; ///< 0: by port

  auto operator<=>(const program_key& other) const = default;
};

/// The projects whose agents are known, and where kept alerts come from: which alert concerns whom.
/// Bounded: the projects of the last 64 directories, the places of the last 200 programs. Time must
/// not go backwards between calls.
class alert_scopes {
 public:
  explicit alert_scopes(std::string home = {}) : files_(std::move(home)) {}

  /// An agent works in that directory; an empty one says nothing.
  void know(const std::string& directory);

  /// What one reader is told of; a snapshot.
  class view {
   public:
    bool covers(const provenance& p) const;
    bool covers(const merged_alert& m) const;
    bool covers_all() const { return all_; }
    /// The reader's projects, the main one first; none: nothing is known of it.
    const std::vector<project>& mine() const { return mine_; }

   private:
    friend class alert_scopes;
    const alert_scopes* from_ = nullptr;
    std::vector<project> mine_;
    std::vector<project> known_;
    bool all_ = true; ///< there is nothing to tell apart
  };

  /// For a reader in those directories; none: it is told of everything. Valid until the next call
  /// that changes anything.
  view of(const std::vector<std::string>& directories, mono_time now);

  /// The program whose directory has to be found before it is known whom the alert concerns;
  /// nothing: there is none, or it is known.
  std::optional<program_key> to_locate(const alert& a) const;

  /// The same for a place that is known, but has not been looked at for 5 s. Asks once.
  std::optional<program_key> to_look_again(const alert& a, mono_time now);

  /// The program runs there; empty: it was not found.
  void note_place(const program_key& program, std::string directory, mono_time now);

  /// The same with the directory of its program, where that is known.
  provenance located(provenance p) const;

  /// The alert is kept from now on, those with ids below `oldest` no longer.
  void keep(const alert& a, std::uint64_t oldest);

  /// The directories of the known projects that what comes from there concerns.
  std::vector<std::string> concerned(const provenance& p, mono_time now);

  project_files& files() { return files_; }

 private:
  struct place {
    std::string directory;
    mono_time seen{};
  };

  std::string directory_of(const alert& a) const;

  project_files files_;
  std::vector<std::string> directories_; ///< the latest last
  std::map<program_key, place> places_;
  std::map<std::uint64_t, std::string> located_; ///< alert to the directory of its process
};

} // namespace gasoline
