#include "actors/streams/topics/topic_filter.hpp"

#include <algorithm>

namespace gasoline {
namespace {

/// A topic that stands for none where streams are shared.
constexpr std::string_view no_topic = "_";

constexpr std::size_t most_tokens = 32;

bool is_blank_or_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F;
}

/// Made in place: g++ 12 takes a moved short string for one that is read past its end.
std::optional<std::string> sentence(std::string_view subject, std::string_view rest) {
  std::optional<std::string> out{std::in_place, subject};
  out->append(rest);
  return out;
}

/// What topics and filters have in common.
std::optional<std::string> shape_problem(std::string_view text, std::string_view what,
                                         const limits_of<stream_room>& limit) {
  if (text.size() > limit.stream.topic_bytes)
    return sentence(what,
                    " may have at most " + std::to_string(limit.stream.topic_bytes) + " bytes.");
  if (std::any_of(text.begin(), text.end(), is_blank_or_control))
    return sentence(what, " must not hold blanks, line breaks or control characters; join its "
                          "tokens by dots, such as orders.created.");
  std::size_t tokens = 0;
  bool has_empty = false;
  for_each_token(text, [&](std::string_view token) {
    ++tokens;
    has_empty = has_empty || token.empty();
  });
  if (has_empty)
    return sentence(what, " has an empty token; write tokens joined by single dots, such as "
                          "orders.created.");
  if (tokens > most_tokens)
    return sentence(what, " may have at most " + std::to_string(most_tokens) + " tokens.");
  return std::nullopt;
}

bool has_wildcard(std::string_view token) {
  return token.find_first_of("*>") != std::string_view::npos;
}

} // namespace

std::optional<user_error> topic_problem(std::string_view topic,
                                        const limits_of<stream_room>& limit) {
  if (auto problem = shape_problem(topic, "topic", limit))
    return user_error{std::move(*problem)};
  if (has_wildcard(topic))
    return user_error{"topic must not hold the wildcards * and >; they belong to subscribers. "
                      "Publish to one topic such as orders.created, or leave topic out to reach "
                      "every subscriber."};
  if (topic == no_topic)
    return user_error{"topic _ is taken: it stands for no topic; leave topic out instead."};
  return std::nullopt;
}

result_or<topic_filter> topic_filter::parse(std::string_view text,
                                            const limits_of<stream_room>& limit) {
  topic_filter out;
  if (text.empty() || text == any_token)
    return out;
  if (auto problem = shape_problem(text, "topic", limit))
    return tl::unexpected(user_error{std::move(*problem)});
  for_each_token(text, [&](std::string_view token) { out.tokens_.emplace_back(token); });
  for (std::size_t i = 0; i < out.tokens_.size(); ++i) {
    const auto& token = out.tokens_[i];
    const bool last = i + 1 == out.tokens_.size();
    if (has_wildcard(token) && token != any_token && !(token == any_rest && last))
      return tl::unexpected(
          user_error{"topic uses a wildcard in a wrong place: * stands for one whole token "
                     "(orders.*), > for all that follow and only at the end (orders.>), * alone "
                     "for everything."});
  }
  out.text_ = text;
  if (text == any_rest)
    out.tokens_.clear();
  return out;
}

bool topic_filter::matches(std::string_view topic) const {
  if (takes_all() || topic.empty())
    return true;
  std::size_t i = 0;
  bool fits = true;
  bool rest = false;
  for_each_token(topic, [&](std::string_view token) {
    if (rest || !fits)
      return;
    if (i >= tokens_.size()) {
      fits = false;
      return;
    }
    const auto& wanted = tokens_[i++];
    rest = wanted == any_rest;
    fits = rest || wanted == any_token || wanted == token;
  });
  return fits && (rest || i == tokens_.size());
}

} // namespace gasoline
