#include "actors/detection/cause_window.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/fault_numbers.hpp"
#include "actors/detection/fault/logged_fault.hpp"
#include "actors/detection/fault/stack_frames.hpp"
#include "actors/frames/stack/stack_frame.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t shortest_path = 5;
constexpr std::size_t shortest_text = 8;
constexpr std::size_t text_bytes = 200;

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <std::size_t N>
bool holds_one_of(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return holds(text, part); });
}

// What `fetch`, XMLHttpRequest and libraries on top say when there was no answer.
bool says_no_answer(std::string_view text) {
  constexpr std::array<std::string_view, 9> words{"Failed to fetch",
                                                  "NetworkError when attempting",
                                                  "Load failed",
                                                  "Network Error",
                                                  "Network request failed",
                                                  "ERR_NETWORK",
                                                  "fetch failed",
                                                  "net::ERR_",
                                                  "The network connection was lost"};
  return holds_one_of(text, words);
}

bool says_module_missing(std::string_view text) {
  constexpr std::array<std::string_view, 8> words{"ChunkLoadError",
                                                  "Loading chunk",
                                                  "Loading CSS chunk",
                                                  "dynamically imported module",
                                                  "Importing a module script failed",
                                                  "Unable to preload CSS",
                                                  "Failed to load module script",
                                                  "error loading dynamically"};
  return holds_one_of(text, words);
}

// A path in a text ends where a URL's path can end.
bool mentions_path(std::string_view text, std::string_view path) {
  if (path.size() < shortest_path)
    return false;
  for (auto at = text.find(path); at != std::string_view::npos; at = text.find(path, at + 1)) {
    const auto end = at + path.size();
    const char next = end < text.size() ? text[end] : ' ';
    if (!ascii::is_letter(next) && !ascii::is_digit(next) && next != '-' && next != '_')
      return true;
  }
  return false;
}

std::string_view path_of(std::string_view address) {
  const auto slash = address.find('/');
  return slash == std::string_view::npos ? address : address.substr(slash);
}

bool mentions(std::string_view text, std::string_view address) {
  return !address.empty() &&
         (mentions_path(text, address) || mentions_path(text, path_of(address)));
}

bool names_address(std::string_view text) {
  return holds(text, "://") || holds(text, " /");
}

bool same_document(const fault_trace& a, const fault_trace& b) {
  if (!a.page_id.empty() && !b.page_id.empty())
    return a.page_id == b.page_id;
  return a.page_origin.empty() || b.page_origin.empty() || a.page_origin == b.page_origin;
}

bool same_id(const redacted_text& a, const redacted_text& b) {
  return !a.empty() && a == b;
}

std::string_view base_name(std::string_view file) {
  file = without_position(file);
  const auto slash = file.rfind('/');
  return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

bool is_module(std::string_view address) {
  constexpr std::array<std::string_view, 12> ends{".js",     ".jsx",   ".ts",   ".tsx",
                                                  ".mjs",    ".vue",   ".css",  ".scss",
                                                  ".svelte", ".astro", ".less", ".mts"};
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return address.ends_with(end); });
}

bool is_effect_of_build(const fault_trace& build, const fault_trace& effect) {
  const auto file = base_name(build.address.view());
  const bool same_file =
      !file.empty() && (holds(effect.text.view(), file) || holds(effect.address.view(), file));
  switch (effect.rank) {
  case causal_rank::build:
    return same_file || effect.address.empty(); // a tool's remark about the failure
  case causal_rank::request:
    return effect.status <= 0 || effect.status == 500
               ? same_file || is_module(effect.address.view())
               : same_file;
  default:
    return same_file || says_module_missing(effect.text.view());
  }
}

bool is_effect_of_policy(const fault_trace& policy, const fault_trace& effect) {
  if (effect.rank != causal_rank::request || effect.status > 0)
    return false;
  return mentions(policy.text.view(), effect.address.view()) ||
         (!policy.address.empty() && effect.address.view().starts_with(policy.address.view()));
}

// What a GraphQL server said in an answer of 200; empty: it said nothing.
std::string_view graphql_message(const fault_trace& request) {
  constexpr std::string_view before = "GraphQL: ";
  const auto text = request.text.view();
  return text.starts_with(before) ? text.substr(before.size()) : std::string_view{};
}

bool is_effect_of_request(const fault_trace& request, const fault_trace& effect, bool close) {
  if (effect.rank <= causal_rank::request)
    return false;
  const auto text = effect.text.view();
  if (mentions(text, request.address.view()))
    return true;
  if (!close)
    return false;
  const auto said = graphql_message(request);
  if (said.size() >= shortest_text && holds(text, said))
    return true;
  if (names_address(text))
    return false;
  if (request.status <= 0)
    return says_no_answer(text) || (says_module_missing(text) && is_module(request.address.view()));
  if (says_module_missing(text) && is_module(request.address.view()))
    return true;
  return named_status(text) == request.status;
}

// One error that was told twice: caught, logged, thrown on.
bool is_same_error(const fault_trace& a, const fault_trace& b) {
  const bool a_in_b = a.text.size() <= b.text.size();
  const auto part = a_in_b ? a.text.view() : b.text.view();
  const auto whole = a_in_b ? b.text.view() : a.text.view();
  if (part.size() < shortest_text || !holds(whole, part))
    return false;
  return a.place.empty() || b.place.empty() || a.place == b.place;
}

bool is_effect(const fault_trace& cause, const fault_trace& effect, bool close) {
  if (cause.rank > effect.rank)
    return false;
  // Some SDKs have one trace for all that a process does: two errors in it are two faults.
  if (cause.rank <= causal_rank::request && same_id(cause.trace_id, effect.trace_id))
    return true;
  if (!same_document(cause, effect))
    return false;
  if (same_id(cause.error_id, effect.error_id) || same_id(cause.request_id, effect.request_id))
    return true;
  switch (cause.rank) {
  case causal_rank::build:
    return is_effect_of_build(cause, effect);
  case causal_rank::policy:
    return is_effect_of_policy(cause, effect);
  case causal_rank::request:
    return is_effect_of_request(cause, effect, close);
  case causal_rank::hydration:
    return close && (effect.rank == causal_rank::hydration || is_same_error(cause, effect));
  case causal_rank::error:
    if (effect.rank == causal_rank::report)
      return close;
    return close && is_same_error(cause, effect);
  case causal_rank::report:
    return close && effect.rank == causal_rank::report;
  case causal_rank::line:
    return false;
  }
  return false;
}

// Whether the later of two related faults leads: the more causal one does, and the build failure
// that names its file before the remark that one has failed.
bool leads(const fault_trace& later, const fault_trace& earlier) {
  if (later.rank == earlier.rank)
    return later.rank == causal_rank::build && earlier.address.empty() && !later.address.empty();
  return later.rank < earlier.rank;
}

redacted_text host_and_path(const redacted_text& url) {
  const auto pieces = take_apart(url.view());
  return redacted(part_of(url, pieces.host), part_of(url, pieces.path));
}

redacted_text blocked_address(const event& e) {
  for (const auto* name : {"blocked_url", "blocked_uri", "blockedURI"})
    if (const auto uri = field_text(e.fields, name); uri.view().find("://") != uri.view().npos)
      return host_and_path(uri);
  return {};
}

redacted_text place_of(const event& e) {
  const auto stack = e.stack.view();
  return redacted(part_of(e.stack, first_function(stack)), literal{"@"},
                  part_of(e.stack, without_position(first_location(stack))));
}

} // namespace

fault_trace trace_of(const event& e, const event_marks& marks, causal_rank rank, const alert& a) {
  fault_trace out;
  out.rank = rank;
  out.kind = e.kind;
  out.status = e.status;
  out.page_id = part_of(e.fields, marks.page_id);
  out.request_id = part_of(e.fields, marks.request_id);
  out.error_id = part_of(e.fields, marks.error_id);
  out.trace_id = part_of(e.fields, marks.trace_id);
  const auto& page = e.page.empty() && e.kind == telemetry_kind::log ? e.url : e.page;
  out.page_origin = part_of(page, take_apart(page.view()).origin);
  if (rank == causal_rank::request) {
    out.address = host_and_path(request_url(e));
  } else if (rank == causal_rank::build) {
    out.address = build_file(e);
  } else if (rank == causal_rank::policy) {
    out.address = blocked_address(e);
  }
  const auto plain = without_uncaught(e.message.view());
  out.text = part_of(e.message, plain.substr(0, std::min(plain.find("\n    at "), text_bytes)));
  if (!e.stack.empty())
    out.place = place_of(e);
  out.key = a.dedup_key;
  out.title = a.title;
  return out;
}

std::optional<cause_window::verdict> cause_window::repeat(const redacted_text& key,
                                                          telemetry_kind kind, mono_time now) {
  forget_old(now);
  const auto hash = std::hash<std::string_view>{}(key.view());
  const auto found = std::find_if(faults_.begin(), faults_.end(), [&](const remembered& r) {
    return r.key_hash == hash && r.fault.key == key;
  });
  if (found == faults_.end())
    return std::nullopt;
  if (now - found->at > window_) {
    faults_.erase(found);
    return std::nullopt;
  }
  // The waterfall tells of a request once more.
  const bool twin = found->fault.kind != kind && now - found->at <= near_;
  verdict out;
  out.leads = found->lead == key && !twin;
  out.is_noise = found->fault.noise;
  out.is_new = false;
  out.lead = found->lead;
  if (out.leads)
    found->at = now;
  return out;
}

cause_window::verdict cause_window::judge(fault_trace fault, mono_time now) {
  forget_old(now);
  verdict out;
  if (const auto* cause = cause_of(fault, now)) {
    out.leads = false;
    out.is_noise = cause->fault.noise;
    out.lead = cause->lead;
  } else {
    out.lead = fault.key;
    if (!fault.noise)
      take_effects(fault, now, out);
  }
  if (faults_.size() >= most_)
    faults_.pop_front();
  const auto hash = std::hash<std::string_view>{}(fault.key.view());
  faults_.push_back({std::move(fault), out.lead, hash, now});
  return out;
}

redacted_text cause_window::lead_of(const fault_trace& line, mono_time now) const {
  const auto* cause = cause_of(line, now);
  return cause && !cause->fault.noise ? cause->lead : redacted_text{};
}

void cause_window::forget_old(mono_time now) {
  const auto longest = std::max(window_, trace_);
  while (!faults_.empty() && now - faults_.front().at > longest)
    faults_.pop_front();
}

bool cause_window::is_recent(const remembered& r, const redacted_text& trace_id,
                             mono_time now) const {
  return now - r.at <= (same_id(r.fault.trace_id, trace_id) ? trace_ : window_);
}

// The newest one that is a fault itself, else the newest that is none.
const cause_window::remembered* cause_window::cause_of(const fault_trace& fault,
                                                       mono_time now) const {
  const remembered* noise = nullptr;
  for (auto r = faults_.rbegin(); r != faults_.rend(); ++r) {
    if (!is_recent(*r, fault.trace_id, now) || (r->fault.noise && noise) ||
        !is_effect(r->fault, fault, now - r->at <= near_))
      continue;
    if (!r->fault.noise)
      return &*r;
    noise = &*r;
  }
  return noise;
}

// A cause may come to light after its effects: batches of different kinds travel apart.
void cause_window::take_effects(const fault_trace& cause, mono_time now, verdict& out) {
  for (auto& r : faults_) {
    if (r.lead != r.fault.key || r.fault.noise || !leads(cause, r.fault) ||
        !is_recent(r, cause.trace_id, now) || !is_effect(cause, r.fault, now - r.at <= near_))
      continue;
    out.effects.push_back(r.fault.key);
    out.also.push_back(r.fault.title);
    for (auto& other : faults_)
      if (&other != &r && other.lead == r.fault.key)
        other.lead = cause.key;
    r.lead = cause.key;
  }
}

} // namespace gasoline
