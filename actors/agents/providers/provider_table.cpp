#include "actors/agents/providers/provider_table.hpp"

#include "actors/agents/providers/anthropic_answer.hpp"
#include "actors/agents/providers/model_requests.hpp"
#include "actors/agents/providers/openai_answer.hpp"

#include <algorithm>
#include <iterator>

namespace gasoline {
namespace {

template <class Stream>
std::unique_ptr<streamed_answer> make_stream(const limits_of<ingest_room, session_room>& limit) {
  return std::make_unique<Stream>(limit);
}

constexpr provider_row providers[] = {
    {"anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com", &session_settings::anthropic,
     anthropic_request, make_stream<anthropic_answer>},
    {"openai", "OPENAI_API_KEY", "https://api.openai.com/v1", &session_settings::openai,
     openai_request, make_stream<openai_answer>},
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
