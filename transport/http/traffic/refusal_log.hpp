#pragma once

#include "transport/http/rights/http_rights.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gasoline {

/// Who was refused, and how often, for `health`. Of origins that were refused the first 32 are
/// named and the others counted, since a page may come from any number of them.
class refusal_log {
 public:
  /// Counts one; `origin` is the header `Origin` of the request, empty: it had none.
  void add(refused_caller who, std::string_view origin);

  /// `{"refused":{"foreign_origins":n,…},"refused_origins":{"http://…":n}}`
  nlohmann::json document() const;

 private:
  static constexpr std::size_t most_origins = 32;
  static constexpr std::size_t origin_bytes = 128;

  std::array<std::uint64_t, refused_caller_count> counts_{};
  std::map<std::string, std::uint64_t> origins_;
  std::uint64_t other_origins_ = 0;
};

} // namespace gasoline
