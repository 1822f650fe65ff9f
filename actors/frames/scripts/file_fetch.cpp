#include "actors/frames/scripts/file_fetch.hpp"

#include "actors/base/exception_guard.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using fetch_pointer = fetch_reader::stateful_pointer<file_fetch_state>;

constexpr int not_modified = 304;

void end_with(fetch_pointer self, const frame_resolver_actor& target, std::string problem) {
  auto& state = self->state;
  if (!state.file)
    return;
  state.file->problem = std::move(problem);
  if (state.fetch)
    state.fetch->cancel();
  caf::anon_send(target, receive_atom_v, fetched_file_ptr{std::move(state.file)});
  state.file = nullptr;
  self->quit();
}

/// Whether a file of that address is meant to be code: a server may answer with a page all the
/// same.
bool is_named_as_code(std::string_view address) {
  auto name = address.substr(0, address.find_first_of("?#"));
  name.remove_prefix(name.rfind('/') + 1);
  for (const std::string_view end :
       {".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".vue", ".svelte", ".astro", ".map"})
    if (name.ends_with(end))
      return true;
  return false;
}

bool is_page(const fetch_head& head) {
  return std::any_of(head.headers.begin(), head.headers.end(), [](const auto& header) {
    return header.first == "content-type" && header.second.starts_with("text/html");
  });
}

/// What stands against the answer; empty: nothing.
std::string problem_of_head(const fetch_head& head) {
  if (head.status != 200 && head.status != not_modified)
    return "answered " + std::to_string(head.status);
  for (const auto& [name, value] : head.headers)
    if (name == "content-encoding" && value != "identity")
      return "came compressed";
  return is_page(head) ? "is answered with a page" : "";
}

/// Whether the answer is the document whose inline script was meant.
bool is_own_page(const fetch_head& head, const file_fetch_wish& wish, std::string_view address) {
  return head.status == 200 && !wish.is_map && is_page(head) && !is_named_as_code(address);
}

void keep_head(fetched_file& file, const fetch_head& head) {
  file.unchanged = head.status == not_modified;
  for (const auto& [name, value] : head.headers) {
    if (name == "etag")
      file.etag = value;
    if (name == "sourcemap" || (name == "x-sourcemap" && file.map_address.empty()))
      file.map_address = value;
  }
}

/// Some words in place of the fetcher's sentence.
std::string problem_of_failure(const fetch_failure& failure) {
  switch (failure.problem) {
  case fetch_problem::unreachable:
    return "cannot be reached";
  case fetch_problem::timeout:
    return "was not answered in time";
  case fetch_problem::cut_off:
    return "broke off";
  case fetch_problem::malformed:
    return "is no HTTP";
  case fetch_problem::too_large:
    return "is too large";
  case fetch_problem::refused:
    return "is a redirect";
  }
  return "failed";
}

} // namespace

fetch_reader::behavior_type file_fetch(fetch_pointer self, const frame_resolver_actor& target,
                                       const std::shared_ptr<http_fetcher>& fetcher,
                                       fetch_request request, file_fetch_wish wish) {
  guard_exceptions(self);
  self->state.file = std::make_shared<fetched_file>();
  self->state.file->address = request.url;
  self->state.file->is_map = wish.is_map;
  self->state.timers.start(self, wish.time,
                           [self, target] { end_with(self, target, "was not answered in time"); });
  self->state.fetch = fetcher->start(std::move(request), fetch_reader{self});
  return {
      [self, target, wish](open_atom, const fetch_head& head) {
        const auto& file = self->state.file;
        if (file && is_own_page(head, wish, file->address))
          return end_with(self, target, {}); // without a body it names no map: its lines count
        if (auto problem = problem_of_head(head); !problem.empty())
          return end_with(self, target, std::move(problem));
        if (self->state.file)
          keep_head(*self->state.file, head);
      },
      [self, target, wish](receive_atom, const std::string& piece) {
        if (!self->state.file)
          return;
        if (self->state.file->body.size() + piece.size() > wish.bytes)
          return end_with(self, target, "is larger than " + std::to_string(wish.bytes) + " bytes");
        self->state.file->body += piece;
      },
      [self, target](finished_atom) { end_with(self, target, {}); },
      [self, target](closed_atom, const fetch_failure& failure) {
        end_with(self, target, problem_of_failure(failure));
      },
  };
}

} // namespace gasoline
