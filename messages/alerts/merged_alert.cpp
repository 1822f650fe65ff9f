#include "messages/alerts/merged_alert.hpp"

#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_evidence = 5;

} // namespace

merged_alert::merged_alert(alert_ptr first)
    : shown(std::move(first)),
      id(shown->id),
      count(shown->count),
      recurrence(shown->recurrence),
      regressed(shown->regressed),
      at(shown->at),
      first_raised(shown->raised),
      last_raised(shown->raised),
      also(shown->also) {}

void merged_alert::merge(const alert_ptr& again) {
  add_evidence(also, again->also, most_evidence);
  if (again->update && again->title.empty())
    return;
  if (!again->update)
    count += again->count;
  at = again->at;
  last_raised = again->raised;
  if (again->update || again->level >= shown->level)
    shown = again;
}

bool comes_before(const merged_alert& a, const merged_alert& b) {
  if (a.shown->level != b.shown->level)
    return a.shown->level > b.shown->level;
  if (a.last_raised != b.last_raised)
    return a.last_raised > b.last_raised;
  return a.id > b.id;
}

} // namespace gasoline
