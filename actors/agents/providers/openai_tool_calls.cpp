#include "actors/agents/providers/openai_tool_calls.hpp"

#include "actors/agents/providers/chunk_of.hpp"
#include "actors/agents/providers/streamed_answer.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view empty_input = "{}";

/// Some servers send the input as an object instead of its text, and none as the text `null`.
std::string arguments_of(const json& function) {
  if (const auto it = function.find("arguments"); it != function.end() && it->is_object())
    return dumped(*it);
  auto out = string_in(function, "arguments");
  return out == "null" ? std::string{} : out;
}

/// The function of a call; in the oldest form of the API the call is the function.
const json& function_of(const json& call) {
  const auto it = call.find("function");
  return it != call.end() && it->is_object() ? *it : call;
}

/// FNV-1a, gone on with from `hash`.
std::uint64_t hashed_on(std::uint64_t hash, std::string_view text) {
  if (hash == 0)
    hash = 14695981039346656037ULL;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

} // namespace

void openai_tool_calls::take(const json& delta, std::uint64_t& blocks,
                             std::vector<provider_chunk>& out) {
  if (const auto call = delta.find("function_call"); call != delta.end() && call->is_object())
    take_call(*call, blocks, out);
  const auto calls = delta.find("tool_calls");
  if (calls == delta.end())
    return;
  const auto list = calls->is_object() ? json::array({*calls}) : *calls;
  for (const auto& call : list)
    if (call.is_object())
      take_call(call, blocks, out);
}

/// The call that this one may go on with; null: none.
openai_tool_calls::open_call* openai_tool_calls::candidate_of(const json& call) {
  if (const auto index = call.find("index"); index != call.end() && index->is_number_unsigned()) {
    const auto it = newest_.find(index->get<std::uint64_t>());
    return it == newest_.end() ? nullptr : it->second;
  }
  if (const auto id = string_in(call, "id"); !id.empty()) {
    const auto it = std::find_if(calls_.rbegin(), calls_.rend(),
                                 [&](const open_call& open) { return open.given_id == id; });
    if (it != calls_.rend())
      return &*it;
  }
  return calls_.empty() ? nullptr : &calls_.back();
}

bool openai_tool_calls::may_become_offered(std::string_view begin) const {
  const auto it = offered_.lower_bound(std::string{begin});
  return it != offered_.end() && it->starts_with(begin);
}

/// A name and the next piece of it, which some servers send alone and some with all before it;
/// empty: they are no pieces of one name.
std::string openai_tool_calls::joined_name(const std::string& open,
                                           const std::string& piece) const {
  if (offered_.count(piece) > 0 && offered_.count(open) > 0)
    return {};
  if (piece.size() > open.size() && piece.starts_with(open) && may_become_offered(piece))
    return piece;
  return may_become_offered(open + piece) ? open + piece : std::string{};
}

openai_tool_calls::piece_role openai_tool_calls::role_of(const json& call,
                                                         const open_call& open) const {
  const auto& function = function_of(call);
  const auto name = string_in(function, "name");
  const auto id = string_in(call, "id");
  const bool other_id = !id.empty() && !open.given_id.empty() && id != open.given_id;
  if (name.empty())
    return piece_role::goes_on; // a call begins with its name
  if (open.name.empty())
    return other_id ? piece_role::begins_another : piece_role::goes_on;
  if (name != open.name)
    return open.input.begun() || joined_name(open.name, name).empty() ? piece_role::begins_another
                                                                      : piece_role::goes_on;
  const auto input = arguments_of(function);
  const bool whole = input.starts_with('{');
  if (!open.input.complete())
    return other_id && (!open.input.begun() || whole) ? piece_role::begins_another
                                                      : piece_role::goes_on;
  if (whole && !id.empty() && !other_id && hashed_on(0, input) == open.input_hash)
    return piece_role::repeats;
  return other_id || whole ? piece_role::begins_another : piece_role::goes_on;
}

openai_tool_calls::open_call& openai_tool_calls::begin(const json& call, std::uint64_t& blocks) {
  calls_.emplace_back();
  auto& open = calls_.back();
  open.block = blocks++;
  const auto index = call.find("index");
  newest_[index != call.end() && index->is_number_unsigned() ? index->get<std::uint64_t>()
                                                             : calls_.size() - 1] = &open;
  return open;
}

void openai_tool_calls::take_name(open_call& open, const std::string& piece) const {
  if (open.name.empty())
    open.name = piece;
  else if (!open.told && !piece.empty() && piece != open.name)
    open.name = joined_name(open.name, piece);
}

void openai_tool_calls::take_call(const json& call, std::uint64_t& blocks,
                                  std::vector<provider_chunk>& out) {
  auto* open = candidate_of(call);
  const auto role = open == nullptr ? piece_role::begins_another : role_of(call, *open);
  if (role == piece_role::repeats)
    return;
  if (role == piece_role::begins_another)
    open = &begin(call, blocks);
  const auto& function = function_of(call);
  if (open->given_id.empty())
    open->given_id = string_in(call, "id");
  take_name(*open, string_in(function, "name"));
  const auto input = arguments_of(function);
  // Bridges from Anthropic's stream begin with the empty object that a block of it begins with.
  if (open->held == empty_input && input.starts_with('{')) {
    open->held.clear();
    open->input = {};
    open->input_hash = 0;
  }
  open->input.add(input);
  open->input_hash = hashed_on(open->input_hash, input);
  open->held += input;
  if (name_is_whole(*open))
    tell(*open, out);
  if (open->held != empty_input)
    tell_input(*open, out);
}

/// Whether nothing can be added to a name any more.
bool openai_tool_calls::name_is_whole(const open_call& open) const {
  if (open.name.empty() || open.input.begun())
    return !open.name.empty();
  const auto it = offered_.find(open.name);
  if (it == offered_.end())
    return false;
  const auto next = std::next(it);
  return next == offered_.end() || !next->starts_with(open.name);
}

/// Ids must differ; servers that give none or the same again get one from here.
void openai_tool_calls::tell(open_call& open, std::vector<provider_chunk>& out) {
  if (std::exchange(open.told, true))
    return;
  auto id = open.given_id;
  for (auto n = open.block; id.empty() || ids_.count(id) > 0; ++n)
    id = "call_" + std::to_string(n);
  ids_.insert(id);
  auto chunk = chunk_of(chunk_kind::tool_use_start, open.block);
  chunk.tool_use_id = std::move(id);
  chunk.tool_name = open.name;
  out.push_back(std::move(chunk));
}

void openai_tool_calls::tell_input(open_call& open, std::vector<provider_chunk>& out) {
  if (!open.told || open.held.empty())
    return;
  auto chunk = chunk_of(chunk_kind::tool_use_input, open.block);
  chunk.text = std::exchange(open.held, {});
  out.push_back(std::move(chunk));
}

bool openai_tool_calls::finish(std::vector<provider_chunk>& out) {
  for (auto& open : calls_) {
    if (open.name.empty())
      return false;
    tell(open, out);
    tell_input(open, out);
    out.push_back(chunk_of(chunk_kind::tool_use_end, open.block));
  }
  return true;
}

} // namespace gasoline
