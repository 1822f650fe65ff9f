#include "actors/ingest/sender_log.hpp"

#include "actors/ingest/formats/format_table.hpp"

namespace gasoline {
namespace {

constexpr std::size_t reason_bytes = 256;

nlohmann::json time_or_null(const std::optional<wall_time>& at) {
  return at ? nlohmann::json(to_iso8601(*at)) : nlohmann::json();
}

} // namespace

void sender_log::note_body(std::string_view format, const decoded_body& body, wall_time now) {
  auto& who = senders_[format];
  ++who.bodies;
  if (body.received > body.rejected + body.set_apart)
    who.last = now;
  if (body.rejected > 0)
    note_reason(who, body.errors.empty() ? std::string_view{} : body.errors.front().message,
                body.rejected, now);
  const raw_event* noted = nullptr; // most of a body come from one
  for (const auto& e : body.events) {
    if (e.service.empty() || (noted && e.service == noted->service && e.origin == noted->origin))
      continue;
    note_service(e, now);
    noted = &e;
  }
}

void sender_log::note_refusal(std::string_view format, std::string_view why, wall_time now) {
  auto& who = senders_[format];
  ++who.bodies;
  note_reason(who, why, 1, now);
}

void sender_log::note_reason(sender& who, std::string_view why, std::uint64_t count,
                             wall_time now) {
  who.refused += count;
  who.refused_last = now;
  who.why = engine_->text(why.substr(0, 4 * reason_bytes)).shortened(reason_bytes);
}

void sender_log::note_service(const raw_event& e, wall_time now) {
  auto key = std::string{name_of(e.origin)} + ' ' + e.service;
  auto found = services_.find(key);
  if (found == services_.end()) {
    if (services_.size() >= most_services) {
      ++unnamed_;
      return;
    }
    found =
        services_.emplace(std::move(key), service{engine_->text(e.service), e.origin, now}).first;
  }
  found->second.last = now;
}

nlohmann::json sender_log::sources() const {
  auto out = nlohmann::json::object();
  for (const auto* format : ingest_formats()) {
    const auto who = senders_.find(format->route.format);
    out[std::string{format->route.format}] =
        who == senders_.end() ? nlohmann::json() : time_or_null(who->second.last);
  }
  return out;
}

nlohmann::json sender_log::senders() const {
  auto out = nlohmann::json::object();
  for (const auto& [format, who] : senders_) {
    nlohmann::json row{{"last", time_or_null(who.last)}, {"bodies", who.bodies}};
    if (who.refused > 0) {
      row["refused"] = who.refused;
      row["refused_last"] = time_or_null(who.refused_last);
      row["why"] = who.why.str();
    }
    out[std::string{format}] = std::move(row);
  }
  return out;
}

nlohmann::json sender_log::services() const {
  auto out = nlohmann::json::object();
  for (const auto& [key, one] : services_)
    out[one.name.str()] = {{"origin", name_of(one.origin)}, {"last", to_iso8601(one.last)}};
  if (unnamed_ > 0)
    out["unnamed"] = unnamed_;
  return out;
}

} // namespace gasoline
