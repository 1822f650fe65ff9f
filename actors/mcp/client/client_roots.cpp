#include "actors/mcp/client/client_roots.hpp"

#include "actors/mcp/client/root_directory.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t most_looked_at = 64;
constexpr std::size_t most_roots = 16;

bool has_roots(const client_agreement& agreement) {
  const auto offer = agreement.capabilities().find("roots");
  return agreement.revision() && offer != agreement.capabilities().end() && offer->is_object();
}

/// The directories of this machine among them, each once, in the client's order.
std::vector<std::string> directories_in(const json& roots) {
  std::vector<std::string> out;
  std::size_t looked_at = 0;
  for (const auto& root : roots) {
    if (out.size() == most_roots || ++looked_at > most_looked_at)
      break;
    const auto uri = root.is_object() ? root.find("uri") : root.end();
    if (!root.is_object() || uri == root.end() || !uri->is_string())
      continue;
    auto directory = root_directory(uri->get_ref<const std::string&>());
    if (!directory.empty() && std::find(out.begin(), out.end(), directory) == out.end())
      out.push_back(std::move(directory));
  }
  return out;
}

} // namespace

void client_roots::look() {
  if (!has_roots(agreement_))
    return;
  if (asking_) {
    changed_ = true;
    return;
  }
  asking_ = true;
  asks_.ask_unasked("roots/list", [this, life = life_](const json& reply) {
    if (life != life_)
      return;
    asking_ = false;
    take(reply);
    if (std::exchange(changed_, false))
      look();
  });
}

/// An answer that is none leaves what is known.
void client_roots::take(const json& reply) {
  const auto roots = reply.is_object() ? reply.find("roots") : reply.end();
  if (reply.is_object() && roots != reply.end() && roots->is_array())
    know(directories_in(*roots));
}

void client_roots::know(std::vector<std::string> directories) {
  if (directories == known_)
    return;
  known_ = std::move(directories);
  told_(known_);
}

void client_roots::begin_anew() {
  ++life_;
  asking_ = changed_ = false;
  know({});
}

} // namespace gasoline
