#include "messages/alerts/alert_json.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::string_view tail = "}}}";
constexpr std::size_t title_bytes_in_summary = 60;

/// Caps of one notification's texts before escaping. With the default limits they are those of the
/// limits table; a small notification cap lowers them, since escaping may double each text.
struct text_caps {
  std::size_t title;
  std::size_t detail;
  std::size_t url;
  std::size_t key;
};

text_caps caps_of(const limits_of<alert_room, push_room>& limit) {
  const auto small = limit.push.notification_bytes / 32;
  const auto large = limit.push.notification_bytes / 8;
  return {std::min(limit.alert.title_bytes, small), std::min(limit.alert.detail_bytes, large),
          std::min(limit.alert.url_bytes, small), std::min(limit.alert.key_bytes, small)};
}

void add_text(json_object_writer& w, std::string_view key, const redacted_text& value,
              std::size_t bytes) {
  if (value.empty())
    return;
  if (value.size() <= bytes)
    w.text(key, value.view());
  else
    w.text(key, value.shortened(bytes).view());
}

void add_always(json_object_writer& w, std::string_view key, const redacted_text& value,
                std::size_t bytes) {
  if (value.empty())
    w.text(key, "");
  else
    add_text(w, key, value, bytes);
}

void add_dedup_key(json_object_writer& w, const alert& a, std::size_t bytes) {
  if (!a.dedup_key.empty()) {
    add_text(w, "dedup_key", a.dedup_key, bytes);
    return;
  }
  // The category's name is far shorter than any cap, so only the title needs cutting.
  const auto category = name_of(a.category);
  std::string key{category};
  key += ':';
  key += a.title.shortened(bytes > key.size() ? bytes - key.size() : 0).view();
  w.text("dedup_key", key);
}

/// The evidence as a JSON array of texts; each line is cut to `bytes`.
std::string evidence_json(const merged_alert& m, std::size_t bytes) {
  std::string out{"["};
  for (const auto& line : m.also) {
    if (out.size() > 1)
      out += ',';
    append_json_string(out, line.shortened(bytes).view());
  }
  return out + ']';
}

void append_context(std::string& out, const alert_context& c, const text_caps& caps,
                    std::size_t room) {
  json_object_writer w{out};
  add_text(w, "method", c.method, caps.key);
  add_text(w, "url", c.url, caps.url);
  if (c.status >= 0)
    w.number("status", c.status);
  if (c.duration_ms >= 0)
    w.decimal("duration_ms", c.duration_ms);
  constexpr std::size_t braces_and_name = 16;
  if (!c.headers.empty() && out.size() + c.headers.size() + braces_and_name <= room) {
    std::string headers = "{";
    headers += c.headers.view();
    headers += '}';
    w.raw("headers", headers);
  }
  w.close();
}

/// What became of the fault before, or now.
void add_resolution(json_object_writer& w, const merged_alert& m) {
  if (m.shown->resolved)
    w.boolean("resolved", true);
  if (m.regressed > 0)
    w.number("regressed", std::uint64_t{m.regressed});
}

void add_head_fields(json_object_writer& w, const merged_alert& m, const redacted_text& title,
                     const text_caps& caps) {
  const alert& a = *m.shown;
  w.text("category", name_of(a.kind))
      .text("alert_category", name_of(a.category))
      .text("severity", name_of(a.level));
  add_always(w, "title", title, caps.title);
  add_always(w, "detail", a.detail, caps.detail);
  w.text("timestamp", to_iso8601(m.at));
  add_always(w, "source", a.source, caps.key);
  w.text("id", "alert_" + std::to_string(m.id));
  add_dedup_key(w, a, caps.key);
  w.text("correlation_id", correlation_text(m));
  add_text(w, "url", a.url, caps.url);
  if (m.count > 1)
    w.number("count", m.count);
  if (m.recurrence > 0)
    w.number("recurrence", std::uint64_t{m.recurrence});
  add_resolution(w, m);
  add_text(w, "next", a.next, caps.url);
  if (!m.also.empty())
    w.raw("also", evidence_json(m, caps.title));
  if (a.page_data)
    w.boolean("page_data", true);
}

void append_short_member(std::string& out, const merged_alert& m, std::size_t title_bytes) {
  const alert& a = *m.shown;
  json_object_writer w{out};
  w.text("id", "alert_" + std::to_string(m.id))
      .text("category", name_of(a.kind))
      .text("severity", name_of(a.level));
  add_always(w, "title", a.title, title_bytes);
  if (m.count > 1)
    w.number("count", m.count);
  w.close();
}

/// Writes `"alerts":[…]` so that `out` stays within `room`. Every member gets an equal share of
/// what is left, so that one long title does not push others out.
void append_members(std::string& out, const std::vector<merged_alert>& members, std::size_t room,
                    const text_caps& caps) {
  constexpr std::string_view omitted_name = ",\"alerts_omitted\":";
  constexpr std::size_t digits = 20;
  constexpr std::size_t smallest_title = 24;
  constexpr std::size_t fixed_bytes = 104; // names, quotes and numbers of one short form
  const auto reserve = omitted_name.size() + digits + 1;
  const auto end = room > reserve ? room - reserve : 0;
  out += ",\"alerts\":[";
  std::size_t written = 0;
  for (; written < members.size(); ++written) {
    const auto before = out.size();
    const auto left = end > before ? end - before : 0;
    const auto share = left / (members.size() - written);
    const auto title = share > fixed_bytes + smallest_title ? share - fixed_bytes : smallest_title;
    if (written > 0)
      out += ',';
    append_short_member(out, members[written], std::min(title, caps.title));
    if (out.size() <= end)
      continue;
    out.resize(before);
    break;
  }
  out += ']';
  if (written < members.size()) {
    out += omitted_name;
    out += std::to_string(members.size() - written);
  }
}

void add_block_fields(json_object_writer& w, const merged_alert& m,
                      const limits_of<alert_room, push_room>& limit) {
  const alert& a = *m.shown;
  w.text("severity", name_of(a.level)).text("category", name_of(a.category));
  add_always(w, "title", a.title, limit.alert.title_bytes);
  w.text("timestamp", to_iso8601(m.at));
  add_always(w, "source", a.source, limit.alert.key_bytes);
  w.text("id", "alert_" + std::to_string(m.id)).number("count", m.count);
  if (a.page_data)
    w.boolean("page_data", true);
  add_resolution(w, m);
}

/// Moves the members of `more`, which has some, to the end of `object`, which has some too.
void join_objects(std::string& object, std::string_view more) {
  object.back() = ',';
  object += more.substr(1);
}

void add_detail_within(std::string& object, const redacted_text& detail, std::size_t room,
                       std::size_t most) {
  constexpr std::size_t smallest = 24;
  constexpr std::size_t around = std::string_view{R"(,"detail":"")"}.size();
  const auto left = room > object.size() + around ? room - object.size() - around : 0;
  auto bytes = std::min({detail.size(), most, left});
  std::string member;
  while (bytes == detail.size() ? bytes > 0 : bytes >= smallest) {
    member.clear();
    json_object_writer w{member};
    add_text(w, "detail", detail, bytes);
    w.close();
    if (member.size() - around <= left) {
      join_objects(object, member);
      return;
    }
    // Leaving out a byte saves at least one byte of JSON.
    bytes -= std::min(bytes, member.size() - around - left);
  }
}

} // namespace

std::string correlation_text(const merged_alert& m) {
  if (!m.shown->correlation_id.empty())
    return m.shown->correlation_id.str();
  return "evt_" + std::to_string(m.id);
}

redacted_text notification_title(const std::vector<merged_alert>& members,
                                 const limits_of<alert_room, push_room>& limit) {
  const auto bytes = caps_of(limit).title;
  if (members.size() == 1)
    return members.front().shown->title.shortened(bytes);
  redacted_text title;
  title += members.size();
  title += " alerts: ";
  for (std::size_t i = 0; i < members.size() && title.size() <= bytes; ++i) {
    if (i > 0)
      title += "; ";
    title += members[i].shown->title.shortened(title_bytes_in_summary);
  }
  return title.shortened(bytes);
}

std::string notification_text(const std::vector<merged_alert>& members,
                              const limits_of<alert_room, push_room>& limit) {
  const auto caps = caps_of(limit);
  const bool batch = members.size() > 1;
  const merged_alert& head = members.front();
  const auto room = limit.push.notification_bytes -
                    std::min(limit.push.notification_bytes, std::uint64_t{tail.size()});
  std::string out;
  out.reserve(batch ? room : 2048);
  out += R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":")";
  out += name_of(head.shown->level);
  out += R"(","logger":"gasoline","data":)";
  json_object_writer w{out};
  add_head_fields(w, head, notification_title(members, limit), caps);
  constexpr std::size_t around = std::string_view{R"(,"note":"")"}.size();
  if (out.size() + outside_text_label.size() + around <= room)
    w.text("note", outside_text_label);
  if (head.shown->context) {
    out += ",\"context\":";
    // A batch keeps half of its room for its members.
    append_context(out, *head.shown->context, caps, batch ? room / 2 : room);
  }
  if (batch)
    append_members(out, members, room, caps);
  out += tail;
  return out;
}

void append_brief_alert(std::string& out, const merged_alert& m,
                        const limits_of<alert_room, push_room>& limit) {
  json_object_writer w{out};
  add_block_fields(w, m, limit);
  w.close();
}

void add_alert_details(std::string& object, const merged_alert& m, std::size_t room,
                       const limits_of<alert_room, push_room>& limit) {
  const alert& a = *m.shown;
  std::string more;
  json_object_writer w{more};
  w.text("kind", name_of(a.kind)).text("correlation_id", correlation_text(m));
  add_text(w, "url", a.url, limit.alert.url_bytes);
  if (m.recurrence > 0)
    w.number("recurrence", std::uint64_t{m.recurrence});
  add_text(w, "next", a.next, limit.alert.url_bytes);
  if (!m.also.empty())
    w.raw("also", evidence_json(m, limit.alert.title_bytes));
  w.close();
  if (object.size() + more.size() > room)
    return;
  join_objects(object, more);
  add_detail_within(object, a.detail, room, limit.alert.detail_bytes);
}

std::string full_alert_text(const merged_alert& m, const limits_of<alert_room, push_room>& limit) {
  std::string out;
  append_brief_alert(out, m, limit);
  add_alert_details(out, m, std::numeric_limits<std::size_t>::max(), limit);
  return out;
}

redacted_text alert_document::of(const merged_alert& m,
                                 const limits_of<alert_room, push_room>& limit) {
  return redacted_text{full_alert_text(m, limit)};
}

} // namespace gasoline
