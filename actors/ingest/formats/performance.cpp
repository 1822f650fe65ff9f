#include "actors/ingest/formats/performance.hpp"

#include "actors/ingest/decoding/entry_list.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr key_slot load_keys[] = {
    {"ts", slot::time},
    {"timestamp", slot::time},
    {"url", slot::url},
    {"id", slot::visit},
    {"timing", slot::metrics_object},
    {"metrics", slot::metrics_object},
    {"vitals", slot::metrics_object},
    {"navigation_type", slot::navigation},
    {"navigationType", slot::navigation},
    {"hot_updates", slot::hot_updates},
    {"largest_contentful_paint", slot::metric},
    {"lcp", slot::metric},
    {"first_contentful_paint", slot::metric},
    {"fcp", slot::metric},
    {"interaction_to_next_paint", slot::metric},
    {"inp", slot::metric},
    {"time_to_first_byte", slot::metric},
    {"ttfb", slot::metric},
    {"load", slot::metric},
    {"cumulative_layout_shift", slot::metric},
    {"cls", slot::metric},
};

// 0 is what browsers report for what they have not measured.
void drop_missing_values(page_metrics& metrics) {
  for (std::size_t i = 0; i < page_metric_count; ++i) {
    const auto metric = static_cast<page_metric>(i);
    const bool instant = metrics.kind == navigation_kind::soft &&
                         (metric == page_metric::inp || metric == page_metric::ttfb);
    if (metrics[metric] == 0.0 && metric != page_metric::cls && !instant)
      metrics[metric].reset();
  }
}

std::optional<std::string> finish_load(entry_draft& draft) {
  auto& e = draft.event;
  if (e.url.empty() && e.fields.empty())
    return "a performance snapshot needs a `url` and `timing`";
  drop_missing_values(draft.metrics);
  if (!draft.restored && draft.metrics.any())
    e.metrics = std::make_shared<const page_metrics>(draft.metrics);
  return std::nullopt;
}

constexpr entry_shape load_shape{telemetry_kind::load, "snapshots", load_keys, finish_load};

result_or<decoded_body> decode_loads(std::string& body, const decode_context& context) {
  return decode_entries(load_shape, body, context);
}

} // namespace

std::optional<raw_event> vital_entry(const simdjson::dom::element& entry,
                                     const decode_context& context) {
  std::string_view type;
  if (entry["type"].get_string().get(type) != simdjson::SUCCESS || type != "vital")
    return std::nullopt;
  entry_reader reader{load_shape, context};
  std::string_view name;
  simdjson::dom::element value;
  if (entry["name"].get_string().get(name) == simdjson::SUCCESS &&
      entry["value"].get(value) == simdjson::SUCCESS)
    reader.set_metric(lower_case(name), value);
  auto read = reader.read(entry);
  return read ? std::optional<raw_event>{std::move(*read)} : std::nullopt;
}

/// `POST /performance-snapshots`: the measurements of page loads.
constinit const ingest_format performance_format{
    .route = {"performance", "/performance-snapshots", &http_room::http_limits::body_bytes},
    .decode = decode_loads,
    .answer = answer_entries,
    .recorded = recorded_form{telemetry_kind::load, "snapshots"},
    .shed_sentence = {},
};

} // namespace gasoline
