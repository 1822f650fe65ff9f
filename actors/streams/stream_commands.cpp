#include "actors/streams/stream_commands.hpp"

#include "actors/streams/posted_events.hpp"
#include "actors/streams/stream_answers.hpp"
#include "messages/base/json/json_text.hpp"

namespace gasoline {
namespace {

/// One command on its way.
class command_runner {
 public:
  command_runner(stream_directory& directory, wall_time now,
                 const limits_of<entry_room, ingest_room, stream_room>& limit,
                 stream_effects& effects)
      : directory_(directory), now_(now), limit_(limit), effects_(effects) {}

  stream_answer operator()(const create_stream& command) const {
    const auto made = directory_.create(command);
    if (!made)
      return answer_of(made.error());
    effects_.stream = command.name;
    effects_.changed = true;
    return {stream_outcome::created, created_text(**made, command.key)};
  }

  // Becomes `create_stream` before it comes here.
  stream_answer operator()(const post_stream&) const { return {}; }

  stream_answer operator()(const publish_event& command) const {
    const auto made = directory_.publish(command, now_);
    if (!made)
      return answer_of(made.error());
    effects_.stream = command.stream;
    effects_.events.push_back(*made);
    return {stream_outcome::done, published_text(**made)};
  }

  stream_answer operator()(const post_events& command) const {
    // Before the body, so that a wrong name is told as such.
    if (!directory_.find(command.stream))
      return answer_of(no_such_stream(command.stream));
    const auto posted = read_posted_events(command, limit_);
    if (!posted)
      return answer_of(posted.error());
    if (posted->is_list)
      return publish_list(command.stream, posted->entries);
    const auto& only = posted->entries.front();
    return only ? (*this)(*only) : answer_of(only.error());
  }

  stream_answer operator()(const show_streams& command) const {
    const bool found = !command.name || directory_.find(*command.name);
    return {found ? stream_outcome::done : stream_outcome::not_found,
            streams_text(directory_, command, limit_)};
  }

  stream_answer operator()(const show_stream_events& command) const {
    const auto* stream = directory_.find(command.name);
    if (!stream)
      return answer_of(no_such_stream(command.name));
    return {stream_outcome::done, stream_events_text(*stream, command.max_bytes, limit_)};
  }

  stream_answer operator()(const end_subscription& command) const {
    const auto ended = directory_.unsubscribe(command.client, command.subscription);
    if (!ended)
      return answer_of(ended.error());
    effects_.ended_subscription = ended->id;
    return {stream_outcome::done, unsubscribed_text(*ended)};
  }

  stream_answer operator()(const purge_stream& command) const {
    const auto purged = directory_.purge(command.name);
    if (!purged)
      return answer_of(purged.error());
    effects_.stream = command.name;
    effects_.changed = true;
    return {stream_outcome::done, purged_text(command.name, *purged)};
  }

  stream_answer operator()(const delete_stream& command) const {
    const auto ended = directory_.remove(command.name);
    if (!ended)
      return answer_of(ended.error());
    effects_.stream = command.name;
    effects_.changed = true;
    effects_.deleted = true;
    return {stream_outcome::done, deleted_text(command.name, *ended)};
  }

 private:
  stream_answer publish_list(const std::string& stream,
                             const std::vector<posted_event>& entries) const {
    effects_.stream = stream;
    std::vector<std::optional<stream_refusal>> refusals;
    for (const auto& entry : entries) {
      auto made = entry ? directory_.publish(*entry, now_)
                        : stream_result<stream_event_ptr>{tl::unexpected(entry.error())};
      refusals.push_back(made ? std::nullopt : std::optional{made.error()});
      if (made)
        effects_.events.push_back(std::move(*made));
    }
    return published_list_answer(refusals, now_, limit_);
  }

  stream_directory& directory_;
  wall_time now_;
  const limits_of<entry_room, ingest_room, stream_room>& limit_;
  stream_effects& effects_;
};

} // namespace

stream_answer answer_of(const stream_refusal& refusal) {
  return refused_stream(refusal.outcome, refusal.sentence);
}

stream_answer published_list_answer(const std::vector<std::optional<stream_refusal>>& refusals,
                                    wall_time now,
                                    const limits_of<entry_room, ingest_room, stream_room>& limit) {
  std::string errors{"["};
  std::uint64_t rejected = 0;
  const stream_refusal* first_problem = nullptr;
  for (std::size_t i = 0; i < refusals.size(); ++i) {
    if (!refusals[i])
      continue;
    if (!first_problem)
      first_problem = &*refusals[i];
    if (rejected++ >= limit.entry.errors_listed)
      continue;
    errors += errors.size() > 1 ? "," : "";
    json_object_writer{errors}
        .number("index", static_cast<std::uint64_t>(i))
        .text("message", refusals[i]->sentence)
        .close();
  }
  if (rejected == refusals.size() && first_problem)
    return answer_of(*first_problem);
  stream_answer out;
  json_object_writer w{out.text};
  w.text("status", "published")
      .number("count", static_cast<std::uint64_t>(refusals.size() - rejected));
  w.text("timestamp", to_iso8601(now));
  if (rejected > 0)
    w.number("rejected", rejected).raw("errors", errors + ']');
  w.close();
  return out;
}

stream_answer run_stream_command(stream_directory& directory, const stream_command& command,
                                 wall_time now,
                                 const limits_of<entry_room, ingest_room, stream_room>& limit,
                                 stream_effects& effects) {
  return std::visit(command_runner{directory, now, limit, effects}, command);
}

} // namespace gasoline
