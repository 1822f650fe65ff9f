#include "tools/terminal/message_screen.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"
#include "tools/terminal/one_line.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using mark = text_mark;

std::uint64_t index_of(const json& payload) {
  const auto& index = json_member(payload, "content_block_index");
  return index.is_number_unsigned() ? index.get<std::uint64_t>() : 0;
}

} // namespace

void message_screen::enter(std::string session, std::string prefix) {
  session_ = std::move(session);
  prefix_ = std::move(prefix);
  lines_.set_prefix(prefix_);
}

// ---- lines ----

void message_screen::line(std::string_view text, mark with) {
  line({{text, with}});
}

/// The unfinished line of a message moves below, so that what interrupts it does not cut it in two.
void message_screen::line(std::initializer_list<marked_text> spans) {
  if (writing_.empty())
    lines_.add_line(spans);
  else
    lines_.add_line_above(spans);
}

void message_screen::stop_writing() {
  lines_.begin_line();
  writing_.clear();
}

// ---- whole messages ----

void message_screen::show_content(const json& content, mark with) {
  for (const auto& block : content)
    show_block(block, with);
}

void message_screen::show_block(const json& block, mark with) {
  const auto type = text_member(block, "type");
  if (type == "text")
    line((with == mark::bold ? "> " : "") + text_member(block, "text"), with);
  else if (type == "thinking")
    line(text_member(block, "text"), with == mark::struck ? with : mark::dim);
  else if (type == "tool_use")
    line("● " + text_member(block, "name") + " " + dumped(json_member(block, "input")), with);
  else if (type == "tool_result")
    line("  └ " + one_line(text_member(block, "content")), mark::dim);
}

// ---- messages that are being written ----

/// The message that an event belongs to, made when its start was missed; nothing: it is finished.
message_screen::open_message* message_screen::open(const json& payload) {
  const auto id = text_member(payload, "message_id");
  if (shown_.contains(id))
    return nullptr;
  const auto [message, fresh] = open_.try_emplace(id);
  if (fresh)
    message->second = {session_, prefix_, {}, {}, true};
  return &message->second;
}

/// Nothing when the block is of another type, which `message.complete` sets right.
message_screen::open_block* message_screen::block_of(open_message& message, const json& payload,
                                                     const char* type) {
  auto& block = message.blocks[index_of(payload)];
  if (block.type.empty())
    block.type = type;
  return block.type == type ? &block : nullptr;
}

void message_screen::add(const json& payload, const char* type, const char* key) {
  auto* const message = open(payload);
  auto* const block = message == nullptr ? nullptr : block_of(*message, payload, type);
  if (block == nullptr)
    return;
  block->text += text_member(payload, key);
  draw(text_member(payload, "message_id"), *message);
}

void message_screen::start_tool(const json& payload) {
  auto* const message = open(payload);
  auto* const block = message == nullptr ? nullptr : block_of(*message, payload, "tool_use");
  if (block == nullptr)
    return;
  block->name = text_member(payload, "tool_name");
  draw(text_member(payload, "message_id"), *message);
}

void message_screen::end_tool(const json& payload) {
  auto* const message = open(payload);
  if (message == nullptr || block_of(*message, payload, "tool_use") == nullptr)
    return;
  settle_input(*message, index_of(payload), json_member(payload, "final_input"));
  draw(text_member(payload, "message_id"), *message);
}

/// Puts on the screen what has been added to a message, unless another one is being written there.
void message_screen::draw(const std::string& id, open_message& message) {
  if (writing_.empty()) {
    lines_.begin_line();
    writing_ = id;
  }
  if (writing_ != id)
    return;
  for (const auto& [index, block] : message.blocks)
    draw_block(index, message);
}

/// What comes for a block above the last line cannot go there any more; it waits for the message
/// to be complete.
void message_screen::draw_block(std::uint64_t index, open_message& message) {
  auto& block = message.blocks.at(index);
  if (block.has_place && block.drawn == block.text.size())
    return;
  if (message.at && index < *message.at) {
    message.in_order = false;
    return;
  }
  const bool is_tool = block.type == "tool_use";
  if (message.at != index) {
    lines_.begin_line();
    message.at = index;
    block.has_place = true;
    if (is_tool)
      lines_.put("● " + block.name + " ", mark::bold);
  }
  lines_.put(std::string_view{block.text}.substr(block.drawn),
             block.type == "text" ? mark::plain : mark::dim);
  block.drawn = block.text.size();
}

/// Completes the blocks with what of the final content was not seen; false: what was seen is not
/// its beginning.
bool message_screen::settle(open_message& message, const json& content) {
  if (!message.blocks.empty() && message.blocks.rbegin()->first >= content.size())
    return false;
  std::uint64_t index = 0;
  for (const auto& block : content)
    if (!settle_block(message, index++, block))
      return false;
  return true;
}

bool message_screen::settle_block(open_message& message, std::uint64_t index, const json& block) {
  const auto type = text_member(block, "type");
  auto& seen = message.blocks[index];
  if (seen.type.empty()) {
    seen.type = type;
    seen.name = text_member(block, "name");
  }
  if (seen.type != type)
    return false;
  if (type == "tool_use") {
    settle_input(message, index, json_member(block, "input"));
    return true;
  }
  auto whole = text_member(block, "text");
  if (!whole.starts_with(seen.text))
    return false;
  seen.text = std::move(whole);
  return true;
}

/// The fragments of an input may be laid out in another way, or have been cut short: then its line
/// is written again while it is the last one. Later, `tool.called` shows the input.
void message_screen::settle_input(open_message& message, std::uint64_t index, const json& input) {
  auto& block = message.blocks.at(index);
  auto whole = dumped(input);
  if (!whole.starts_with(block.text)) {
    if (json::parse(block.text, nullptr, false) == input)
      return;
    const bool is_last = message.at == index && block.text.find('\n') == std::string::npos;
    if (block.has_place && !(is_last && lines_.erase_last_line()))
      return;
    message.at.reset();
    block.has_place = false;
    block.drawn = 0;
  }
  block.text = std::move(whole);
}

void message_screen::complete(const json& payload) {
  const auto id = text_member(payload, "message_id");
  if (!shown_.insert(id).second)
    return;
  auto open = open_.extract(id);
  auto message = open.empty() ? open_message{} : std::move(open.mapped());
  const auto stop_reason = text_member(payload, "stop_reason");
  const bool cancelled = stop_reason == "cancelled";
  complete_open(id, message, list_member(payload, "final_content"),
                cancelled ? mark::struck : mark::plain);
  if (cancelled)
    line("(cancelled)", mark::dim);
  else if (stop_reason == "error")
    line("(failed)", mark::dim);
}

void message_screen::complete_open(const std::string& id, open_message& message,
                                   const json& content, mark with) {
  if (writing_ != id) { // nothing of it was drawn yet
    show_content(content, with);
    return;
  }
  const bool equal = settle(message, content);
  if (equal)
    draw(id, message);
  const bool stands = equal && message.in_order;
  if (!stands || with == mark::struck)
    lines_.strike_last_line();
  stop_writing();
  if (stands)
    return;
  line("(corrected)", mark::dim);
  show_content(content, with);
}

void message_screen::forget_open() {
  if (!writing_.empty())
    lines_.strike_last_line();
  stop_writing();
  open_.clear();
}

void message_screen::cut_all(std::string_view status) {
  for (const auto& [id, message] : std::exchange(open_, {}))
    cut(id, message, status);
  lines_.set_prefix(prefix_);
}

void message_screen::cut_those_of(const std::string& session, std::string_view status) {
  const auto all = std::exchange(open_, {});
  for (const auto& [id, message] : all)
    if (message.session == session)
      cut(id, message, status);
    else
      open_.emplace(id, message);
  lines_.set_prefix(prefix_);
}

void message_screen::cut(const std::string& id, const open_message& message,
                         std::string_view status) {
  const auto with = status == "cancelled" ? mark::struck : mark::plain;
  lines_.set_prefix(message.prefix);
  shown_.insert(id);
  const bool stands = writing_ == id && message.in_order;
  if (writing_ == id) {
    if (!stands || with == mark::struck)
      lines_.strike_last_line();
    stop_writing();
  }
  if (!stands)
    show_written(message, with);
  line("(" + std::string{status} + ")", mark::dim);
}

void message_screen::show_written(const open_message& message, mark with) {
  if (message.at)
    line("(corrected)", mark::dim);
  for (const auto& [index, block] : message.blocks)
    line((block.type == "tool_use" ? "● " + block.name + " " : "") + block.text,
         with == mark::plain && block.type != "text" ? mark::dim : with);
}

} // namespace gasoline
