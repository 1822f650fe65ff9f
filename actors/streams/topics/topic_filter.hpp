#pragma once

#include "config/limits.hpp"
#include "config/settings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The NATS wildcards: one token, and one or more tokens at the end.
inline constexpr std::string_view any_token = "*";
inline constexpr std::string_view any_rest = ">";

/// Why a text is no topic of an event, or nothing: topics are tokens joined by dots, without
/// blanks, control characters and the wildcards of filters.
std::optional<user_error> topic_problem(std::string_view topic,
                                        const limits_of<stream_room>& limit);

/// Which topics a subscriber wants: a topic as it is; `*` alone for all; `*` as a token for any one
/// token, and `>` at the end for any one token or more, as in NATS.
class topic_filter {
 public:
  /// Everything.
  topic_filter() = default;

  /// The empty text is `*`. The error says what a filter looks like.
  static result_or<topic_filter> parse(std::string_view text, const limits_of<stream_room>& limit);

  /// Whether an event of that topic passes. Events without a topic pass every filter.
  bool matches(std::string_view topic) const;

  /// Whether it lets every topic pass.
  bool takes_all() const { return tokens_.empty(); }

  const std::string& text() const { return text_; }

  /// Empty when it takes all.
  const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  std::string text_{"*"};
  std::vector<std::string> tokens_;
};

/// Splits a topic or filter at its dots; calls `take` with each token.
template <class Take>
void for_each_token(std::string_view topic, Take take) {
  for (;;) {
    const auto dot = topic.find('.');
    take(topic.substr(0, dot));
    if (dot == std::string_view::npos)
      return;
    topic.remove_prefix(dot + 1);
  }
}

} // namespace gasoline
