#include "transport/attach/hook_line.hpp"

#include "messages/base/json/object_members.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t longest_name = 128;
constexpr std::size_t longest_directory = 4096;

bool is_set(const json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_boolean() && found->get<bool>();
}

std::string line_of(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace

bool is_plain_name(std::string_view text) {
  constexpr std::string_view marks = "-_.:#";
  return !text.empty() && text.size() <= longest_name &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  marks.find(c) != std::string_view::npos;
         });
}

std::string question_line(const hook_question& question) {
  return line_of({{"agent", question.agent},
                  {"conversation", question.conversation},
                  {"directory", question.place.directory},
                  {"begins", question.begins},
                  {"compacted", question.compacted},
                  {"only_listens", question.only_listens},
                  {"errors_only", question.errors_only}});
}

std::optional<hook_question> parse_question(std::string_view line) {
  const auto document = json::parse(line, nullptr, false);
  if (!document.is_object())
    return std::nullopt;
  hook_question out;
  out.agent = text_member(document, "agent");
  out.conversation = text_member(document, "conversation");
  out.place.directory = text_member(document, "directory");
  out.begins = is_set(document, "begins");
  out.compacted = is_set(document, "compacted");
  out.only_listens = is_set(document, "only_listens");
  out.errors_only = is_set(document, "errors_only");
  if (!is_plain_name(out.agent) || !is_plain_name(out.conversation) ||
      out.place.directory.size() > longest_directory)
    return std::nullopt;
  return out;
}

std::string answer_line(const hook_answer& answer) {
  return line_of({{"text", answer.text}});
}

std::string parse_answer(std::string_view line) {
  const auto document = json::parse(line, nullptr, false);
  return document.is_object() ? text_member(document, "text") : std::string{};
}

} // namespace gasoline
