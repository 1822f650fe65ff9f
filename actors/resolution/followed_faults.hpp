#pragma once

#include "actors/resolution/fault_names.hpp"
#include "actors/resolution/fault_trigger.hpp"
#include "actors/resolution/kept_events.hpp"
#include "actors/resolution/known_documents.hpp"
#include "config/limits.hpp"
#include "messages/alerts/alert.hpp"
#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// A fault that was tried again and stayed away.
struct clean_trial {
  std::string key;         ///< of the fault's alert
  std::uint64_t round = 0; ///< says whether it was seen again since (`followed_faults::settle`)
  alert told;              ///< what its first occurrence raised
  std::string proof;       ///< `click on Pay was done again`
  mono_time last_seen{};
  mono_time tried{};
};

/// Follows the faults that raise alerts: what brought each about, whether that is done again, and
/// whether the fault then stays away for as long as it took to come. The decision is that of
/// `analyze diff` (`triggers_of`), made as events come. A fault that comes only now and then has to
/// stay away as often as chance would not explain. Keeps the last `followed_faults` ones.
class followed_faults {
 public:
  explicit followed_faults(const limits_of<alert_room, detection_room>& limit = limits{});

  /// Takes in one event; `is_first` of what its sender sent at once, which comes from one document.
  void take(const event_ptr& e, bool is_first, mono_time now);

  /// When the next fault will have stayed away long enough; nothing: none is being tried.
  std::optional<mono_time> next() const;

  /// Those that have stayed away long enough by now, each once for each trial.
  std::vector<clean_trial> due(mono_time now);

  /// What came of a trial. `changed`: something changed between the fault's last occurrence and
  /// the trial. Answers whether the fault counts as resolved, which it does once until it returns.
  bool settle(const clean_trial& trial, bool changed);

  std::size_t size() const { return faults_.size(); }

 private:
  struct way { ///< one of the triggers, and when its needs were seen again
    fault_trigger trigger;
    std::vector<std::optional<mono_time>> seen;
  };

  struct followed {
    alert told;
    event_ptr newest; ///< until what brought it about was looked up
    wall_time last_at{};
    mono_time first_seen{};
    mono_time last_seen{};
    std::uint64_t round = 0;
    std::uint32_t with = 0; ///< occasions that it came on
    std::uint32_t without =
        0;                   ///< occasions that it stayed away on, and came back or nothing changed
    std::uint32_t clean = 0; ///< occasions that it stayed away on since, after a change
    std::vector<way> ways;
    std::optional<mono_time> due_at;
    std::string proof; ///< of the trial that is due then
    std::string page;
    mono_time tried{};
    bool resolved = false;
  };

  struct indexed_need {
    std::string key;
    std::size_t way = 0;
    std::size_t need = 0;
    bool quiet = false; ///< by what will do as well, after a while
  };

  void note_fault(const event_ptr& e, const named_fault& named, mono_time now);
  void note_deed(deed_key key, wall_time at, mono_time now);
  void look_up_triggers(mono_time now);
  void index(const std::string& key, const followed& f);
  void unindex(const std::string& key);
  void forget_oldest();
  void remember(const event_ptr& e);
  void end_trials_beside(const followed& newer, mono_time now);

  limits_of<alert_room, detection_room> limit_;
  fault_names names_;
  std::vector<event_ptr> named_; ///< keeps what `names_` points into
  known_documents documents_;
  kept_events actions_;
  kept_events requests_;
  std::map<std::string, followed> faults_;
  std::vector<std::string> fresh_; ///< whose triggers are to be looked up
  mono_time look_up_at_{};
  std::unordered_multimap<deed_key, indexed_need> needs_;
  std::size_t routes_ = 0; ///< how many needs are of routes
};

} // namespace gasoline
