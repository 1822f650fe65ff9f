#pragma once

#include "actors/agents/providers/json_extent.hpp"
#include "messages/agents/model_call.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The tool calls of one answer of OpenAI's stream, put together from their pieces. Servers have
/// habits of their own: one index for several calls, ids and names that are missing, repeated, new
/// with each piece or in pieces themselves.
class openai_tool_calls {
 public:
  /// `offered`: names of the tools that the model was given, by which a piece of a name is known.
  explicit openai_tool_calls(std::set<std::string> offered) : offered_(std::move(offered)) {}

  /// Takes what a delta says of calls; new ones are given the next of the answer's `blocks`.
  void take(const nlohmann::json& delta, std::uint64_t& blocks, std::vector<provider_chunk>& out);

  /// Nothing more comes; false: a call has no name.
  bool finish(std::vector<provider_chunk>& out);

  bool empty() const { return calls_.empty(); }

 private:
  struct open_call {
    std::uint64_t block = 0;
    std::string given_id; ///< by the server; empty: none yet
    std::string name;
    std::string held; ///< input that is not told yet
    json_extent input;
    std::uint64_t input_hash = 0; ///< of all of it, so that a call that is sent again is known
    bool told = false;
  };

  /// What a piece is to the call that is open at its place.
  enum class piece_role : std::uint8_t { goes_on, begins_another, repeats };

  void take_call(const nlohmann::json& call, std::uint64_t& blocks,
                 std::vector<provider_chunk>& out);
  open_call* candidate_of(const nlohmann::json& call);
  piece_role role_of(const nlohmann::json& call, const open_call& open) const;
  open_call& begin(const nlohmann::json& call, std::uint64_t& blocks);
  std::string joined_name(const std::string& open, const std::string& piece) const;
  bool may_become_offered(std::string_view begin) const;
  bool name_is_whole(const open_call& open) const;
  void take_name(open_call& open, const std::string& piece) const;
  void tell(open_call& open, std::vector<provider_chunk>& out);
  static void tell_input(open_call& open, std::vector<provider_chunk>& out);

  std::set<std::string> offered_;
  std::deque<open_call> calls_;                ///< in the order in which they began
  std::map<std::uint64_t, open_call*> newest_; ///< of each index
  std::set<std::string> ids_;                  ///< that were told
};

} // namespace gasoline
