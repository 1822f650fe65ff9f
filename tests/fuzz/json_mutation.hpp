#pragma once

#include <cstddef>
#include <cstdint>

namespace gasoline {

/// Changes an input of a fuzzer whose bytes after `prefix` are JSON: half of the time a value
/// moves, goes, comes twice or becomes an extreme one, so that the document stays one; else bytes
/// change as libFuzzer changes them. Answers the new size, at most `most`.
std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                        std::size_t prefix);

} // namespace gasoline
