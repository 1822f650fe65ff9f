#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline::bench {

/// A model server of the shape of Chat Completions, whose answers the bench writes piece by piece.
/// Serves one call at a time; blocking.
class model_server {
 public:
  model_server();
  ~model_server();
  model_server(const model_server&) = delete;
  model_server& operator=(const model_server&) = delete;

  /// Where it listens, as the engine's settings name it.
  std::string base_url() const;

  /// Takes the next call and begins its answer; false when none comes within 10 s.
  bool begin_answer();

  /// One piece of text of the answer.
  void write_text(std::string_view text);

  /// Ends the answer.
  void end_answer();

 private:
  void write_event(std::string_view data);

  int listener_ = -1;
  int call_ = -1;
  std::uint16_t port_ = 0;
};

} // namespace gasoline::bench
