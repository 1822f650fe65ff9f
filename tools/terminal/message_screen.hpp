#pragma once

#include "tools/terminal/terminal_lines.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gasoline {

/// Lines of a view, and among them the messages that are being written: the text of one appears as
/// it streams; that of others, of workers, when they are complete. A whole line that comes
/// meanwhile stands above the unfinished one.
class message_screen {
 public:
  using json = nlohmann::json;

  explicit message_screen(view_style style) : lines_(style) {}

  /// What has been drawn since this was asked last.
  std::string take() { return lines_.take(); }

  /// From now on lines, and messages that begin, are of that session and begin with the prefix.
  void enter(std::string session, std::string prefix);

  void line(std::string_view text, text_mark with = text_mark::plain);
  void line(std::initializer_list<marked_text> pieces);

  /// The blocks of a message as whole lines.
  void show_content(const json& content, text_mark with);

  /// Whether that message was not shown yet; from now on it was.
  bool show_once(const std::string& id) { return shown_.insert(id).second; }

  // What the payloads of streaming events add.
  void start(const json& payload) { open(payload); }
  void add(const json& payload, const char* block_type, const char* key);
  void start_tool(const json& payload);
  void end_tool(const json& payload);
  void complete(const json& payload);

  /// What is being written is told again, from its start.
  void forget_open();

  /// Ends the messages that got no end of their own, all or those of one session, with that status.
  void cut_all(std::string_view status);
  void cut_those_of(const std::string& session, std::string_view status);

 private:
  /// A block that is being written.
  struct open_block {
    std::string type;
    std::string name;       // of a tool
    std::string text;       // so far; of a tool: its input
    std::size_t drawn = 0;  // bytes of the text that are on the screen
    bool has_place = false; // its line on the screen has begun
  };

  /// A message that is being written.
  struct open_message {
    std::string session;
    std::string prefix; // of that session's lines
    std::map<std::uint64_t, open_block> blocks;
    std::optional<std::uint64_t> at; // the block whose line is the last one
    bool in_order = true;            // nothing has come for a block above the last line
  };

  void show_block(const json& block, text_mark with);
  open_message* open(const json& payload);
  open_block* block_of(open_message& message, const json& payload, const char* type);
  void draw(const std::string& id, open_message& message);
  void draw_block(std::uint64_t index, open_message& message);
  bool settle(open_message& message, const json& content);
  bool settle_block(open_message& message, std::uint64_t index, const json& block);
  void settle_input(open_message& message, std::uint64_t index, const json& input);
  void complete_open(const std::string& id, open_message& message, const json& content,
                     text_mark with);
  void cut(const std::string& id, const open_message& message, std::string_view status);
  void show_written(const open_message& message, text_mark with);
  void stop_writing();

  terminal_lines lines_;
  std::map<std::string, open_message> open_; // by message id
  std::string writing_;                      // the one whose text stands on the unfinished line
  std::set<std::string> shown_;              // messages that were shown whole
  std::string session_;
  std::string prefix_;
};

} // namespace gasoline
