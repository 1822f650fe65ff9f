#pragma once

#include "messages/actors.hpp"
#include "messages/base/spawned_alone.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gasoline::test {

/// What a writer was given, with the virtual time at which it came.
struct written_line {
  std::string text;
  mono_time at;

  nlohmann::json json() const { return nlohmann::json::parse(text); }
  nlohmann::json data() const { return json().at("params").at("data"); }
};

using written_lines = std::shared_ptr<std::vector<written_line>>;

/// A message writer that keeps what it is given.
inline message_writer spawn_recording_writer(virtual_system& vs, const written_lines& lines) {
  return vs.own(vs.sys.spawn(
      [lines](message_writer::pointer self, spawned_alone) -> message_writer::behavior_type {
        return {
            [self, lines](write_atom, const rpc_text& text) {
              lines->push_back({*text, self->clock().now()});
            },
            [self, lines](write_atom, const outgoing_ptr& message) {
              if (message->text)
                lines->push_back({*message->text, self->clock().now()});
            },
            [](join_atom, const congestion_sink&) {},
            [self](closed_atom) { self->quit(); },
        };
      },
      spawned_alone{}));
}

} // namespace gasoline::test
