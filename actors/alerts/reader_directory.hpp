#pragma once

#include "config/limits.hpp"
#include "messages/alerts/hook_question.hpp"
#include "messages/base/identity/agent_place.hpp"
#include "messages/base/identity/client_id.hpp"
#include "messages/base/identity/reader_id.hpp"
#include "messages/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

/// Which MCP clients and which hooks belong to one agent conversation, that is to one reader.
///
/// A hook names its conversation. An MCP client is joined to one by the agent process that started
/// both, the nearest one that they have in common, with the working directory where several clients
/// qualify. A client that serves several conversations at once, and whatever is not known, stays
/// apart: rather is an alert shown twice than not at all.
///
/// Readers without a connected client are forgotten after `alert_reader_idle_ms`; of more than
/// `alert_readers` of them the longest silent go first. Time must not go backwards between calls.
class reader_directory {
 public:
  explicit reader_directory(const limits::alert_limits& limit = {})
      : idle_(limit.reader_idle_ms), most_(limit.readers) {}

  /// An MCP client has connected. A conversation that it belongs to is taken up again.
  void client_came(client_id client, agent_place place, mono_time now);

  /// The client is gone. Answers the reader that goes with it; 0: its conversation may come back.
  reader_id client_left(client_id client, mono_time now);

  /// The reader that this client is.
  reader_id reader_of(client_id client, mono_time now);

  /// The client names the directories that it works in, instead of those it named before.
  void client_works_in(client_id client, std::vector<std::string> roots);

  /// Where the client works, the one that says most first: as its conversation says or else its
  /// process, then what it names itself. Empty: not known.
  std::vector<std::string> directories_of(client_id client) const;

  /// The same for a hook that asks from `directory`.
  std::vector<std::string> directories_of(reader_id reader, const std::string& directory) const;

  /// Whether the client was started by an agent of this machine, which is known.
  bool has_process(client_id client) const;

  /// The reader whose hook asks, and the one that turned out to be the same, if any: its history
  /// has to be joined to that of `reader`.
  struct heard {
    reader_id reader = 0;
    reader_id same = 0; ///< 0: none
  };
  /// The client says which conversation asks: an id that hooks of its agent may have told, or will.
  /// A client that serves several is the one that spoke last.
  heard client_spoke(client_id client, const std::string& conversation, mono_time now);

  heard hook_asked(const hook_question& question, mono_time now);

  /// A conversation as it is shown to people.
  struct entry {
    reader_id reader = 0;
    std::string agent;
    std::string conversation;
    std::vector<client_id> clients; ///< connected
    std::string directory;
    std::vector<std::string> roots; ///< further directories, as its clients name them
    std::optional<mono_time> last_hook;
  };
  std::vector<entry> entries() const;
  std::optional<entry> find(reader_id reader) const;

  /// The readers that are forgotten as of now.
  std::vector<reader_id> take_expired(mono_time now);

 private:
  /// The agent's name and its own id of the conversation.
  using conversation_key = std::pair<std::string, std::string>;

  struct client_row {
    agent_place place;
    std::string started_in;                  ///< the directory of its process
    std::vector<std::string> roots;          ///< the directories that it names
    reader_id reader = 0;                    ///< 0: it has read nothing yet
    std::optional<conversation_key> belongs; ///< joined to it
    std::string said;                        ///< the conversation that it named; may be empty
    bool shared = false;                     ///< serves several conversations; joins none
    bool connected = true;
  };

  struct conversation_row {
    reader_id reader = 0;
    agent_place place;
    mono_time heard{};
    bool superseded = false; ///< another one has begun at the same MCP client since
  };

  reader_id new_reader(mono_time now);
  client_row* nearest_client(const agent_place& place);
  client_row* client_that_said(const std::string& conversation);
  conversation_row* nearest_conversation(const agent_place& place, conversation_key& key);
  reader_id departed_reader(const agent_place& place) const;
  bool has_client(const conversation_key& key) const;
  bool is_connected(reader_id reader) const;
  heard join(client_row& client, const conversation_key& key, conversation_row& row, bool begins,
             mono_time now);
  void forget(reader_id reader);

  std::chrono::milliseconds idle_;
  std::size_t most_;
  std::map<client_id, client_row> clients_;
  std::map<conversation_key, conversation_row> conversations_;
  std::map<reader_id, mono_time> readers_; ///< with the time of their last sign of life
  reader_id last_reader_ = 0;
};

} // namespace gasoline
