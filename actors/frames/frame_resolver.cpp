#include "actors/frames/frame_resolver.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/frames/event_places.hpp"
#include "actors/frames/frame_leader.hpp"
#include "actors/frames/named_scripts.hpp"
#include "actors/frames/scripts/disk_script.hpp"
#include "actors/frames/scripts/file_fetch.hpp"
#include "actors/frames/scripts/map_reader.hpp"
#include "config/http_url.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using resolver_pointer = frame_resolver_actor::stateful_pointer<frame_resolver_state>;
using knowledge = known_script::knowledge;
using std::chrono::milliseconds;

constexpr std::size_t loads_remembered = 16;

/// What is larger would hold up the thread of the sockets for more than half a millisecond.
constexpr std::size_t read_here_bytes = 64U << 10U;

/// What the handlers share.
struct resolver_links {
  redactor_actor next;
  script_sources sources;
  limits_of<frames_room> limit;
};

/// Whether a page of that origin is served by this machine.
bool is_local_origin(const std::string& origin) {
  const auto url = parse_http_url(origin);
  return url && (is_loopback(*url) || url->host.ends_with(".localhost"));
}

/// Whether an event tells of a fault whose place somebody will want to open.
bool tells_fault(const raw_event& e) {
  return e.kind == telemetry_kind::log && (!e.stack.empty() || e.level >= log_level::warn);
}

std::uint64_t bytes_of(const raw_batch& batch) {
  std::uint64_t total = 0;
  for (const auto& e : batch.events)
    total += e.bytes();
  return total;
}

file_fetch_wish wish_for_script(const limits_of<frames_room>& limit) {
  return {false, limit.frames.script_bytes, milliseconds{limit.frames.fetch_ms}};
}

file_fetch_wish wish_for_map(const limits_of<frames_room>& limit) {
  return {true, limit.frames.map_bytes, milliseconds{limit.frames.fetch_ms}};
}

source_map_caps caps_of(const limits_of<frames_room>& limit) {
  source_map_caps caps;
  caps.bytes = limit.frames.map_bytes;
  return caps;
}

void settle_with(resolver_pointer self, const resolver_links& links, const std::string& owner,
                 const script_reading& reading);

/// Counts a fetch that begins; false when too many are open.
bool take_fetch(frame_resolver_state& state, const resolver_links& links) {
  if (state.open_fetches >= links.limit.frames.fetches) {
    ++state.not_asked;
    return false;
  }
  ++state.open_fetches;
  return true;
}

/// Starts a fetch; false when too many are open.
bool start_fetch(resolver_pointer self, const resolver_links& links, const std::string& address,
                 const std::string& etag, file_fetch_wish wish) {
  if (!take_fetch(self->state, links))
    return false;
  fetch_request request;
  request.method = "GET";
  request.url = address;
  request.local_only = true;
  request.headers.emplace_back("Accept", "*/*");
  if (!etag.empty())
    request.headers.emplace_back("If-None-Match", etag);
  self->spawn<caf::linked>(file_fetch, frame_resolver_actor{self}, links.sources.fetcher,
                           std::move(request), wish);
  return true;
}

map_reader_actor reader_of(resolver_pointer self, const resolver_links& links) {
  auto& reader = self->state.reader;
  if (!reader)
    reader = self->spawn<caf::linked + caf::detached>(map_reader, caps_of(links.limit),
                                                      links.limit.frames.script_bytes);
  return reader;
}

/// Has a script read from the disk; false when too much is asked for already.
bool start_disk_reading(resolver_pointer self, const resolver_links& links,
                        const std::string& path) {
  if (!take_fetch(self->state, links))
    return false;
  self->request(reader_of(self, links), caf::infinite, query_atom_v, path)
      .then([self, links, path](const script_reading_ptr& reading) {
        --self->state.open_fetches;
        ++self->state.fetched;
        settle_with(self, links, path, *reading);
      });
  return true;
}

/// Asks for a script that is not known for that load of its page. Answers whether it has to be
/// waited for.
bool ask_for_script(resolver_pointer self, const resolver_links& links, const std::string& name,
                    const std::string& load) {
  const auto now = self->clock().now();
  auto& script = self->state.scripts->at(name, now);
  if (!load.empty() && script.pages.size() < loads_remembered && script.asked)
    script.pages.insert(load);
  if (self->state.scripts->is_fresh(script, load, now))
    return false;
  if (script.asked)
    return true;
  if (script.pages.size() >= loads_remembered)
    script.pages.clear();
  if (!load.empty())
    script.pages.insert(load);
  if (name.starts_with('/') && !is_disk_file(name)) {
    script.what = knowledge::plain;
    script.at = now;
    return false;
  }
  script.asked = name.starts_with('/')
                     ? start_disk_reading(self, links, name)
                     : start_fetch(self, links, name, script.etag, wish_for_script(links.limit));
  return script.asked;
}

/// Asks for the scripts of an event that are not known for its load of the page; answers those that
/// have to be waited for.
void ask_for_scripts(resolver_pointer self, const resolver_links& links, const raw_event& e,
                     const std::string& origin, std::set<std::string>& missing) {
  // As the page script names it; may be empty.
  const std::string load{told_text(e, "page_id")};
  for (const auto& name : named_scripts(e, origin))
    if (ask_for_script(self, links, name, load))
      missing.insert(name);
}

/// Whether scripts of that origin can be looked at.
bool is_led_back(const std::string& origin, const resolver_links& links) {
  return origin.empty() ? links.sources.has_disk : links.sources.fetcher && is_local_origin(origin);
}

void pass_on(frame_resolver_state& state, const resolver_links& links, raw_batch_ptr batch) {
  frame_leader leader{*state.scripts, batch->origin};
  for (auto& e : batch->events)
    if (tells_fault(e))
      leader.lead_fault(e);
    else if (e.kind == telemetry_kind::log && !batch->origin.empty())
      leader.lead_line(e);
  state.mapped += leader.counts().mapped;
  state.unmapped += leader.counts().unmapped;
  caf::anon_send(links.next, batch_atom_v, std::move(batch));
}

/// Passes on what waits no longer, in order.
void pass_on_settled(resolver_pointer self, const resolver_links& links) {
  auto& state = self->state;
  const auto now = self->clock().now();
  for (auto it = state.held.begin(); it != state.held.end();) {
    auto& queue = it->second;
    while (!queue.empty() && (queue.front().missing.empty() || queue.front().until <= now)) {
      auto first = std::move(queue.front());
      queue.pop_front();
      state.late += first.missing.empty() ? 0U : 1U;
      state.held_bytes -= first.bytes;
      pass_on(state, links, std::move(first.batch));
    }
    it = queue.empty() ? state.held.erase(it) : std::next(it);
  }
}

void watch_held(resolver_pointer self, const resolver_links& links) {
  auto& state = self->state;
  if (state.timer != 0 || state.held.empty())
    return;
  const auto first =
      std::min_element(state.held.begin(), state.held.end(), [](const auto& a, const auto& b) {
        return a.second.front().until < b.second.front().until;
      });
  const auto delay = first->second.front().until - self->clock().now();
  state.timer = state.timers.start(self, std::max(delay, decltype(delay)::zero()), [self, links] {
    self->state.timer = 0;
    pass_on_settled(self, links);
    watch_held(self, links);
  });
}

/// Tells us when everybody downstream is done with a batch that was held.
ticket_ptr ticket_of_held(resolver_pointer self) {
  const auto number = ++self->state.last_number;
  self->state.unsettled.insert(number);
  const auto address = caf::actor_cast<caf::actor_addr>(self);
  return std::make_shared<const ingest_ticket>([address, number] {
    if (const auto resolver = caf::actor_cast<frame_resolver_actor>(address))
      caf::anon_send(resolver, settled_atom_v, number);
  });
}

void take_settled(frame_resolver_state& state, std::uint64_t number) {
  state.unsettled.erase(number);
  const auto is_done = [&](auto& asked) {
    if (!state.unsettled.empty() && *state.unsettled.begin() <= asked.first)
      return false;
    asked.second.deliver(true);
    return true;
  };
  std::erase_if(state.waiting, is_done);
}

caf::result<bool> flushed(resolver_pointer self) {
  auto& state = self->state;
  if (state.unsettled.empty())
    return true;
  auto promise = self->make_response_promise<bool>();
  state.waiting.emplace_back(state.last_number, promise);
  return promise;
}

void hold(resolver_pointer self, const resolver_links& links, raw_batch_ptr batch,
          std::set<std::string> missing) {
  auto& state = self->state;
  const auto bytes = bytes_of(*batch);
  batch->ticket = ticket_of_held(self); // the POST's own goes: nobody who posts waits for a map
  state.held_bytes += bytes;
  state.held[batch->origin].push_back(
      {batch, std::move(missing), bytes,
       self->clock().now() + milliseconds{links.limit.frames.hold_ms}});
  watch_held(self, links);
}

void take_batch(resolver_pointer self, const resolver_links& links, const raw_batch_ptr& batch) {
  auto& state = self->state;
  if (!is_led_back(batch->origin, links)) {
    caf::anon_send(links.next, batch_atom_v, batch);
    return;
  }
  std::set<std::string> missing;
  for (const auto& e : batch->events)
    if (tells_fault(e))
      ask_for_scripts(self, links, e, batch->origin, missing);
  const bool behind = state.held.contains(batch->origin);
  const bool room = state.held_bytes + bytes_of(*batch) <= links.limit.frames.held_bytes;
  if ((missing.empty() && !behind) || !room)
    pass_on(state, links, batch);
  else
    hold(self, links, batch, std::move(missing));
  state.scripts->trim();
}

/// The script is known as well as it can be: whoever waits for it goes on.
void settle(resolver_pointer self, const resolver_links& links, const std::string& address) {
  auto& state = self->state;
  if (auto* script = state.scripts->find(address)) {
    script->asked = false;
    script->at = self->clock().now();
  }
  for (auto& [origin, queue] : state.held)
    for (auto& each : queue)
      each.missing.erase(address);
  pass_on_settled(self, links);
  state.scripts->trim();
}

void fail_script(known_script& script, std::string problem) {
  script.what = knowledge::failed;
  script.problem = std::move(problem);
  script.map = nullptr;
  script.modules.clear();
  script.map_bytes = 0;
  script.etag.clear();
}

/// Keeps what a file says of its script. Answers whether nothing more is to come.
bool take_reading(resolver_pointer self, const resolver_links& links, known_script& script,
                  const std::string& owner, const script_reading& reading) {
  script.map = reading.map;
  script.modules = reading.modules;
  script.map_bytes = bytes_of(script.modules) + (reading.map ? reading.map->bytes() : 0);
  script.what = reading.map ? knowledge::mapped : knowledge::plain;
  if (!reading.problem.empty())
    fail_script(script, reading.problem);
  const auto& address = reading.map_address;
  if (address.empty())
    return true;
  auto& fetches = self->state.map_fetches;
  if (!fetches.contains(address) &&
      !start_fetch(self, links, address, {}, wish_for_map(links.limit))) {
    fail_script(script, "too many source maps were asked for");
    return true;
  }
  fetches[address].insert(owner);
  script.what = knowledge::none; // until the map is here
  return false;
}

/// The file says this of a script, whose own file it is or whose map.
void settle_with(resolver_pointer self, const resolver_links& links, const std::string& owner,
                 const script_reading& reading) {
  auto* script = self->state.scripts->find(owner);
  if (script == nullptr || take_reading(self, links, *script, owner, reading))
    settle(self, links, owner);
}

/// Reads a file, here when it is small, else on a thread of its own; `then` gets what it says.
void read(resolver_pointer self, const resolver_links& links, const fetched_file_ptr& file,
          std::function<void(const script_reading&)> then) {
  const auto caps = caps_of(links.limit);
  if (file->body.size() <= read_here_bytes) {
    then(read_file(*file, caps));
    return;
  }
  self->request(reader_of(self, links), caf::infinite, receive_atom_v, file)
      .then([then](const script_reading_ptr& reading) { then(*reading); });
}

script_reading failed_reading(std::string problem) {
  script_reading out;
  out.problem = std::move(problem);
  return out;
}

std::string problem_text(const fetched_file& file) {
  return std::string{file_of_address(file.address)} + ' ' + file.problem;
}

void take_map(resolver_pointer self, const resolver_links& links, const fetched_file_ptr& file) {
  const auto owners = std::exchange(self->state.map_fetches[file->address], {});
  self->state.map_fetches.erase(file->address);
  const auto tell = [self, links, owners](const script_reading& reading) {
    for (const auto& owner : owners)
      settle_with(self, links, owner, reading);
  };
  if (file->problem.empty())
    read(self, links, file, tell);
  else
    tell(failed_reading(problem_text(*file)));
}

void take_script(resolver_pointer self, const resolver_links& links, const fetched_file_ptr& file) {
  auto* script = self->state.scripts->find(file->address);
  if (script == nullptr || file->unchanged) {
    settle(self, links, file->address);
    return;
  }
  script->etag = file->etag;
  const auto tell = [self, links, address = file->address](const script_reading& reading) {
    settle_with(self, links, address, reading);
  };
  if (file->problem.empty())
    read(self, links, file, tell);
  else
    tell(failed_reading(problem_text(*file)));
}

void take_file(resolver_pointer self, const resolver_links& links, const fetched_file_ptr& file) {
  auto& state = self->state;
  --state.open_fetches;
  ++(file->problem.empty() ? state.fetched : state.failed);
  if (file->is_map)
    take_map(self, links, file);
  else
    take_script(self, links, file);
}

health_part health_of(const frame_resolver_state& state) {
  return std::make_shared<const nlohmann::json>(
      nlohmann::json{{"frames",
                      {{"mapped", state.mapped},
                       {"unmapped_events", state.unmapped},
                       {"late", state.late},
                       {"fetched", state.fetched},
                       {"failed", state.failed},
                       {"not_asked", state.not_asked},
                       {"scripts", state.scripts->size()},
                       {"bytes", state.scripts->bytes()}}}});
}

/// What is held leaves before the end.
void pass_on_all(frame_resolver_state& state, const resolver_links& links) {
  for (auto& [origin, queue] : state.held)
    for (auto& each : queue)
      pass_on(state, links, std::move(each.batch));
  state.held.clear();
}

} // namespace

frame_resolver_actor::behavior_type frame_resolver(resolver_pointer self,
                                                   const redactor_actor& next,
                                                   script_sources sources,
                                                   limits_of<frames_room> limit) {
  guard_exceptions(self);
  self->state.scripts.emplace(limit.frames);
  const auto links =
      std::make_shared<const resolver_links>(resolver_links{next, std::move(sources), limit});
  self->set_exit_handler([self, links](const caf::exit_msg& exit) {
    if (!exit.reason) // a fetch that is done
      return;
    pass_on_all(self->state, *links);
    self->quit(exit.reason);
  });
  return {
      [self](health_atom) { return health_of(self->state); },
      [self, links](batch_atom, const raw_batch_ptr& batch) { take_batch(self, *links, batch); },
      [self](flush_atom) { return flushed(self); },
      [self, links](receive_atom, const fetched_file_ptr& file) { take_file(self, *links, file); },
      [self](settled_atom, std::uint64_t number) { take_settled(self->state, number); },
  };
}

} // namespace gasoline
