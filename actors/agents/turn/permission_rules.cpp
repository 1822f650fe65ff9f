#include "actors/agents/turn/permission_rules.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::string_view asking_tool = "shell";

/// What ends one command and begins another, or hides one in a word.
constexpr std::string_view command_breaks = ";&|\n\r`()<>{}";

/// What the patterns of a rule are compared with.
std::string subject_of(const tool_request& request) {
  for (const char* key : {"command", "path", "task"})
    if (const auto it = request.input.find(key); it != request.input.end() && it->is_string())
      return it->get<std::string>();
  return dumped(request.input);
}

/// The whole text, and each part of it that may be a command of its own.
std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> out{ascii::trimmed(text, " \t")};
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find_first_of(command_breaks, at), text.size());
    out.push_back(ascii::trimmed(text.substr(at, end - at), " \t"));
    at = end + 1;
  }
  return out;
}

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
         });
}

/// Words that run the command behind them.
bool is_prefix(std::string_view word) {
  constexpr std::array<std::string_view, 14> prefixes{"!",    "command", "builtin", "do",   "elif",
                                                      "else", "env",     "exec",    "if",   "nohup",
                                                      "then", "time",    "until",   "while"};
  return std::find(prefixes.begin(), prefixes.end(), word) != prefixes.end();
}

/// The command as a shell understands it, written as people write patterns: without quotes, the
/// program without its folder and what stands before it, one blank between words.
std::string plain_form(std::string_view part) {
  std::string out;
  std::string word;
  const auto end_word = [&] {
    if (word.empty() || (out.empty() && (is_assignment(word) || is_prefix(word))))
      return word.clear();
    if (out.empty() && word.back() != '/')
      word.erase(0, word.find_last_of('/') + 1);
    out.append(out.empty() ? "" : " ").append(std::exchange(word, {}));
  };
  for (const char c : part) {
    if (c == ' ' || c == '\t')
      end_word();
    else if (c != '\'' && c != '"' && c != '\\')
      word += c;
  }
  end_word();
  return out;
}

bool is_one_command(std::string_view text) {
  return text.find_first_of(command_breaks) == std::string_view::npos &&
         text.find('$') == std::string_view::npos;
}

bool is_denied(const permission_rule& rule, const std::string& subject) {
  const auto parts = parts_of(subject);
  return std::any_of(rule.deny.begin(), rule.deny.end(), [&](const std::string& pattern) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
      return fits_pattern(pattern, part) || fits_pattern(pattern, plain_form(part));
    });
  });
}

bool is_allowed(const permission_rule& rule, const std::string& subject) {
  return std::any_of(rule.allow.begin(), rule.allow.end(), [&](const std::string& pattern) {
    return pattern == subject || (is_one_command(subject) && fits_pattern(pattern, subject));
  });
}

} // namespace

bool fits_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  auto star = std::string_view::npos;
  std::size_t after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

permission_verdict verdict_of(const session_settings& settings, const tool_request& request,
                              const session_summary& session) {
  const auto& name = request.tool_name;
  permission_rule rule;
  rule.otherwise = name == asking_tool ? permission_choice::ask : permission_choice::allow;
  if (const auto it = settings.permissions.find(name); it != settings.permissions.end())
    rule = it->second;
  const auto subject = subject_of(request);
  if (is_denied(rule, subject))
    return {permission_choice::deny,
            "The owner of this engine does not allow this call (sessions.permissions." + name +
                ".deny)."};
  if (is_allowed(rule, subject))
    return {permission_choice::allow, {}};
  if (rule.otherwise == permission_choice::deny)
    return {permission_choice::deny,
            "The owner of this engine does not allow this call (sessions.permissions." + name +
                ")."};
  const auto& grants = session.grants;
  if (std::find(grants.begin(), grants.end(), name) != grants.end())
    return {permission_choice::allow, {}};
  return {rule.otherwise, "The model wants to run the tool '" + name + "'."};
}

} // namespace gasoline
