#include "actors/agents/providers/streamed_answer.hpp"

#include "actors/agents/providers/call_failures.hpp"
#include "messages/base/json/json_repair.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gasoline {
namespace {

std::string whole_text(std::string_view text) {
  character_joiner characters;
  auto out = characters.join(text);
  return out + characters.rest();
}

/// Discarded: the text is no JSON.
nlohmann::json document_in(std::string_view text) {
  return nlohmann::json::parse(repaired_json(with_marked_breaks(text)), nullptr, false);
}

} // namespace

using nlohmann::json;

streamed_answer::streamed_answer(const limits_of<ingest_room, session_room>& limit)
    : parser_(limit.session.message_bytes, "error"), // as older llama.cpp sends one
      most_bytes_(limit.session.message_bytes),
      most_nesting_(limit.ingest.json_depth) {}

std::vector<provider_chunk> streamed_answer::feed(std::string_view bytes) {
  parser_.feed(bytes, [this](const sse_received& event) { take(event); });
  if (parser_.overflowed() && !ended_) {
    call_failure failure;
    failure.error_class = "too_large";
    failure.message = "The provider sent an event of more than " + std::to_string(most_bytes_) +
                      " bytes (limits.session_message_bytes).";
    fail(std::move(failure));
  }
  return std::exchange(chunks_, {});
}

std::vector<provider_chunk> streamed_answer::end() {
  if (!ended_)
    take_end();
  return std::exchange(chunks_, {});
}

std::vector<provider_chunk> streamed_answer::take_document(std::string_view body) {
  if (json_nesting(body) > most_nesting_)
    return {};
  const auto document = document_in(body);
  if (!document.is_object() || !is_answer(document))
    return {};
  take_event({}, document);
  return end();
}

void streamed_answer::take(const sse_received& event) {
  // An event without an empty line before the next one, as careless servers send them, has come
  // together with that: they are taken line by line where they are no JSON together.
  const std::string_view data = event.data;
  if (json_nesting(data) > most_nesting_)
    return fail(malformed_stream("The provider sent an event that nests too deep."));
  if (data.find('\n') == std::string_view::npos || document_in(data).is_object())
    return take_data(event.type, ascii::trimmed(data, " \t"));
  for (std::size_t begin = 0; begin <= data.size();) {
    const auto end = std::min(data.find('\n', begin), data.size());
    take_data(event.type, ascii::trimmed(data.substr(begin, end - begin), " \t"));
    begin = end + 1;
  }
}

void streamed_answer::take_data(const std::string& type, std::string_view data) {
  // Some servers keep the connection alive with events that hold nothing.
  if (ended_ || data.empty() || take_word(data))
    return;
  const auto document = document_in(data);
  if (!document.is_object())
    return fail(malformed_stream("The provider sent an event that is no JSON object."));
  take_event(type, document);
}

void streamed_answer::add(provider_chunk chunk) {
  if (ended_)
    return;
  switch (chunk.kind) {
  case chunk_kind::text:
  case chunk_kind::thinking:
  case chunk_kind::tool_use_input:
    return add_text(std::move(chunk));
  case chunk_kind::tool_use_start:
    chunk.tool_name = whole_text(chunk.tool_name);
    break;
  case chunk_kind::tool_use_end:
    end_text(chunk.block_index);
    break;
  case chunk_kind::finished:
  case chunk_kind::failed:
    while (!blocks_.empty())
      end_text(blocks_.begin()->first);
    ended_ = true;
    break;
  default:
    break;
  }
  chunks_.push_back(std::move(chunk));
}

/// A piece that holds nothing but a part of a character waits for the next one.
void streamed_answer::add_text(provider_chunk chunk) {
  auto& block = blocks_[chunk.block_index];
  block.kind = chunk.kind;
  const bool held = !chunk.text.empty();
  chunk.text = block.characters.join(chunk.text);
  if (!held || !chunk.text.empty() || chunk.signature)
    chunks_.push_back(std::move(chunk));
}

/// What is left of a block's text when nothing more comes.
void streamed_answer::end_text(std::uint64_t index) {
  auto block = blocks_.extract(index);
  if (block.empty())
    return;
  auto chunk = chunk_of(block.mapped().kind, index);
  chunk.text = block.mapped().characters.rest();
  if (!chunk.text.empty())
    chunks_.push_back(std::move(chunk));
}

void streamed_answer::fail(call_failure failure) {
  auto chunk = chunk_of(chunk_kind::failed, 0);
  failure.message = whole_text(failure.message);
  chunk.failure = std::move(failure);
  add(std::move(chunk));
}

const json& object_in(const json& holder, const char* key) {
  static const json empty = json::object();
  const auto it = holder.find(key);
  return it != holder.end() && it->is_object() ? *it : empty;
}

std::string string_in(const json& holder, const char* key) {
  const auto it = holder.find(key);
  return it != holder.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

std::uint64_t number_in(const json& holder, const char* key) {
  const auto it = holder.find(key);
  return it != holder.end() && it->is_number_unsigned() ? it->get<std::uint64_t>() : 0;
}

} // namespace gasoline
