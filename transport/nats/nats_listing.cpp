#include "transport/nats/nats_listing.hpp"

#include "messages/base/own_log.hpp"
#include "transport/nats/nats_calls.hpp"
#include "transport/nats/nats_consumers.hpp"
#include "transport/nats/nats_news.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using list_handler = std::function<void(const stream_list&)>;

/// The streams that are known but not in that list.
std::vector<std::string> unlisted(const nats_streams_state& state,
                                  const std::vector<jetstream_stream>& found) {
  std::set<std::string_view> listed;
  for (const auto& row : found)
    listed.insert(row.stream.name);
  std::vector<std::string> out;
  for (const auto& [name, stream] : state.streams)
    if (listed.count(name) == 0)
      out.push_back(name);
  return out;
}

/// Reads the pages from that place on.
void read_pages(nats_link self, std::vector<jetstream_stream> found, std::uint64_t offset,
                list_handler done) {
  call_api(self, "STREAM.LIST", json{{"offset", offset}, {"subject", all_stream_subjects}}.dump(),
           [self, found = std::move(found), offset,
            done = std::move(done)](const api_result& page) mutable {
             if (!self->state.connection)
               return;
             const auto problem = page ? error_of(*page) : std::nullopt;
             if (!page || problem) {
               done(tl::unexpected(
                   page
                       ? user_error{"The NATS server at " + shown_servers(self->state.config.nats) +
                                    " does not list its streams: " + problem->description + "."}
                       : page.error()));
               return;
             }
             const auto rows = page->value("streams", json::array());
             for (const auto& row : rows)
               if (auto stream = jetstream_stream_of(row))
                 found.push_back(std::move(*stream));
             const auto seen = offset + rows.size();
             if (rows.empty() || seen >= page->value("total", std::uint64_t{0}))
               done(found);
             else
               read_pages(self, std::move(found), seen, std::move(done));
           });
}

} // namespace

void read_list(nats_link self, list_handler done) {
  read_pages(self, {}, 0, std::move(done));
}

void finish_list(nats_link self, const std::vector<jetstream_stream>& found) {
  auto& state = self->state;
  shared_streams all;
  for (auto row : found)
    if (is_wanted(state, row.stream.name)) {
      // A server that lost its disk gives the same ids to other events.
      if (const auto known = state.streams.find(row.stream.name);
          known != state.streams.end() && row.stream.newest < known->second.last)
        forget(self, row.stream.name);
      remember(self, row);
      all.streams.push_back(row.stream);
    }
  own_log::info("nats: {} streams at {}", all.streams.size(), shown_servers(state.config.nats));
  state.synced = true;
  state.problem.clear();
  state.retry = first_nats_retry;
  tell_registry(self, std::move(all));
  for (const auto& [name, stream] : state.streams)
    start_consumer(self, name);
  for (const auto& name : unlisted(state, found))
    look_at(self, name, [](const api_result&) {});
  state.unacknowledged.resume();
  state.unacknowledged.send_from(
      0, now_of(self),
      [self](std::uint64_t number, nats_message& message) { send_event(self, number, message); });
}

void compare(nats_link self, const std::vector<jetstream_stream>& found) {
  auto& state = self->state;
  for (const auto& name : unlisted(state, found))
    look_at(self, name, [](const api_result&) {});
  for (const auto& row : found) {
    if (!is_wanted(state, row.stream.name))
      continue;
    const auto known = state.streams.find(row.stream.name);
    if (known == state.streams.end() || known->second.created != row.created) {
      adopt(self, row);
      continue;
    }
    auto& stream = known->second;
    const bool stands = std::exchange(stream.audited, stream.last) == stream.last;
    if (stream.consumer == 0 || (stands && stream.last < row.stream.newest))
      start_consumer(self, row.stream.name);
  }
}

} // namespace gasoline
