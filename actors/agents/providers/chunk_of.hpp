#pragma once

#include "messages/agents/model_call.hpp"

namespace gasoline {

/// A chunk of that kind for a block.
inline provider_chunk chunk_of(chunk_kind kind, std::uint64_t block) {
  provider_chunk out;
  out.kind = kind;
  out.block_index = block;
  return out;
}

} // namespace gasoline
