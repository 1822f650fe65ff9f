#include "actors/agents/providers/provider_table.hpp"

#include "actors/agents/providers/anthropic_answer.hpp"
#include "actors/agents/providers/model_requests.hpp"
#include "actors/agents/providers/openai_answer.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace gasoline {
namespace {

using stream_limits = limits_of<ingest_room, session_room>;

std::unique_ptr<streamed_answer> anthropic_stream(const model_call&, const stream_limits& limit) {
  return std::make_unique<anthropic_answer>(limit);
}

std::unique_ptr<streamed_answer> openai_stream(const model_call& call, const stream_limits& limit) {
  std::set<std::string> offered;
  for (const auto& tool : call.tools)
    offered.insert(tool.name);
  return std::make_unique<openai_answer>(limit, std::move(offered));
}

constexpr provider_row providers[] = {
    {"anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com", &session_settings::anthropic,
     anthropic_request, anthropic_stream},
    {"openai", "OPENAI_API_KEY", "https://api.openai.com/v1", &session_settings::openai,
     openai_request, openai_stream},
};

} // namespace

std::span<const provider_row> provider_table() {
  return providers;
}

const provider_row* find_provider(std::string_view name) {
  const auto* row = std::find_if(std::begin(providers), std::end(providers),
                                 [&](const provider_row& r) { return r.name == name; });
  return row == std::end(providers) ? nullptr : row;
}

std::string provider_names() {
  std::string out;
  for (const auto& row : providers)
    out += (out.empty() ? "" : ", ") + std::string{row.name};
  return out;
}

} // namespace gasoline
