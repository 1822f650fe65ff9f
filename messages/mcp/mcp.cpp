#include "messages/mcp/mcp.hpp"

namespace gasoline {

std::string legacy_revision_names() {
  std::string out;
  for (const auto& [revision, name] : enum_table<mcp_revision>::rows)
    if (era_of(revision) == mcp_era::legacy)
      out += (out.empty() ? "" : ", ") + std::string{name};
  return out;
}

} // namespace gasoline
