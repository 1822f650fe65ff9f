#include "actors/ingest/formats/sentry/sentry_sender.hpp"

#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t longest_service = 128;

bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::string sentry_service(const sentry_sender& sender, std::string_view release,
                           const decode_context& context) {
  if (const auto program = program_of_release(release); !program.empty())
    return context.cutter.cut(program, longest_service);
  return is_number(sender.project) ? std::string{}
                                   : context.cutter.cut(sender.project, longest_service);
}

} // namespace gasoline
