#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace gasoline {

/// What the view may draw with.
struct view_style {
  bool terminal = false;   ///< colours, and lines that are written again
  std::size_t columns = 0; ///< of the terminal; 0: unknown
};

/// A terminal view of one session's stream (seed 002, section 5.4): turns its frames into text to
/// be printed one after the other. Text appears as it streams; what was cancelled is struck through
/// on a terminal. Control characters of the session's own text are left out.
class session_view {
 public:
  explicit session_view(view_style style) : style_(style) {}

  /// What a `snapshot` or `event` frame adds; frames and events of unknown types add nothing.
  std::string show(const nlohmann::json& frame);

  /// A line of the view's own, such as that the connection was lost.
  std::string note(std::string_view text);

 private:
  using json = nlohmann::json;

  enum class mark : std::uint8_t { plain, bold, dim, red, struck };

  /// A message that is being written: the text of each of its blocks so far.
  struct open_message {
    std::map<std::uint64_t, std::string> blocks;
  };

  using event_handler = void (session_view::*)(const json& payload);
  static event_handler handler_of(std::string_view type);

  void show_snapshot(const json& frame);
  void show_message(const json& message);
  void show_content(const json& content, mark with);
  void show_block(const json& block, mark with);

  void turn_started(const json& payload);
  void turn_completed(const json& payload);
  void turn_cancelled(const json& payload);
  void call_failed(const json& payload);
  void message_start(const json& payload);
  void text_delta(const json& payload);
  void thinking_delta(const json& payload);
  void tool_use_start(const json& payload);
  void tool_input_delta(const json& payload);
  void message_complete(const json& payload);
  void tool_called(const json& payload);
  void tool_completed(const json& payload);
  void tool_failed(const json& payload);
  void delegate_started(const json& payload);
  void delegate_completed(const json& payload);
  void delegate_failed(const json& payload);
  void alert_raised(const json& payload);
  void feedback_recorded(const json& payload);

  void add_to_block(const json& payload, const char* key, mark with);
  bool complete_block(const std::string& message_id, std::uint64_t index, const json& block);
  void strike_last_line();
  void line(std::string_view text, mark with = mark::plain);
  void begin_line();
  void put(std::string_view text, mark with);

  view_style style_;
  std::map<std::string, open_message> open_; // by message id
  std::set<std::string> shown_;              // messages that were shown whole
  std::string current_;                      // message and block that is being written
  std::string last_line_;                    // what stands on the unfinished line
  std::string out_;
};

} // namespace gasoline
