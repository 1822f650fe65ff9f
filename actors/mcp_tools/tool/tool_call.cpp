#include "actors/mcp_tools/tool/tool_call.hpp"

#include "actors/mcp/client/client_parts.hpp"
#include "actors/mcp/client/client_reads.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"
#include "actors/mcp_tools/tool/block_trimming.hpp"

#include <string_view>
#include <utility>
#include <variant>

namespace gasoline {
namespace {

/// The first text of a result; empty: it has none.
std::string_view text_of(const tool_result& result) {
  const auto* text =
      result.content.empty() ? nullptr : std::get_if<text_block>(&result.content.front());
  return text != nullptr ? std::string_view{text->text} : std::string_view{};
}

} // namespace

wall_time tool_call::wall_now() const {
  return parts().env.clock(now());
}

void tool_call::answer(tool_result result, std::function<void()> lost) const {
  if (!is_open()) {
    if (lost)
      lost();
    return;
  }
  if (!manner_.carries_alerts) {
    request_context::answer(tool_result_json(revision(), std::move(result)));
    return;
  }
  const auto answer_with = [call = *this, result, lost](const alert_block& block) {
    if (!call.is_open()) { // it was cancelled while the block was on its way
      caf::anon_send(call.engine().alerts, forget_atom_v, call.client(), block.ids);
      if (lost)
        lost();
      return;
    }
    auto whole = result;
    if (!block.text.empty())
      whole.content.emplace_back(text_block{without_repeats(block.text, text_of(result))});
    call.request_context::answer(tool_result_json(call.revision(), std::move(whole)));
  };
  const auto bytes =
      result.alert_bytes.value_or(static_cast<std::uint64_t>(limit().alert.block_bytes));
  parts()
      .self->request(engine().alerts, caf::infinite, drain_atom_v, client(), bytes)
      .then(answer_with, [answer_with](const caf::error&) { answer_with({}); });
}

void tool_call::refuse(std::string sentence) const {
  request_context::answer(tool_result_json(revision(), manner_.refusal(std::move(sentence))));
}

void tool_call::events(store_query query, std::function<void(const store_page&)> then) const {
  read_events(*this, std::move(query), std::move(then));
}

void tool_call::snapshot(
    std::function<void(const event_snapshot_ptr&, std::uint64_t behind)> then) const {
  read_snapshot(*this, std::move(then));
}

void tool_call::alerts(std::function<void(const alert_listing&)> then) const {
  read_alerts(*this, std::move(then));
}

void tool_call::ci(std::function<void(const nlohmann::json&)> then) const {
  read_ci(*this, std::move(then));
}

void tool_call::health(std::function<void(const nlohmann::json&)> then) const {
  read_health(*this, std::move(then));
}

std::string tool_call::client_name() const {
  return parts().shown_name();
}

client_actor tool_call::client_handle() const {
  return client_actor{parts().self};
}

client_push& tool_call::push() const {
  return parts().push;
}

void tool_call::alert_report(std::function<void(const reader_report&)> then) const {
  ask_engine<reader_report>(engine().alerts, std::move(then), status_atom_v, client());
}

void tool_call::mark_shown(told_alerts told, shown_channel by) const {
  caf::anon_send(engine().alerts, shown_atom_v, client(), std::move(told), by);
}

void tool_call::pass_over_alerts() const {
  caf::anon_send(engine().alerts, clear_atom_v, client());
}

void tool_call::clear_to(std::uint64_t sequence) const {
  parts().position.clear_to(sequence);
}

bool tool_call::wait_for_alert(std::function<void(const alert_ptr& a)> then,
                               std::uint64_t& wait) const {
  auto& waits = parts().waits;
  if (waits.closed())
    return false;
  wait = waits.add(std::move(then));
  return true;
}

void tool_call::stop_waiting(std::uint64_t wait) const {
  parts().waits.remove(wait);
}

std::string tool_call::redacted(const std::string& text) const {
  return parts().env.redaction->text(text).str();
}

} // namespace gasoline
