#pragma once

#include "config/limits.hpp"
#include "messages/output_port.hpp"

#include <functional>
#include <memory>
#include <thread>

namespace gasoline {

/// The two descriptors of a stdio client. One thread waits with poll for input, for room in the
/// output, and for a wake descriptor; it owns no state that anyone else touches. Input is not read
/// while the output is full or too many frames are unhandled, so a client that stops reading is
/// not read either.
class stdio_port : public output_port {
 public:
  /// `input` and `output` stay open and keep their flags; they belong to the caller.
  stdio_port(int input, int output, const limits_of<client_room>& limit);
  ~stdio_port() override;
  stdio_port(const stdio_port&) = delete;
  stdio_port& operator=(const stdio_port&) = delete;

  std::optional<std::size_t> write_some(std::string_view bytes) override;
  void notify_when_writable(const line_writer_actor& writer) override;

  /// Starts reading: frames and, at the end of input, `closed_atom` go to `session`.
  void start(client_actor session, line_writer_actor writer);

  /// Ends the thread; at once, whatever the descriptors do. Safe to call twice.
  void stop();

 private:
  class reader;

  int input_;
  int output_;
  limits_of<client_room> limit_;
  int command_read_ = -1;
  int command_write_ = -1;
  std::thread thread_;
};

} // namespace gasoline
