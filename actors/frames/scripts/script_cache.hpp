#pragma once

#include "actors/frames/scripts/evaluated_modules.hpp"
#include "actors/frames/scripts/source_map.hpp"
#include "config/limits.hpp"
#include "messages/base/time.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace gasoline {

/// What is known of one script.
struct known_script {
  enum class knowledge : std::uint8_t {
    none,   ///< nothing yet
    mapped, ///< its map is here
    plain,  ///< it names no map: its lines are the project's own
    failed  ///< it, or the map that it names, cannot be had
  };

  knowledge what = knowledge::none;
  bool asked = false; ///< a question about it is under way
  std::shared_ptr<const source_map> map;
  evaluated_modules modules; ///< that stand in it as texts
  std::uint64_t map_bytes = 0;
  std::string problem;         ///< why it failed, some words
  std::string etag;            ///< of the script, to be asked with again
  std::set<std::string> pages; ///< loads of pages that it was asked for
  mono_time at{};              ///< of the last answer
  mono_time used{};
};

/// Scripts by address, the longest unused given up first. The same address may have another content
/// with each load of its page, so what is known counts for the loads that it was asked for.
class script_cache {
 public:
  explicit script_cache(const limits::frames_limits& limit) : limit_(limit) {}

  /// The script, made when it is not known.
  known_script& at(const std::string& address, mono_time now);

  /// The script, or null.
  known_script* find(std::string_view address);

  /// Whether what is known can be used for that load of a page, without asking again.
  bool is_fresh(const known_script& script, const std::string& page_load, mono_time now) const;

  /// Gives up what the limits have no room for; never what is being asked.
  void trim();

  std::uint64_t bytes() const;
  std::size_t size() const { return scripts_.size(); }

 private:
  limits::frames_limits limit_;
  std::map<std::string, known_script, std::less<>> scripts_;
};

} // namespace gasoline
