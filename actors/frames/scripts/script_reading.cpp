#include "actors/frames/scripts/script_reading.hpp"

#include "actors/base/url_pieces.hpp"

#include <string_view>
#include <utility>

namespace gasoline {
namespace {

script_reading read_map(std::string_view json, std::string_view address,
                        const source_map_caps& caps) {
  script_reading out;
  auto map = source_map::parse(json, address, caps);
  if (map)
    out.map = std::make_shared<const source_map>(std::move(*map));
  else
    out.problem = map.error().message;
  return out;
}

} // namespace

script_reading read_file(const fetched_file& file, const source_map_caps& caps) {
  if (file.is_map)
    return read_map(file.body, file.address, caps);
  const auto named = named_source_map(file.body);
  const auto address = named.empty() ? std::string_view{file.map_address} : named;
  script_reading out;
  out.modules = read_evaluated_modules(file.body, file.address, caps);
  if (address.empty())
    return out;
  if (address.starts_with("data:")) {
    if (const auto json = data_content(address))
      return read_map(*json, file.address, caps);
    out.problem = "the source map within the script is broken";
    return out;
  }
  auto resolved = resolved_address(file.address, address);
  if (take_apart(resolved).origin == take_apart(file.address).origin)
    out.map_address = std::move(resolved);
  else
    out.problem = "the source map lies elsewhere";
  return out;
}

} // namespace gasoline
