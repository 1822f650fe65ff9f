#include "actors/browser/actions/input_events.hpp"

#include "messages/base/letters.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t most_typed_bytes = 200;

struct named_key {
  std::string_view name; ///< also what pages call it
  std::string_view code;
  int number;
  std::string_view text; ///< what it writes; empty: nothing
};

constexpr std::array<named_key, 27> named_keys{{
    {"Enter", "Enter", 13, "\r"},
    {"Tab", "Tab", 9, ""},
    {"Escape", "Escape", 27, ""},
    {"Backspace", "Backspace", 8, ""},
    {"Delete", "Delete", 46, ""},
    {"Insert", "Insert", 45, ""},
    {"Space", "Space", 32, " "},
    {"ArrowUp", "ArrowUp", 38, ""},
    {"ArrowDown", "ArrowDown", 40, ""},
    {"ArrowLeft", "ArrowLeft", 37, ""},
    {"ArrowRight", "ArrowRight", 39, ""},
    {"Home", "Home", 36, ""},
    {"End", "End", 35, ""},
    {"PageUp", "PageUp", 33, ""},
    {"PageDown", "PageDown", 34, ""},
    {"F1", "F1", 112, ""},
    {"F2", "F2", 113, ""},
    {"F3", "F3", 114, ""},
    {"F4", "F4", 115, ""},
    {"F5", "F5", 116, ""},
    {"F6", "F6", 117, ""},
    {"F7", "F7", 118, ""},
    {"F8", "F8", 119, ""},
    {"F9", "F9", 120, ""},
    {"F10", "F10", 121, ""},
    {"F11", "F11", 122, ""},
    {"F12", "F12", 123, ""},
}};

/// What keys are called elsewhere.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> other_key_names{{
    {"return", "Enter"},
    {"esc", "Escape"},
    {"del", "Delete"},
    {"ins", "Insert"},
    {"spacebar", "Space"},
    {"up", "ArrowUp"},
    {"down", "ArrowDown"},
    {"left", "ArrowLeft"},
    {"right", "ArrowRight"},
    {"pgup", "PageUp"},
    {"pgdn", "PageDown"},
    {"pgdown", "PageDown"},
    {"back", "Backspace"},
}};

struct modifier_key {
  std::string_view name;
  int bit;
};

constexpr std::array<modifier_key, 10> modifiers{{{"alt", 1},
                                                  {"option", 1},
                                                  {"control", 2},
                                                  {"ctrl", 2},
                                                  {"meta", 4},
                                                  {"cmd", 4},
                                                  {"command", 4},
                                                  {"win", 4},
                                                  {"super", 4},
                                                  {"shift", 8}}};

constexpr int writes_nothing = 1 | 2 | 4; // Alt, Control, Meta

// Callers write names of keys in any case.

std::optional<int> modifier_bit(std::string_view name) {
  for (const auto& each : modifiers)
    if (ascii::same_letters(each.name, name))
      return each.bit;
  return std::nullopt;
}

std::string_view usual_key_name(std::string_view name) {
  for (const auto& [other, usual] : other_key_names)
    if (ascii::same_letters(other, name))
      return usual;
  return name;
}

/// A key that is named, or a character.
struct pressed_key {
  std::string key;
  std::string code;
  int number = 0;
  std::string text;
};

std::optional<pressed_key> key_of(std::string_view given) {
  const auto name = usual_key_name(given);
  for (const auto& each : named_keys)
    if (ascii::same_letters(each.name, name))
      return pressed_key{std::string{each.name == "Space" ? " " : each.name},
                         std::string{each.code}, each.number, std::string{each.text}};
  const auto step = read_utf8(name, 0);
  if (name.empty() || !step.valid || step.length != name.size())
    return std::nullopt;
  pressed_key out;
  out.key = name;
  out.text = name;
  const auto c = static_cast<unsigned char>(name.front());
  if (step.length == 1 && std::isalnum(c) != 0) {
    out.number = std::toupper(c);
    out.code =
        (std::isdigit(c) != 0 ? "Digit" : "Key") + std::string(1, static_cast<char>(out.number));
  }
  return out;
}

void add_key(std::vector<input_command>& out, const pressed_key& key, int held) {
  json down{{"type", "rawKeyDown"},
            {"key", key.key},
            {"modifiers", held},
            {"code", key.code},
            {"windowsVirtualKeyCode", key.number}};
  auto up = down;
  up["type"] = "keyUp";
  if (!key.text.empty() && (held & writes_nothing) == 0) {
    down["type"] = "keyDown";
    down["text"] = key.text;
  }
  if (key.key == "a" && (held & (2 | 4)) != 0)
    down["commands"] = json::array({"selectAll"});
  out.push_back({"Input.dispatchKeyEvent", std::move(down)});
  out.push_back({"Input.dispatchKeyEvent", std::move(up)});
}

json mouse(std::string_view type, double x, double y, std::string_view button, int count) {
  json out{{"type", type}, {"x", x}, {"y", y}, {"button", button}, {"clickCount", count}};
  if (type == "mousePressed")
    out["buttons"] = button == "right" ? 2 : 1;
  return out;
}

/// The mouse moves with its button down.
input_command held_move(double x, double y) {
  auto parameters = mouse("mouseMoved", x, y, "left", 0);
  parameters["buttons"] = 1;
  return {"Input.dispatchMouseEvent", std::move(parameters)};
}

} // namespace

input_command move_event(double x, double y) {
  return {"Input.dispatchMouseEvent", mouse("mouseMoved", x, y, "none", 0)};
}

std::vector<input_command> click_events(double x, double y, click_kind kind) {
  std::vector<input_command> out{move_event(x, y)};
  const std::string_view button = kind == click_kind::right ? "right" : "left";
  const int clicks = kind == click_kind::twice ? 2 : 1;
  for (int count = 1; count <= clicks; ++count) {
    out.push_back({"Input.dispatchMouseEvent", mouse("mousePressed", x, y, button, count)});
    out.push_back({"Input.dispatchMouseEvent", mouse("mouseReleased", x, y, button, count)});
  }
  return out;
}

std::vector<input_command> drag_begin_events(double x, double y, double to_x, double to_y) {
  std::vector<input_command> out{move_event(x, y)};
  out.push_back({"Input.dispatchMouseEvent", mouse("mousePressed", x, y, "left", 1)});
  for (const double part : {0.1, 0.3, 0.6})
    out.push_back(held_move(x + (to_x - x) * part, y + (to_y - y) * part));
  return out;
}

std::vector<input_command> drag_end_events(double x, double y) {
  return {held_move(x - 1, y - 1),
          held_move(x, y),
          {"Input.dispatchMouseEvent", mouse("mouseReleased", x, y, "left", 1)}};
}

std::vector<input_command> drop_events(double x, double y, const json& carried) {
  std::vector<input_command> out;
  for (const auto* type : {"dragEnter", "dragOver", "dragOver", "drop"})
    out.push_back(
        {"Input.dispatchDragEvent", {{"type", type}, {"x", x}, {"y", y}, {"data", carried}}});
  out.push_back({"Input.dispatchMouseEvent", mouse("mouseReleased", x, y, "left", 1)});
  return out;
}

result_or<std::vector<input_command>> key_events(std::string_view keys) {
  int held = 0;
  auto name = keys;
  for (auto plus = name.find('+'); plus != std::string_view::npos && plus + 1 < name.size();
       plus = name.find('+')) {
    const auto bit = modifier_bit(name.substr(0, plus));
    if (!bit)
      break;
    held |= *bit;
    name.remove_prefix(plus + 1);
  }
  const auto key = key_of(name);
  if (!key)
    return tl::unexpected(
        user_error{"'" + std::string{keys} +
                   "' is no key; use one character, Enter, Tab, Escape, Backspace, "
                   "Delete, Space, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, Home, End, PageUp, "
                   "PageDown or F1 "
                   "to F12, with Control+, Shift+, Alt+ or Meta+ before it."});
  std::vector<input_command> out;
  add_key(out, *key, held);
  return out;
}

std::vector<input_command> typing_events(std::string_view text) {
  std::vector<input_command> out;
  if (text.size() > most_typed_bytes) {
    out.push_back({"Input.insertText", {{"text", text}}});
    return out;
  }
  for (std::size_t at = 0; at < text.size();) {
    const auto length = std::max<std::size_t>(read_utf8(text, at).length, 1);
    const auto character = text.substr(at, length);
    at += length;
    if (const auto key = key_of(character == "\n" ? "Enter" : character))
      add_key(out, *key, 0);
    else
      out.push_back({"Input.insertText", {{"text", character}}});
  }
  return out;
}

} // namespace gasoline
