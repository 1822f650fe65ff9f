#include "actors/redaction/rules/compiled_rules.hpp"

#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/triggers/trigger_search.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>

namespace gasoline::redaction {
namespace {

/// No known shape is longer; keeps a hostile text from being scanned to its end at every trigger.
constexpr std::size_t longest_shape = 16'384;

using shape_list = std::vector<std::unique_ptr<const re2::RE2>>;

const shape_list& built_in_shapes() {
  static const shape_list shapes = [] {
    shape_list list;
    for (const auto& shape : token_shapes())
      list.push_back(std::make_unique<re2::RE2>(
          re2::StringPiece{shape.shape.data(), shape.shape.size()}, re2::RE2::Quiet));
    return list;
  }();
  return shapes;
}

/// Of a bot token: id, time and signature, and the dots between them.
constexpr std::size_t shortest_id = 23;
constexpr std::size_t time_part = 6;
constexpr std::size_t shortest_signature = 25;
constexpr std::size_t shortest_bot_token = shortest_id + time_part + shortest_signature + 2;

bool is_base64url(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

std::size_t count_forward(std::string_view text, std::size_t pos, std::size_t most) {
  std::size_t n = 0;
  while (n < most && pos + n < text.size() && is_base64url(text[pos + n]))
    ++n;
  return n;
}

std::size_t count_backward(std::string_view text, std::size_t pos, std::size_t most) {
  std::size_t n = 0;
  while (n < most && n < pos && is_base64url(text[pos - n - 1]))
    ++n;
  return n;
}

/// A web address that was cut off in its password: `http://ann:secr`. Those of other servers are
/// triggers of the filter.
bool has_cut_password(std::string_view text) {
  for (auto sign = text.find("://"); sign != npos; sign = text.find("://", sign + 3))
    if (is_cut_authority(text.substr(sign + 3)))
      return true;
  return false;
}

bool has_bot_token(std::string_view text) {
  if (text.size() < shortest_bot_token)
    return false;
  for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1))
    if (find_bot_token(text, dot))
      return true;
  return false;
}

} // namespace

std::optional<found_token> find_bot_token(std::string_view text, std::size_t dot) {
  const std::size_t second = dot + 1 + time_part;
  if (second >= text.size() || text[second] != '.' ||
      count_forward(text, dot + 1, time_part) != time_part)
    return std::nullopt;
  const std::size_t id = count_backward(text, dot, 40);
  const std::size_t signature = count_forward(text, second + 1, 80);
  if (id < shortest_id || id > 30 || signature < shortest_signature)
    return std::nullopt;
  // An id is a number in base64, so it begins with the code of a digit.
  const std::string_view lead = text.substr(dot - id, 1);
  if (lead != "M" && lead != "N" && lead != "O")
    return std::nullopt;
  return found_token{dot - id, second + 1 + signature, "[REDACTED:discord-token]"};
}

compiled_rules::compiled_rules(const std::vector<redaction_rule>& rules,
                               const limits_of<ingest_room, redaction_room>& limit,
                               const std::vector<std::string>& known)
    : json_levels_(limit.redaction.json_levels),
      json_depth_(limit.ingest.json_depth),
      user_(rules),
      known_(known) {
  if (!user_.literals().empty())
    user_filter_.emplace(user_.literals(), trigger_use::filter);
}

void compiled_rules::apply_own(std::string& text, std::size_t begin, mask_log& log) const {
  known_.apply(text, begin, log);
  if (!user_.empty())
    user_.apply(text, begin, log);
}

std::optional<std::string> compiled_rules::without_known(std::string_view text,
                                                         mask_log& log) const {
  if (!known_.occur_in(text))
    return std::nullopt;
  std::string out{text};
  known_.apply(out, 0, log);
  return out;
}

bool compiled_rules::suspicious(std::string_view text) const {
  if (known_.occur_in(text) || has_bot_token(text) || has_cut_password(text) ||
      !simdjson::validate_utf8(text.data(), text.size()))
    return true;
  if (any_trigger(built_in_filter(), text))
    return true;
  const bool may_match =
      user_.needs_every_text(text) || (user_filter_ && any_trigger(user_filter_->view(), text));
  return may_match && user_.matches(text);
}

std::optional<found_token> compiled_rules::find_shape(std::size_t shape, std::string_view text,
                                                      std::size_t begin) const {
  const std::size_t lead = token_shapes()[shape].lead;
  if (lead > begin || !std::all_of(text.data() + begin - lead, text.data() + begin, is_alnum))
    return std::nullopt;
  const re2::StringPiece piece{text.data(), text.size()};
  const std::size_t end = std::min(text.size(), begin + longest_shape);
  std::array<re2::StringPiece, 2> groups;
  const auto& expression = *built_in_shapes()[shape];
  if (!expression.Match(piece, begin, end, re2::RE2::ANCHOR_START, groups.data(),
                        1 + std::min(expression.NumberOfCapturingGroups(), 1)))
    return std::nullopt;
  const std::size_t kept = groups[1].data() == nullptr ? 0 : groups[1].size();
  return found_token{begin + kept - lead, begin + groups[0].size(),
                     "[REDACTED:" + std::string{token_shapes()[shape].kind} + "]"};
}

} // namespace gasoline::redaction
