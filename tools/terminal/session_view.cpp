#include "tools/terminal/session_view.hpp"

#include "messages/base/json_text.hpp"
#include "tools/terminal/json_members.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t longest_result = 200; // bytes of a tool's result on its one line

/// Agents that run elsewhere may send anything as a list.
const json& list_of(const json& object, const char* key) {
  static const json none = json::array();
  const auto& value = json_member(object, key);
  return value.is_array() ? value : none;
}

std::uint64_t index_of(const json& payload) {
  const auto& index = json_member(payload, "content_block_index");
  return index.is_number_unsigned() ? index.get<std::uint64_t>() : 0;
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// The beginning of a text as one line.
std::string one_line(std::string_view text) {
  std::string out{text.substr(0, text.find('\n'))};
  bool cut = out.size() < text.size();
  if (out.size() > longest_result) {
    auto end = longest_result;
    while (end > 0 && continues_character(out[end]))
      --end;
    out.resize(end);
    cut = true;
  }
  return cut ? out + " …" : out;
}

bool is_result(const json& block) {
  return text_member(block, "type") == "tool_result";
}

} // namespace

std::string session_view::show(const json& frame) {
  const auto type = text_member(frame, "type");
  if (type == "snapshot")
    show_snapshot(frame);
  else if (type == "event")
    show_event(json_member(frame, "event"));
  return lines_.take();
}

void session_view::show_event(const json& event) {
  const auto& payload = json_member(event, "payload");
  const auto handler = handler_of(text_member(event, "type"));
  if (handler == nullptr || !payload.is_object())
    return;
  enter_session(event);
  (this->*handler)(payload);
}

session_view::event_handler session_view::handler_of(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, event_handler>, 24> handlers{{
      {"turn.started", &session_view::turn_started},
      {"turn.completed", &session_view::turn_completed},
      {"turn.cancelled", &session_view::turn_cancelled},
      {"llm.call_started", &session_view::call_started},
      {"llm.call_failed", &session_view::call_failed},
      {"message.start", &session_view::message_start},
      {"text.delta", &session_view::text_delta},
      {"thinking.delta", &session_view::thinking_delta},
      {"tool.use_start", &session_view::tool_use_start},
      {"tool.use_input_delta", &session_view::tool_input_delta},
      {"tool.use_end", &session_view::tool_use_end},
      {"message.complete", &session_view::message_complete},
      {"tool.called", &session_view::tool_called},
      {"tool.completed", &session_view::tool_completed},
      {"tool.failed", &session_view::tool_failed},
      {"permission.requested", &session_view::permission_requested},
      {"permission.resolved", &session_view::permission_resolved},
      {"delegate.started", &session_view::delegate_started},
      {"delegate.completed", &session_view::delegate_completed},
      {"delegate.failed", &session_view::delegate_failed},
      {"alert.raised", &session_view::alert_raised},
      {"feedback.recorded", &session_view::feedback_recorded},
      {"bus.handler_warning", &session_view::handler_warning},
      {"bus.subscriber_unregistered", &session_view::subscriber_unregistered},
  }};
  const auto row = std::find_if(handlers.begin(), handlers.end(),
                                [&](const auto& r) { return r.first == type; });
  return row == handlers.end() ? nullptr : row->second;
}

// ---- sessions ----

void session_view::enter_session(const json& event) {
  session_ = text_member(event, "session_id");
  turn_ = text_member(event, "turn_id");
  const auto parent = text_member(event, "parent_session_id");
  if (!parent.empty() && !depths_.contains(session_))
    depths_[session_] = depths_.contains(parent) ? depths_[parent] + 1 : 1;
  lines_.set_prefix(prefix_of(session_));
}

std::string session_view::prefix_of(const std::string& session) const {
  std::string out;
  const auto found = depths_.find(session);
  for (auto depth = found == depths_.end() ? 0 : found->second; depth > 0; --depth)
    out += "│ ";
  return out;
}

// ---- snapshots ----

/// What was being written when the connection was lost is told again, from its start.
void session_view::show_snapshot(const json& frame) {
  if (!writing_.empty())
    lines_.strike_last_line();
  stop_writing();
  open_.clear();
  lines_.set_prefix({});
  if (std::exchange(has_snapshot_, true))
    line("(some events were missed)", mark::dim);
  const auto& session = json_member(frame, "session");
  session_ = text_member(session, "id");
  line("session " + session_ + "  " + text_member(session, "active_model") + "  " +
           text_member(session, "workspace_path"),
       mark::dim);
  for (const auto& message : list_of(frame, "messages"))
    show_past_message(message);
  show_past_tools(session);
}

/// Messages of tool results become the ends of their tools, as a live stream shows them.
void session_view::show_past_message(const json& message) {
  const auto& content = list_of(message, "content");
  if (text_member(message, "role") == "user" &&
      std::all_of(content.begin(), content.end(), is_result)) {
    for (const auto& block : content)
      show_past_result(block);
    return;
  }
  show_message(message);
  if (text_member(message, "status") != "complete")
    return;
  for (const auto& block : content)
    take_past_tool(message, block);
}

void session_view::take_past_tool(const json& message, const json& block) {
  if (text_member(block, "type") != "tool_use")
    return;
  auto id = text_member(block, "id");
  const bool is_running = std::any_of(running_.begin(), running_.end(),
                                      [&](const running_tool& tool) { return tool.id == id; });
  if (is_running || ended_tools_.contains(id))
    return;
  running_.push_back({std::move(id), text_member(block, "name"),
                      dumped(json_member(block, "input")), session_,
                      text_member(message, "turn_id")});
}

void session_view::show_past_result(const json& block) {
  const auto id = text_member(block, "tool_use_id");
  if (ended_tools_.contains(id))
    return;
  const auto name = end_tool(id);
  completed_line(name.empty() ? "tool" : name, text_member(block, "content"),
                 json_member(block, "is_error") == json(true));
}

/// A tool without a result runs if its turn does; else it was cancelled with it. Those of workers
/// are in no snapshot.
void session_view::show_past_tools(const json& session) {
  const auto turn = text_member(session, "current_turn_id");
  for (auto& tool : std::exchange(running_, {})) {
    if (tool.session != session_)
      continue;
    if (turn.empty() || tool.turn != turn) {
      ended_tools_.insert(tool.id);
      cancelled_tool(tool.name);
      continue;
    }
    running_line(tool);
    running_.push_back(std::move(tool));
  }
}

// ---- messages ----

void session_view::show_message(const json& message) {
  if (!shown_.insert(text_member(message, "id")).second)
    return;
  const auto status = text_member(message, "status");
  const bool cancelled = status == "cancelled";
  const bool user = text_member(message, "role") == "user";
  show_content(list_of(message, "content"),
               cancelled ? mark::struck : (user ? mark::bold : mark::plain));
  if (cancelled || status == "failed")
    line("(" + status + ")", mark::dim);
}

void session_view::show_content(const json& content, mark with) {
  for (const auto& block : content)
    show_block(block, with);
}

void session_view::show_block(const json& block, mark with) {
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

/// Those of agents that run elsewhere may have no id.
void session_view::show_user_message(const json& payload) {
  const auto id = text_member(payload, "message_id");
  if (id.empty() || shown_.insert(id).second)
    show_content(list_of(payload, "content"), mark::bold);
}

// ---- messages that are being written ----

/// The message that an event belongs to, made when its start was missed; nothing: it is finished.
session_view::open_message* session_view::open(const json& payload) {
  const auto id = text_member(payload, "message_id");
  if (shown_.contains(id))
    return nullptr;
  const auto [message, fresh] = open_.try_emplace(id);
  if (fresh)
    message->second.session = session_;
  return &message->second;
}

/// Nothing when the block is of another type, which `message.complete` sets right.
session_view::open_block* session_view::block_of(open_message& message, const json& payload,
                                                 const char* type) {
  auto& block = message.blocks[index_of(payload)];
  if (block.type.empty())
    block.type = type;
  return block.type == type ? &block : nullptr;
}

void session_view::message_start(const json& payload) {
  open(payload);
}

void session_view::add_to_block(const json& payload, const char* type, const char* key) {
  auto* const message = open(payload);
  auto* const block = message == nullptr ? nullptr : block_of(*message, payload, type);
  if (block == nullptr)
    return;
  block->text += text_member(payload, key);
  draw(text_member(payload, "message_id"), *message);
}

void session_view::text_delta(const json& payload) {
  add_to_block(payload, "text", "text");
}

void session_view::thinking_delta(const json& payload) {
  add_to_block(payload, "thinking", "text");
}

void session_view::tool_use_start(const json& payload) {
  auto* const message = open(payload);
  auto* const block = message == nullptr ? nullptr : block_of(*message, payload, "tool_use");
  if (block == nullptr)
    return;
  block->name = text_member(payload, "tool_name");
  draw(text_member(payload, "message_id"), *message);
}

void session_view::tool_input_delta(const json& payload) {
  add_to_block(payload, "tool_use", "partial_json");
}

void session_view::tool_use_end(const json& payload) {
  auto* const message = open(payload);
  if (message == nullptr || block_of(*message, payload, "tool_use") == nullptr)
    return;
  settle_input(*message, index_of(payload), json_member(payload, "final_input"));
  draw(text_member(payload, "message_id"), *message);
}

/// Puts on the screen what has been added to a message, unless another one is being written there.
void session_view::draw(const std::string& id, open_message& message) {
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
void session_view::draw_block(std::uint64_t index, open_message& message) {
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
bool session_view::settle(open_message& message, const json& content) {
  if (!message.blocks.empty() && message.blocks.rbegin()->first >= content.size())
    return false;
  std::uint64_t index = 0;
  for (const auto& block : content)
    if (!settle_block(message, index++, block))
      return false;
  return true;
}

bool session_view::settle_block(open_message& message, std::uint64_t index, const json& block) {
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
void session_view::settle_input(open_message& message, std::uint64_t index, const json& input) {
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

void session_view::message_complete(const json& payload) {
  const auto id = text_member(payload, "message_id");
  if (!shown_.insert(id).second)
    return;
  auto open = open_.extract(id);
  auto message = open.empty() ? open_message{} : std::move(open.mapped());
  const auto stop_reason = text_member(payload, "stop_reason");
  const bool cancelled = stop_reason == "cancelled";
  complete_open(id, message, list_of(payload, "final_content"),
                cancelled ? mark::struck : mark::plain);
  if (cancelled)
    line("(cancelled)", mark::dim);
  else if (stop_reason == "error")
    line("(failed)", mark::dim);
}

void session_view::complete_open(const std::string& id, open_message& message, const json& content,
                                 mark with) {
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

/// Ends the messages of a turn that got no end of their own: the engine died or was cut short. With
/// a turn of the session that is followed, the work of its workers has ended too.
void session_view::cut_open(std::string_view status) {
  if (depths_.contains(session_)) {
    cut_worker(session_, status);
    return;
  }
  for (const auto& [id, message] : std::exchange(open_, {}))
    cut(id, message, status);
  lines_.set_prefix(prefix_of(session_));
}

void session_view::cut_worker(const std::string& worker, std::string_view status) {
  const auto all = std::exchange(open_, {});
  for (const auto& [id, message] : all)
    if (message.session == worker)
      cut(id, message, status);
    else
      open_.emplace(id, message);
  lines_.set_prefix(prefix_of(session_));
}

void session_view::cut(const std::string& id, const open_message& message,
                       std::string_view status) {
  const auto with = status == "cancelled" ? mark::struck : mark::plain;
  lines_.set_prefix(prefix_of(message.session));
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

void session_view::show_written(const open_message& message, mark with) {
  if (message.at)
    line("(corrected)", mark::dim);
  for (const auto& [index, block] : message.blocks)
    line((block.type == "tool_use" ? "● " + block.name + " " : "") + block.text,
         with == mark::plain && block.type != "text" ? mark::dim : with);
}

// ---- turns and calls ----

void session_view::turn_started(const json& payload) {
  show_user_message(payload);
}

/// A call that tells the model of new alerts carries the message that does.
void session_view::call_started(const json& payload) {
  show_user_message(payload);
}

void session_view::turn_completed(const json& payload) {
  end_turn("failed");
  const auto status = text_member(payload, "status");
  line("— turn " + (status.empty() ? "completed" : status), mark::dim);
}

void session_view::turn_cancelled(const json& payload) {
  end_turn("cancelled");
  line("— turn cancelled (" + text_member(payload, "reason") + ")", mark::dim);
}

/// Whatever of the turn is still open ends with it.
void session_view::end_turn(std::string_view status) {
  cut_open(status);
  for (auto& tool : std::exchange(running_, {})) {
    if (tool.turn != turn_) {
      running_.push_back(std::move(tool));
      continue;
    }
    ended_tools_.insert(tool.id);
    if (status == "cancelled")
      cancelled_tool(tool.name);
    else
      line("  ✗ " + tool.name + ": no result", mark::red);
  }
}

void session_view::call_failed(const json& payload) {
  const auto error = text_member(payload, "error_class");
  if (error == "cancelled")
    return; // the message and the turn say so
  const bool will_retry = json_member(payload, "will_retry") == json(true);
  line("✗ model: " + error + ": " + text_member(payload, "message") +
           (will_retry ? " (trying again)" : ""),
       mark::red);
}

// ---- tools and workers ----

void session_view::tool_called(const json& payload) {
  running_.push_back({text_member(payload, "tool_use_id"), text_member(payload, "tool_name"),
                      dumped(json_member(payload, "input")), session_, turn_});
  running_line(running_.back());
}

void session_view::running_line(running_tool& tool) {
  if (!std::exchange(tool.is_shown, true))
    line("  " + tool.name + " " + one_line(tool.input) + " … running", mark::dim);
}

/// The name of the tool, which runs no more; empty: it was not known.
std::string session_view::end_tool(const std::string& id) {
  ended_tools_.insert(id);
  const auto tool = std::find_if(running_.begin(), running_.end(),
                                 [&](const running_tool& one) { return one.id == id; });
  if (tool == running_.end())
    return {};
  auto name = std::move(tool->name);
  running_.erase(tool);
  return name;
}

void session_view::tool_completed(const json& payload) {
  end_tool(text_member(payload, "tool_use_id"));
  completed_line(text_member(payload, "tool_name"), text_member(payload, "result"),
                 json_member(payload, "is_error") == json(true));
}

void session_view::completed_line(std::string_view name, std::string_view result, bool failed) {
  line("  " + std::string{failed ? "✗ " : "✓ "} + std::string{name} + ": " + one_line(result),
       failed ? mark::red : mark::plain);
}

void session_view::tool_failed(const json& payload) {
  end_tool(text_member(payload, "tool_use_id"));
  const auto name = text_member(payload, "tool_name");
  const auto error = text_member(payload, "error_class");
  if (error == "cancelled")
    cancelled_tool(name);
  else
    line("  ✗ " + name + ": " + error + ": " + one_line(text_member(payload, "message")),
         mark::red);
}

void session_view::cancelled_tool(std::string_view name) {
  line({{"  "}, {name, mark::struck}, {" (cancelled)", mark::dim}});
}

/// Whole, since nobody should allow what they cannot read.
void session_view::permission_requested(const json& payload) {
  const auto& input = json_member(payload, "input");
  const auto command = text_member(input, "command");
  line({{"? ", mark::bold},
        {text_member(payload, "tool") + " wants to run: ", mark::bold},
        {command.empty() ? dumped(input) : command, mark::plain}});
  line("  y allows it once, a allows the tool in this session, n denies it", mark::dim);
}

void session_view::permission_resolved(const json& payload) {
  const auto decision = text_member(payload, "decision");
  const auto by = text_member(payload, "by");
  line("  " + std::string{decision == "deny" ? "✗ denied" : "✓ allowed"} +
           (decision == "allow_session" ? " in this session" : "") +
           (by == "user" ? "" : " (" + by + ")"),
       mark::dim);
}

void session_view::delegate_started(const json& payload) {
  line("  worker " + text_member(payload, "worker_session_id") + ": " +
           one_line(text_member(payload, "task")),
       mark::dim);
}

void session_view::delegate_completed(const json& payload) {
  const auto worker = text_member(payload, "worker_session_id");
  const bool failed = json_member(payload, "success") == json(false);
  cut_worker(worker, "failed");
  line((failed ? "  ✗ worker " : "  ✓ worker ") + worker, failed ? mark::red : mark::dim);
}

void session_view::delegate_failed(const json& payload) {
  const auto worker = text_member(payload, "worker_session_id");
  const auto mode = text_member(payload, "failure_mode");
  cut_worker(worker, mode == "cancelled_by_user" ? "cancelled" : "failed");
  line("  ✗ worker " + worker + ": " + mode, mark::red);
}

// ---- what is no part of a turn ----

void session_view::alert_raised(const json& payload) {
  line("! " + text_member(payload, "severity") + ": " + text_member(payload, "title"), mark::red);
}

void session_view::feedback_recorded(const json& payload) {
  const auto& rating = json_member(payload, "rating");
  line("  feedback: " + (rating.is_string() ? rating.get<std::string>() : dumped(rating)) + " " +
           one_line(text_member(payload, "comment")),
       mark::dim);
}

void session_view::handler_warning(const json& payload) {
  line("(" + text_member(payload, "code") + ": " + one_line(text_member(payload, "message")) + ")",
       mark::dim);
}

void session_view::subscriber_unregistered(const json& payload) {
  line("(" + text_member(payload, "subscription_name") +
           " left: " + text_member(payload, "reason") + ")",
       mark::dim);
}

// ---- lines ----

void session_view::stop_writing() {
  lines_.begin_line();
  writing_.clear();
}

void session_view::line(std::string_view text, mark with) {
  line({{text, with}});
}

/// The unfinished line of a message moves below, so that what interrupts it does not cut it in two.
void session_view::line(std::initializer_list<span> spans) {
  if (writing_.empty())
    lines_.add_line(spans);
  else
    lines_.add_line_above(spans);
}

} // namespace gasoline
