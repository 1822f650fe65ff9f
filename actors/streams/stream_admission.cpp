#include "actors/streams/stream_admission.hpp"

#include "actors/base/maker_key.hpp"
#include "actors/streams/posted_events.hpp"
#include "messages/base/identity/random_bytes.hpp"
#include "messages/base/json/json_text.hpp"

#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

namespace gasoline {
namespace {

/// The stream that a command is about.
struct subject_of_command {
  std::string operator()(const publish_event& c) const { return c.stream; }
  std::string operator()(const post_events& c) const { return c.stream; }
  std::string operator()(const show_streams& c) const { return c.name.value_or(""); }
  std::string operator()(const show_stream_events& c) const { return c.name; }
  std::string operator()(const purge_stream& c) const { return c.name; }
  std::string operator()(const delete_stream& c) const { return c.name; }

  // About none that is there.
  std::string operator()(const create_stream&) const { return {}; }
  std::string operator()(const post_stream&) const { return {}; }
  std::string operator()(const end_subscription&) const { return {}; }
};

std::uint64_t key_bits() {
  std::uint64_t out = 0;
  if (!fill_random(std::as_writable_bytes(std::span{&out, 1})))
    throw std::runtime_error("The kernel gives no random bytes.");
  return out;
}

} // namespace

std::optional<stream_refusal> not_yours(const stream_directory& directory, const std::string& name,
                                        const asking_party& caller) {
  const auto* stream = name.empty() ? nullptr : directory.find(name);
  if (!stream || stream->admits(caller))
    return std::nullopt;
  return stream_refusal{
      stream_outcome::forbidden,
      "Stream " + quoted_text(name) +
          " was not made by this page's origin; show its key, which its maker was "
          "told, as X-Gasoline-Stream-Key, or the token."};
}

stream_result<stream_command> admitted_command(const stream_directory& directory,
                                               stream_command command, const asking_party& caller,
                                               const limits_of<ingest_room, stream_room>& limit) {
  if (auto refusal = not_yours(directory, std::visit(subject_of_command{}, command), caller))
    return tl::unexpected(std::move(*refusal));
  if (auto* shown = std::get_if<show_streams>(&command))
    shown->asker = caller;
  if (auto* made = std::get_if<create_stream>(&command))
    made->maker = caller;
  const auto* posted = std::get_if<post_stream>(&command);
  if (!posted)
    return command;
  auto made = read_posted_stream(posted->body, limit);
  if (!made)
    return tl::unexpected(std::move(made.error()));
  made->maker = caller;
  made->key = make_maker_key(key_bits);
  return stream_command{std::move(*made)};
}

} // namespace gasoline
