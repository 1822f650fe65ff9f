#pragma once

#include "actors/agents/providers/broken_characters.hpp"
#include "actors/agents/providers/chunk_of.hpp"
#include "config/limits.hpp"
#include "messages/agents/model_call.hpp"
#include "messages/base/sse_parser.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Turns the body of a provider's answer, an event stream, into canonical chunks. Bytes may be cut
/// anywhere, and characters between events: their parts are put together. After `finished` or
/// `failed` nothing follows, whatever comes.
class streamed_answer {
 public:
  explicit streamed_answer(const limits_of<ingest_room, session_room>& limit);
  streamed_answer(const streamed_answer&) = delete;
  streamed_answer& operator=(const streamed_answer&) = delete;
  virtual ~streamed_answer() = default;

  /// Takes the next bytes; answers the chunks that they complete.
  std::vector<provider_chunk> feed(std::string_view bytes);

  /// The body has ended in order.
  std::vector<provider_chunk> end();

  /// Takes an answer that came whole, as a JSON document instead of an event stream. Without
  /// chunks: it is none of this dialect.
  std::vector<provider_chunk> take_document(std::string_view body);

  /// Whether the last chunk was told.
  bool ended() const { return ended_; }

  /// Whether the answer is complete, and the last chunk waits for the end of the body or for what
  /// servers send after their last word.
  virtual bool lingers() const { return false; }

 protected:
  /// One event whose data is a JSON object. `type` is that of the event stream.
  virtual void take_event(const std::string& type, const nlohmann::json& data) = 0;

  /// Data that is no JSON; true: the dialect knows it.
  virtual bool take_word(std::string_view data) = 0;

  /// Whether that document is a whole answer, or an error in its place.
  virtual bool is_answer(const nlohmann::json& document) const = 0;

  /// The body has ended before the answer was complete, or so it seems.
  virtual void take_end() = 0;

  void add(provider_chunk chunk);
  void fail(call_failure failure);

 private:
  /// A block whose text goes on.
  struct open_block {
    chunk_kind kind = chunk_kind::text;
    character_joiner characters;
  };

  void take(const sse_received& event);
  void take_data(const std::string& type, std::string_view data);
  void add_text(provider_chunk chunk);
  void end_text(std::uint64_t index);

  sse_parser parser_;
  std::size_t most_bytes_;
  std::size_t most_nesting_;
  std::vector<provider_chunk> chunks_;
  std::map<std::uint64_t, open_block> blocks_; ///< by their index
  bool ended_ = false;
};

/// The object under a key; an empty one when there is none.
const nlohmann::json& object_in(const nlohmann::json& holder, const char* key);

/// The string under a key; empty when there is none.
std::string string_in(const nlohmann::json& holder, const char* key);

/// The whole number under a key; 0 when there is none.
std::uint64_t number_in(const nlohmann::json& holder, const char* key);

} // namespace gasoline
