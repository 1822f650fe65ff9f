#include "actors/agents/turn/turn_request.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

constexpr const char* wanted = "Send {\"content\":\"text\"}, or an array of "
                               "{\"type\":\"text\",\"text\":\"…\"} blocks as content.";

tl::unexpected<user_error> invalid_content(std::string what) {
  return tl::make_unexpected(user_error{std::move(what) + " " + wanted});
}

bool is_text_block(const json& block) {
  return block.is_object() && block.value("type", json()) == "text" && block.contains("text") &&
         block["text"].is_string() && !block["text"].get_ref<const std::string&>().empty();
}

result_or<json> blocks_of(const json& content) {
  if (!content.is_string() && !content.is_array())
    return invalid_content("The user's message is no text.");
  if (content == "" || content == json::array())
    return invalid_content("The user's message is empty.");
  if (content.is_string())
    return json::array({{{"type", "text"}, {"text", content}}});
  for (const auto& block : content)
    if (!is_text_block(block))
      return invalid_content("A block of the user's message is no text.");
  return content;
}

} // namespace

result_or<json> turn_content(const json& body) {
  if (!body.is_object())
    return invalid_content("The body must be an object.");
  for (const char* key : {"content", "message", "text"}) {
    const auto it = body.find(key);
    if (it == body.end())
      continue;
    if (it->is_object() && it->contains("content"))
      return blocks_of((*it)["content"]);
    return blocks_of(*it);
  }
  return invalid_content("The body has no message.");
}

} // namespace gasoline
