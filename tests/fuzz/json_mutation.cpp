#include "tests/fuzz/json_mutation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

// libFuzzer's own. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace gasoline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_nodes = 400;

void gather(ordered_json& node, std::vector<ordered_json*>& out) {
  if (out.size() >= most_nodes)
    return;
  out.push_back(&node);
  if (node.is_structured())
    for (auto& child : node)
      gather(child, out);
}

ordered_json nested(unsigned levels) {
  ordered_json out = 1;
  for (unsigned i = 0; i < levels; ++i)
    out = ordered_json::array({std::move(out)});
  return out;
}

ordered_json extreme(unsigned which) {
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  switch (which % 14) {
  case 0:
    return nullptr;
  case 1:
    return true;
  case 2:
    return -1;
  case 3:
    return largest;
  case 4:
    return std::numeric_limits<std::int64_t>::min();
  case 5:
    return 1.7e308;
  case 6:
    return "";
  case 7:
    return std::string(300, 'x');
  case 8:
    return "\xF0\x9F\x98\x80\xE2\x80\xAE";
  case 9:
    return ordered_json::array();
  case 10:
    return ordered_json::object();
  case 11:
    return nested(70);
  case 12:
    return "2026-01-28T14:30:00.000Z";
  default:
    return 0.5;
  }
}

/// Puts a copy of a value, or an extreme one, behind the children of a node.
void grow(ordered_json& node, ordered_json value, unsigned name) {
  if (node.is_array())
    node.push_back(std::move(value));
  else if (node.is_object())
    node["k" + std::to_string(name % 4)] = std::move(value);
  else
    node = std::move(value);
}

void shrink(ordered_json& node, unsigned which) {
  if (!node.is_structured() || node.empty()) {
    node = nullptr;
    return;
  }
  auto at = node.begin();
  std::advance(at, which % node.size());
  node.erase(at);
}

std::string changed(ordered_json document, std::minstd_rand& random) {
  std::vector<ordered_json*> nodes;
  gather(document, nodes);
  const auto any = [&] { return static_cast<unsigned>(random()); };
  const auto node = [&]() -> ordered_json& { return *nodes[any() % nodes.size()]; };
  switch (any() % 4) {
  case 0:
    node() = extreme(any());
    break;
  case 1:
    grow(node(), ordered_json(node()), any());
    break;
  case 2:
    shrink(node(), any());
    break;
  default:
    grow(node(), extreme(any()), any());
  }
  return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace

std::size_t mutate_json(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed,
                        std::size_t prefix) {
  std::minstd_rand random{seed};
  const bool in_prefix = size <= prefix || random() % 16 == 0;
  if (in_prefix)
    return LLVMFuzzerMutate(data, size, most);
  auto* const text = data + prefix;
  const auto room = most - prefix;
  if (random() % 2 == 0) {
    auto document = ordered_json::parse(text, text + (size - prefix), nullptr, false);
    if (!document.is_discarded()) {
      const auto out = changed(std::move(document), random);
      if (out.size() <= room) {
        std::memcpy(text, out.data(), out.size());
        return prefix + out.size();
      }
    }
  }
  return prefix + LLVMFuzzerMutate(text, size - prefix, room);
}

} // namespace gasoline
