#include "actors/resolution/fault_names.hpp"

#include "actors/base/text_hash.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/rare_fields.hpp"

#include <cstdint>
#include <utility>

namespace gasoline {
namespace {

/// Whether the fault cannot be told from the other texts alone: a GraphQL answer has its errors in
/// the fields, and a console entry the file that it names where that is no part of `fault`.
bool fields_decide(const event& e) {
  if (e.kind != telemetry_kind::log || e.type != entry_type::console)
    return may_hold_graphql(e);
  return e.fault.empty() || e.build != build_state::none || e.origin == event_origin::otlp;
}

/// Who told of it in place of the page; most were told by none.
std::string_view reporter_json(const event& e) {
  const auto fields = e.fields.view();
  return may_have_field(fields, R"(by":)") ? field_json(fields, "reported_by") : std::string_view{};
}

likeness likeness_of(const event& e) {
  likeness out;
  out.fault = e.fault.view();
  out.service = e.service.view();
  out.status = e.status;
  out.kinds = static_cast<std::uint32_t>(e.kind) | static_cast<std::uint32_t>(e.type) << 8U |
              static_cast<std::uint32_t>(e.level) << 16U |
              static_cast<std::uint32_t>(e.build) << 24U |
              static_cast<std::uint32_t>(e.origin) << 28U;
  if (e.noise == noise_mark::hint) { // one for each page
    out.url = page_address(e).view();
    return out;
  }
  out.name = e.name.view();
  if (e.kind == telemetry_kind::log && e.type == entry_type::exception && !e.fault.empty()) {
    out.text = reporter_json(e);
    return out;
  }
  const bool has_address = e.kind != telemetry_kind::log || e.type == entry_type::network;
  out.url = has_address ? e.url.view() : std::string_view{};
  out.text = e.message.view();
  if (e.kind == telemetry_kind::request) {
    out.text = field_json(e.fields.view(), "initiator_type");
    out.fault = field_json(e.fields.view(), "error");
    return out;
  }
  if (e.kind == telemetry_kind::log && e.type == entry_type::console)
    out.stack = e.stack.view();
  if (fields_decide(e))
    out.name = e.fields.view();
  return out;
}

bool is_of_page(const event& e) {
  return e.kind == telemetry_kind::log && e.origin == event_origin::page &&
         (e.type == entry_type::exception || e.type == entry_type::console) &&
         e.build == build_state::none;
}

/// Whether both surely have the same title, cheap to tell; false says nothing. The title of what a
/// page throws or prints is made of nothing else.
bool titled_alike(const event& a, const event& b) {
  return &a == &b || (is_of_page(a) && is_of_page(b) && a.type == b.type && a.level == b.level &&
                      a.noise == b.noise && a.message.view() == b.message.view() &&
                      a.stack.view() == b.stack.view() && reporter_json(a) == reporter_json(b));
}

} // namespace

std::optional<named_fault> name_fault(const event& e, const limits_of<alert_room>& limit) {
  if (auto heading = direct_heading(e, limit))
    return named_fault{heading->dedup_key.str(), std::move(heading->title), true};
  if (!is_error_entry(e))
    return std::nullopt;
  const auto line = normalised_line(e.message, limit.alert.key_bytes);
  return named_fault{"line:" + line.str(), e.message.shortened(limit.alert.key_bytes), false};
}

std::size_t likeness_hash::operator()(const likeness& l) const {
  auto out = hash_with(l.kinds, static_cast<std::uint64_t>(l.status));
  for (const auto text : {l.fault, l.service, l.name, l.url, l.text, l.stack})
    if (!text.empty()) // as most are
      out = hash_with(out, text);
  return out;
}

const named_fault* fault_names::found(const event& e) {
  const auto [known, added] = known_.try_emplace(likeness_of(e));
  if (added) {
    known->second = name_fault(e, limit_);
    if (known->second) {
      known->second->number = faults_++;
      known->second->first = &e;
    }
  }
  return known->second ? &*known->second : nullptr;
}

redacted_text fault_names::title(const named_fault& named, const event& e) const {
  if (titled_alike(e, *named.first))
    return named.title;
  auto own = name_fault(e, limit_);
  return own ? std::move(own->title) : named.title;
}

} // namespace gasoline
