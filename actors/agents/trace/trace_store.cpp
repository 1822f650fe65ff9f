#include "actors/agents/trace/trace_store.hpp"

#include "actors/base/exception_guard.hpp"

#include <sqlite3.h>

#include <chrono>
#include <map>
#include <set>

namespace gasoline {
namespace {

using nlohmann::json;
using trace_store_pointer = trace_store_actor::stateful_pointer<trace_store_state>;

constexpr std::chrono::milliseconds commit_again{500};

void open(trace_store_pointer self, const std::filesystem::path& file,
          const random_source& random) {
  auto& state = self->state;
  try {
    state.database = std::make_unique<trace_database>(file);
    state.database->close_open_turns(random, state.clock(self->clock().now()));
  } catch (const std::exception& e) {
    state.database.reset();
    state.problem = "The trace file " + file.string() + " cannot be used: " + e.what() + ".";
    own_log::error("{}", state.problem);
  }
}

void add(trace_store_pointer self, const std::vector<trace_record>& records) {
  auto& state = self->state;
  if (records.empty())
    return;
  state.pending.insert(state.pending.end(), records.begin(), records.end());
  state.to_tell.emplace_back(self->current_sender(), records.back().number);
  if (state.commit_due)
    return;
  state.commit_due = true;
  // Behind everything that is in the mailbox already, which so becomes part of the commit.
  self->send(self, flush_atom_v);
}

/// Whether it is the record that cannot be written, now and ever, and not the file.
bool is_fault_of_record(const std::exception& e) {
  const auto* fault = dynamic_cast<const SQLite::Exception*>(&e);
  if (fault == nullptr)
    return true; // its text cannot be made
  const auto code = fault->getErrorCode();
  return code == SQLITE_CONSTRAINT || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH;
}

void note_file_problem(trace_store_state& state, const std::exception& e) {
  ++state.failed_commits;
  if (state.problem.empty())
    own_log::error("the trace cannot be written and is tried again: {}", e.what());
  state.problem = std::string{"The trace cannot be written: "} + e.what() + ".";
}

/// Writes the records in transactions of their own and leaves out those that can never be written.
/// Answers how many are dealt with; the file has failed when those are not all.
std::size_t commit_singly(trace_store_state& state) {
  std::size_t done = 0;
  for (; done < state.pending.size(); ++done) {
    try {
      state.database->write({state.pending[done]});
      ++state.records;
    } catch (const std::exception& e) {
      if (!is_fault_of_record(e)) {
        note_file_problem(state, e);
        return done;
      }
      ++state.refused_records;
      own_log::error("a record of the trace can never be written and is left out: {}", e.what());
    }
  }
  return done;
}

/// Writes what waits; answers how many records of it are dealt with.
std::size_t commit(trace_store_state& state) {
  try {
    state.database->write(state.pending);
    state.records += state.pending.size();
  } catch (const std::exception& e) {
    if (!is_fault_of_record(e)) {
      note_file_problem(state, e);
      return 0;
    }
    if (const auto done = commit_singly(state); done < state.pending.size())
      return done;
  }
  state.problem.clear();
  ++state.commits;
  return state.pending.size();
}

/// What waits is not stored for now.
void tell_failure(trace_store_pointer self) {
  std::set<caf::strong_actor_ptr> writers;
  for (const auto& [writer, number] : self->state.to_tell)
    if (writer && writers.insert(writer).second)
      caf::anon_send(caf::actor_cast<caf::actor>(writer), failed_atom_v, self->state.problem);
}

void tell_writers(trace_store_pointer self) {
  std::map<caf::strong_actor_ptr, std::uint64_t> last;
  for (const auto& [writer, number] : self->state.to_tell)
    if (writer)
      last[writer] = std::max(last[writer], number);
  for (const auto& [writer, number] : last)
    caf::anon_send(caf::actor_cast<caf::actor>(writer), stored_atom_v, number);
}

std::set<agent_session_id> sessions_in(const std::vector<trace_record>& records) {
  std::set<agent_session_id> out;
  for (const auto& r : records)
    if (r.event)
      out.insert(r.event->session_id);
  return out;
}

void prune_by_size(trace_store_state& state, const std::set<agent_session_id>& touched) {
  try {
    for (const auto& id : touched)
      state.database->prune_by_count(id, state.limit->session.events_kept);
    state.database->prune_by_bytes(state.limit->session.trace_bytes);
  } catch (const std::exception& e) {
    own_log::warn("old events cannot be removed from the trace: {}", e.what());
  }
}

void flush(trace_store_pointer self) {
  auto& state = self->state;
  state.commit_due = false;
  if (state.pending.empty() || !state.database)
    return;
  const auto touched = sessions_in(state.pending);
  const auto done = commit(state);
  if (done < state.pending.size()) {
    // What was written singly is not written again; its writers hear with the rest.
    state.pending.erase(state.pending.begin(),
                        state.pending.begin() + static_cast<std::ptrdiff_t>(done));
    state.commit_due = true;
    self->delayed_send(self, commit_again, flush_atom_v);
    tell_failure(self);
    return;
  }
  tell_writers(self);
  state.pending.clear();
  state.to_tell.clear();
  prune_by_size(state, touched);
}

void prune_by_age(trace_store_pointer self) {
  auto& state = self->state;
  self->delayed_send(self, std::chrono::milliseconds{state.limit->session.retention_ms},
                     tick_atom_v);
  if (!state.database)
    return;
  try {
    state.database->prune_by_age(state.clock(self->clock().now()) -
                                 std::chrono::milliseconds{state.limit->session.event_age_ms});
  } catch (const std::exception& e) {
    own_log::warn("old events cannot be removed from the trace: {}", e.what());
  }
}

caf::result<trace_contents> load(trace_store_state& state) {
  if (!state.database)
    return caf::make_error(caf::sec::runtime_error, state.problem);
  try {
    return state.database->contents();
  } catch (const std::exception& e) {
    state.problem = std::string{"The trace cannot be read: "} + e.what() + ".";
    return caf::make_error(caf::sec::runtime_error, state.problem);
  }
}

caf::result<bool> create(trace_store_pointer self, const session_summary& summary) {
  auto& state = self->state;
  if (!state.database)
    return caf::make_error(caf::sec::runtime_error, state.problem);
  trace_record record;
  record.summary = std::make_shared<const session_summary>(summary);
  try {
    state.database->write({std::move(record)});
    return true;
  } catch (const std::exception& e) {
    return caf::make_error(caf::sec::runtime_error, std::string{e.what()});
  }
}

caf::result<bool> remove(trace_store_pointer self, const agent_session_id& session_id) {
  auto& state = self->state;
  flush(self);
  if (!state.database || !state.pending.empty())
    return caf::make_error(caf::sec::runtime_error, state.problem);
  try {
    return state.database->remove(session_id);
  } catch (const std::exception& e) {
    return caf::make_error(caf::sec::runtime_error, std::string{e.what()});
  }
}

health_part health_of(const trace_store_state& state) {
  json trace{{"commits", state.commits},
             {"records", state.records},
             {"waiting", state.pending.size()},
             {"failed_commits", state.failed_commits},
             {"refused_records", state.refused_records}};
  if (state.database) {
    trace["bytes"] = state.database->bytes();
    trace["pruned_events"] = state.database->pruned_events();
    trace["retention"] = {{"age_ms", state.limit->session.event_age_ms},
                          {"events_per_session", state.limit->session.events_kept},
                          {"bytes", state.limit->session.trace_bytes}};
  }
  if (!state.problem.empty())
    trace["problem"] = state.problem;
  return std::make_shared<const json>(json{{"trace", std::move(trace)}});
}

/// Runs one read; what the file or the disk throws becomes an error answer.
template <class F>
auto read(trace_reader_actor::stateful_pointer<trace_reader_state> self, F function)
    -> caf::result<decltype(function(std::declval<trace_reader_database&>()))> {
  auto& state = self->state;
  try {
    if (!state.database)
      state.database = std::make_unique<trace_reader_database>(*state.file);
    return function(*state.database);
  } catch (const std::exception& e) {
    own_log::error("the trace cannot be read: {}", e.what());
    return caf::make_error(caf::sec::runtime_error, std::string{e.what()});
  }
}

} // namespace

trace_store_actor::behavior_type trace_store(trace_store_pointer self,
                                             const std::filesystem::path& file,
                                             const random_source& random, wall_clock clock,
                                             limits_of<session_room> limit) {
  guard_exceptions(self);
  self->state.limit = limit;
  self->state.clock = std::move(clock);
  open(self, file, random);
  prune_by_age(self);
  return {
      [self](health_atom) { return health_of(self->state); },
      [self](load_atom) { return load(self->state); },
      [self](write_atom, const trace_records& records) { add(self, *records); },
      [self](create_atom, const session_summary& summary) { return create(self, summary); },
      [self](remove_atom, const agent_session_id& session_id) { return remove(self, session_id); },
      [self](flush_atom) { flush(self); },
      [self](tick_atom) { prune_by_age(self); },
  };
}

trace_reader_actor::behavior_type
trace_reader(trace_reader_actor::stateful_pointer<trace_reader_state> self,
             std::filesystem::path file) {
  guard_exceptions(self);
  self->state.file = std::move(file);
  return {
      [self](replay_atom, const event_range& range, const session_filter& filter,
             std::uint64_t limit) {
        return read(self, [&](auto& db) { return db.replay(range, filter, limit); });
      },
      [self](counts_atom, const event_range& range, const session_filter& filter,
             std::uint64_t cap) {
        return read(self, [&](auto& db) { return db.count(range, filter, cap); });
      },
      [self](messages_atom, const message_query& query) {
        return read(self, [&](auto& db) { return db.messages(query); });
      },
  };
}

} // namespace gasoline
