#include "tools/session_view.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t longest_result = 200; // bytes of a tool's result on its one line

std::string text_of(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

const json& member_of(const json& object, const char* key) {
  static const json none;
  const auto it = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && it != object.end() ? *it : none;
}

std::uint64_t block_of(const json& payload) {
  const auto& index = member_of(payload, "content_block_index");
  return index.is_number_unsigned() ? index.get<std::uint64_t>() : 0;
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Text that cannot command the terminal: without control characters but line breaks and tabs.
std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1)
      ++i;
    else if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7F))
      out += text[i];
  }
  return out;
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

std::string compact(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace

std::string session_view::show(const json& frame) {
  const auto type = text_of(frame, "type");
  if (type == "snapshot") {
    show_snapshot(frame);
  } else if (type == "event") {
    const auto& e = member_of(frame, "event");
    const auto& payload = member_of(e, "payload");
    if (const auto handler = e.is_object() ? handler_of(text_of(e, "type")) : nullptr;
        handler != nullptr && payload.is_object())
      (this->*handler)(payload);
  }
  return std::exchange(out_, {});
}

std::string session_view::note(std::string_view text) {
  line(text, mark::dim);
  return std::exchange(out_, {});
}

session_view::event_handler session_view::handler_of(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, event_handler>, 18> handlers{{
      {"turn.started", &session_view::turn_started},
      {"turn.completed", &session_view::turn_completed},
      {"turn.cancelled", &session_view::turn_cancelled},
      {"llm.call_failed", &session_view::call_failed},
      {"message.start", &session_view::message_start},
      {"text.delta", &session_view::text_delta},
      {"thinking.delta", &session_view::thinking_delta},
      {"tool.use_start", &session_view::tool_use_start},
      {"tool.use_input_delta", &session_view::tool_input_delta},
      {"message.complete", &session_view::message_complete},
      {"tool.called", &session_view::tool_called},
      {"tool.completed", &session_view::tool_completed},
      {"tool.failed", &session_view::tool_failed},
      {"delegate.started", &session_view::delegate_started},
      {"delegate.completed", &session_view::delegate_completed},
      {"delegate.failed", &session_view::delegate_failed},
      {"alert.raised", &session_view::alert_raised},
      {"feedback.recorded", &session_view::feedback_recorded},
  }};
  const auto row = std::find_if(handlers.begin(), handlers.end(),
                                [&](const auto& r) { return r.first == type; });
  return row == handlers.end() ? nullptr : row->second;
}

// ---- messages ----

void session_view::show_snapshot(const json& frame) {
  const auto& session = member_of(frame, "session");
  line("session " + text_of(session, "id") + "  " + text_of(session, "active_model") + "  " +
           text_of(session, "workspace_path"),
       mark::dim);
  for (const auto& message : member_of(frame, "messages"))
    if (message.is_object())
      show_message(message);
}

void session_view::show_message(const json& message) {
  if (!shown_.insert(text_of(message, "id")).second)
    return;
  const bool cancelled = text_of(message, "status") == "cancelled";
  const bool user = text_of(message, "role") == "user";
  show_content(member_of(message, "content"),
               cancelled ? mark::struck : (user ? mark::bold : mark::plain));
  if (cancelled)
    line("(cancelled)", mark::dim);
}

void session_view::show_content(const json& content, mark with) {
  for (const auto& block : content)
    if (block.is_object())
      show_block(block, with);
}

void session_view::show_block(const json& block, mark with) {
  const auto type = text_of(block, "type");
  if (type == "text")
    line((with == mark::bold ? "> " : "") + text_of(block, "text"), with);
  else if (type == "thinking")
    line(text_of(block, "text"), mark::dim);
  else if (type == "tool_use")
    line("● " + text_of(block, "name") + " " + compact(member_of(block, "input")), with);
  else if (type == "tool_result")
    line("  └ " + one_line(text_of(block, "content")), mark::dim);
}

void session_view::message_start(const json& payload) {
  open_[text_of(payload, "message_id")];
  begin_line();
}

/// Adds a piece to its block, and shows it on a line of its block's own.
void session_view::add_to_block(const json& payload, const char* key, mark with) {
  const auto id = text_of(payload, "message_id");
  const auto index = block_of(payload);
  const auto piece = text_of(payload, key);
  open_[id].blocks[index] += piece;
  const auto place = id + ' ' + std::to_string(index);
  if (current_ != place)
    begin_line();
  current_ = place;
  put(piece, with);
}

void session_view::text_delta(const json& payload) {
  add_to_block(payload, "text", mark::plain);
}

void session_view::thinking_delta(const json& payload) {
  add_to_block(payload, "text", mark::dim);
}

void session_view::tool_use_start(const json& payload) {
  begin_line();
  put("● " + text_of(payload, "tool_name") + " ", mark::bold);
  const auto id = text_of(payload, "message_id");
  const auto index = block_of(payload);
  open_[id].blocks[index];
  current_ = id + ' ' + std::to_string(index);
}

void session_view::tool_input_delta(const json& payload) {
  add_to_block(payload, "partial_json", mark::dim);
}

/// Shows what of a finished block was not seen while it was written; false: what was seen is not
/// its beginning.
bool session_view::complete_block(const std::string& message_id, std::uint64_t index,
                                  const json& block) {
  const auto& blocks = open_[message_id].blocks;
  const auto seen = blocks.find(index);
  if (seen == blocks.end()) {
    show_block(block, mark::plain);
    return true;
  }
  if (text_of(block, "type") == "tool_use")
    return true; // the fragments are only a preview of the input, which `tool.called` shows
  const auto whole = text_of(block, "text");
  if (!std::string_view{whole}.starts_with(seen->second))
    return false;
  if (whole.size() > seen->second.size())
    put(std::string_view{whole}.substr(seen->second.size()),
        text_of(block, "type") == "thinking" ? mark::dim : mark::plain);
  return true;
}

void session_view::message_complete(const json& payload) {
  const auto id = text_of(payload, "message_id");
  const bool cancelled = text_of(payload, "stop_reason") == "cancelled";
  const auto& content = member_of(payload, "final_content");
  bool equal = true;
  std::uint64_t index = 0;
  for (const auto& block : content)
    equal = complete_block(id, index++, block) && equal;
  if (!equal) {
    line("(corrected)", mark::dim);
    show_content(content, cancelled ? mark::struck : mark::plain);
  }
  if (cancelled) {
    strike_last_line();
    line("(cancelled)", mark::dim);
  }
  begin_line();
  open_.erase(id);
  shown_.insert(id);
}

// ---- turns and calls ----

void session_view::turn_started(const json& payload) {
  begin_line();
  if (shown_.insert(text_of(payload, "message_id")).second)
    show_content(member_of(payload, "content"), mark::bold);
}

void session_view::turn_completed(const json& payload) {
  const auto status = text_of(payload, "status");
  line("— turn " + (status.empty() ? "completed" : status), mark::dim);
}

void session_view::turn_cancelled(const json& payload) {
  line("— turn cancelled (" + text_of(payload, "reason") + ")", mark::dim);
}

void session_view::call_failed(const json& payload) {
  const auto error = text_of(payload, "error_class");
  if (error == "cancelled")
    return; // the message and the turn say so
  line("✗ model: " + error + ": " + text_of(payload, "message"), mark::red);
}

// ---- tools and workers ----

void session_view::tool_called(const json& payload) {
  line("  " + text_of(payload, "tool_name") + " " + one_line(compact(member_of(payload, "input"))) +
           " … running",
       mark::dim);
}

void session_view::tool_completed(const json& payload) {
  const bool failed = member_of(payload, "is_error") == json(true);
  line("  " + std::string{failed ? "✗ " : "✓ "} + text_of(payload, "tool_name") + ": " +
           one_line(text_of(payload, "result")),
       failed ? mark::red : mark::plain);
}

void session_view::tool_failed(const json& payload) {
  const auto name = text_of(payload, "tool_name");
  const auto error = text_of(payload, "error_class");
  if (error != "cancelled") {
    line("  ✗ " + name + ": " + error + ": " + one_line(text_of(payload, "message")), mark::red);
    return;
  }
  begin_line();
  put("  ", mark::plain);
  put(name, mark::struck);
  put(" (cancelled)\n", mark::dim);
}

void session_view::delegate_started(const json& payload) {
  line("  worker " + text_of(payload, "worker_session_id") + ": " +
           one_line(text_of(payload, "task")),
       mark::dim);
}

void session_view::delegate_completed(const json& payload) {
  line("  ✓ worker " + text_of(payload, "worker_session_id"), mark::dim);
}

void session_view::delegate_failed(const json& payload) {
  line("  ✗ worker " + text_of(payload, "worker_session_id") + ": " +
           text_of(payload, "failure_mode"),
       mark::red);
}

void session_view::alert_raised(const json& payload) {
  line("! " + text_of(payload, "severity") + ": " + text_of(payload, "title"), mark::red);
}

void session_view::feedback_recorded(const json& payload) {
  const auto& rating = member_of(payload, "rating");
  line("  feedback: " + (rating.is_string() ? rating.get<std::string>() : compact(rating)) + " " +
           one_line(text_of(payload, "comment")),
       mark::dim);
}

// ---- lines ----

/// Writes the unfinished line again, struck through, as far as it is still one line on the screen.
void session_view::strike_last_line() {
  if (!style_.terminal || last_line_.empty() || last_line_.size() >= style_.columns)
    return;
  out_ += "\r\x1b[K";
  put(std::exchange(last_line_, {}), mark::struck);
}

void session_view::line(std::string_view text, mark with) {
  begin_line();
  put(text, with);
  begin_line();
}

void session_view::begin_line() {
  current_.clear();
  if (last_line_.empty())
    return;
  out_ += '\n';
  last_line_.clear();
}

void session_view::put(std::string_view text, mark with) {
  static constexpr std::array<std::string_view, 5> codes{"", "1", "2", "31", "9"};
  const auto shown = printable(text);
  if (shown.empty())
    return;
  const auto code = codes[static_cast<std::size_t>(with)];
  const bool coloured = style_.terminal && !code.empty();
  if (coloured)
    out_.append("\x1b[").append(code).append("m");
  out_ += shown;
  if (coloured)
    out_ += "\x1b[0m";
  const auto end = shown.rfind('\n');
  if (end == std::string::npos)
    last_line_ += shown;
  else
    last_line_ = shown.substr(end + 1);
}

} // namespace gasoline
