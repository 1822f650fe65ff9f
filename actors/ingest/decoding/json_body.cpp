#include "actors/ingest/decoding/json_body.hpp"

#include "messages/base/json/json_repair.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t smallest_capacity = 64ULL << 10;

std::string problem_sentence(simdjson::error_code code, std::uint64_t depth) {
  if (code == simdjson::DEPTH_ERROR)
    return "The body nests deeper than " + std::to_string(depth) + " levels; send flatter data.";
  if (code == simdjson::EMPTY)
    return "The body is empty; send JSON.";
  return std::string{"The body is not valid JSON: "} + simdjson::error_message(code) + ".";
}

} // namespace

simdjson::error_code json_body::parse_once(std::string& text, simdjson::dom::element& root) {
  if (parser_.max_depth() != depth_ || parser_.capacity() < text.size())
    if (const auto error = parser_.allocate(std::max(text.size(), smallest_capacity), depth_))
      return error;
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return parser_.parse(text.data(), text.size(), false).get(root);
}

result_or<simdjson::dom::element> json_body::parse(std::string& text) {
  simdjson::dom::element root;
  auto error = parse_once(text, root);
  if (error && error != simdjson::DEPTH_ERROR && error != simdjson::EMPTY) {
    text = repaired_json(text);
    error = parse_once(text, root);
  }
  if (error)
    return tl::unexpected(user_error{problem_sentence(error, depth_)});
  return root;
}

} // namespace gasoline
