#include "actors/ingest/decoding/field_list.hpp"

#include "actors/base/dom_values.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t longest_field_name = 128;

} // namespace

void field_list::keep(std::string_view key, const simdjson::dom::element& value) {
  std::string json;
  append_json(json, value);
  if (json.size() > limit_.field_bytes) {
    std::string cut;
    append_json_string(cut, value.is_string() ? cutter_.cut(text_of(value), limit_.field_bytes)
                                              : cutter_.cut_json(json, limit_.field_bytes));
    json = std::move(cut);
  }
  member(key, json);
}

void field_list::text(std::string_view key, std::string_view value) {
  if (value.empty())
    return;
  std::string json;
  append_json_string(json, cutter_.cut(value, limit_.field_bytes));
  member(key, json);
}

void field_list::member(std::string_view key, std::string_view json) {
  if (out_.size() + json.size() > 4 * limit_.field_bytes) {
    ++dropped_;
    return;
  }
  if (!out_.empty())
    out_ += ',';
  if (key.size() <= longest_field_name)
    append_json_string(out_, key);
  else
    append_json_string(out_, cutter_.cut(key, longest_field_name));
  out_ += ':';
  out_ += json;
}

void field_list::finish() {
  if (dropped_ > 0)
    member("_dropped_fields", std::to_string(dropped_));
}

} // namespace gasoline
