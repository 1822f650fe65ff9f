#pragma once

#include "actors/base/counted_words.hpp"

#include <cstdint>
#include <string>

namespace gasoline {

/// What a reader is told of alerts that do not concern its project: how many there are.
inline std::string alerts_of_other_projects(std::uint64_t alerts) {
  return counted_words(alerts, "alert of another project", "alerts of other projects");
}

} // namespace gasoline
