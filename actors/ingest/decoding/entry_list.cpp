#include "actors/ingest/decoding/entry_list.hpp"

#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

/// The entries of a body: the list, or a bare array.
result_or<dom::array> entries_of(const dom::element& root, std::string_view list_name) {
  dom::array list;
  if (root.get_array().get(list) == simdjson::SUCCESS)
    return list;
  if (root[list_name].get_array().get(list) == simdjson::SUCCESS)
    return list;
  return tl::unexpected(user_error{"The body must be {\"" + std::string{list_name} +
                                   "\":[…]} or a bare array of entries."});
}

/// The page that a body tells once for all of its entries.
std::string page_of(const dom::element& root, const decode_context& context) {
  std::string_view text;
  if (!root.is_object() || root["page_url"].get_string().get(text) != simdjson::SUCCESS)
    return {};
  return context.cutter.cut(text, context.limit.entry.url_bytes);
}

void refuse_entry(decoded_body& out, std::uint64_t index, std::string why,
                  const limits::entry_limits& limit) {
  ++out.rejected;
  if (out.errors.size() < limit.errors_listed)
    out.errors.push_back({index, std::move(why)});
}

} // namespace

result_or<decoded_body> decode_entries(const entry_shape& shape, std::string& body,
                                       const decode_context& context, stray_entry stray) {
  const auto root = context.json.parse(body);
  if (!root)
    return tl::unexpected(root.error());
  const auto list = entries_of(*root, shape.list);
  if (!list)
    return tl::unexpected(list.error());
  const auto page = page_of(*root, context);
  decoded_body out;
  constexpr std::size_t most_reserved = 1024; // the small things of a large list are no events
  out.events.reserve(std::min(list->size(), most_reserved));
  std::vector<raw_event> strays;
  for (const auto entry : *list) {
    const auto index = out.received++;
    if (auto other = stray ? stray(entry, context) : std::nullopt) {
      strays.push_back(std::move(*other));
      continue;
    }
    auto read = entry_reader{shape, context}.read(entry);
    if (!read) {
      refuse_entry(out, index, std::move(read.error().message), context.limit.entry);
      continue;
    }
    if (read->page.empty())
      read->page = page;
    out.events.push_back(std::move(*read));
  }
  std::move(strays.begin(), strays.end(), std::back_inserter(out.events));
  return out;
}

std::string refused_entries_json(const decoded_body& body) {
  std::string out{"["};
  for (const auto& e : body.errors) {
    if (out.size() > 1)
      out += ',';
    json_object_writer w{out};
    w.number("index", e.index).text("error", e.message).close();
  }
  return out + ']';
}

ingest_answer answer_entries(const decoded_body& body, const ingest_head&) {
  const auto accepted = body.received - body.rejected;
  ingest_answer answer;
  json_object_writer w{answer.body};
  w.text("status", "ok").number("count", accepted);
  if (body.rejected > 0) {
    w.number("rejected", body.rejected).raw("errors", refused_entries_json(body));
    if (accepted == 0)
      answer.status = 400;
  }
  w.close();
  return answer;
}

} // namespace gasoline
