#include "actors/ingest/formats/format_table.hpp"

#include <algorithm>
#include <iterator>

namespace gasoline {
namespace {

constexpr const ingest_format* formats[] = {
#define FORMAT(name) &name##_format,
#include "actors/ingest/formats/formats.def"
#undef FORMAT
};

} // namespace

std::span<const ingest_format* const> ingest_formats() {
  return formats;
}

const ingest_format* find_format(std::string_view name) {
  const auto found = std::find_if(std::begin(formats), std::end(formats),
                                  [&](const ingest_format* f) { return f->route.format == name; });
  return found == std::end(formats) ? nullptr : *found;
}

const ingest_format& format_recording(telemetry_kind kind) {
  const auto found =
      std::find_if(std::begin(formats), std::end(formats), [&](const ingest_format* f) {
        return f->recorded && f->recorded->kind == kind;
      });
  return found == std::end(formats) ? *formats[0] : **found;
}

std::vector<ingest_route> ingest_routes() {
  std::vector<ingest_route> out;
  for (const auto* format : formats)
    out.push_back(format->route);
  return out;
}

} // namespace gasoline
