#include "tools/setup/codex_trust.hpp"

#include "messages/base/encoding/hex.hpp"
#include "messages/base/letters.hpp"
#include "tools/setup/agent_files.hpp"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr int usual_timeout_seconds = 600;

/// `PostToolUse` as `post_tool_use`.
std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0 && !out.empty())
      out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string sha256(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), bytes.data(), &size, EVP_sha256(), nullptr) != 1)
    return {};
  return hex_text({reinterpret_cast<const char*>(bytes.data()), size});
}

/// What Codex remembers of a hook that it trusts: the digest of the hook with every default filled
/// in, its keys in order.
std::string digest_of(std::string_view event, const json& group, const json& hook) {
  json identity{{"event_name", snake_case(event)},
                {"hooks", json::array({{{"type", "command"},
                                        {"command", hook.value("command", "")},
                                        {"timeout", hook.value("timeout", usual_timeout_seconds)},
                                        {"async", hook.value("async", false)}}})}};
  if (const auto matcher = group.find("matcher"); matcher != group.end() && matcher->is_string())
    identity["matcher"] = *matcher;
  return "sha256:" + sha256(identity.dump(-1, ' ', false, json::error_handler_t::replace));
}

/// What stands between the first pair of these quotes behind `from`.
std::string_view quoted_behind(std::string_view line, std::size_t from) {
  const auto open = line.find_first_of("\"'", from);
  if (open == std::string_view::npos)
    return {};
  const auto close = line.find(line[open], open + 1);
  return close == std::string_view::npos ? std::string_view{}
                                         : line.substr(open + 1, close - open - 1);
}

struct trust_record {
  std::string digest;
  bool enabled = true;
};

void read_record_line(std::string_view line, trust_record& out) {
  if (const auto at = line.find("trusted_hash"); at != std::string_view::npos)
    out.digest = quoted_behind(line, at);
  if (const auto at = line.find("enabled"); at != std::string_view::npos) {
    const auto value = line.substr(std::min(line.find('=', at), line.size()));
    if (value.find("false") != std::string_view::npos)
      out.enabled = false;
  }
}

/// The record under that key: a table of its own, or an inline table of `[hooks.state]`.
std::optional<trust_record> find_record(std::string_view toml, const std::string& key) {
  std::optional<trust_record> out;
  bool inside = false;
  while (!toml.empty()) {
    const auto end = std::min(toml.find('\n'), toml.size());
    const auto line = ascii::trimmed(toml.substr(0, end));
    toml.remove_prefix(std::min(end + 1, toml.size()));
    if (line.empty() || line.front() == '#')
      continue;
    const bool names_key = quoted_behind(line, 0) == key;
    if (line.front() == '[') {
      inside = names_key && line.find("hooks") < line.find(key);
      if (inside)
        out.emplace();
    } else if (inside) {
      read_record_line(line, *out);
    } else if (names_key) {
      read_record_line(line.substr(line.find(key) + key.size()), out.emplace());
    }
  }
  return out;
}

codex_trust trust_of(const std::optional<trust_record>& record, const std::string& digest) {
  if (!record || record->digest.empty() || !record->enabled)
    return codex_trust::missing;
  return record->digest == digest ? codex_trust::trusted : codex_trust::changed;
}

/// Calls `see` with each hook of ours, its group and the key that Codex knows it by.
template <class See>
void each_own_hook(const json& groups, const std::string& prefix, See see) {
  for (std::size_t g = 0; groups.is_array() && g < groups.size(); ++g) {
    const auto& group = groups[g];
    const auto hooks = group.is_object() ? group.find("hooks") : group.end();
    if (!group.is_object() || hooks == group.end() || !hooks->is_array())
      continue;
    for (std::size_t h = 0; h < hooks->size(); ++h)
      if (const auto& hook = (*hooks)[h]; hook.is_object() && is_own_hook(ordered_json(hook)))
        see(group, hook, prefix + ":" + std::to_string(g) + ":" + std::to_string(h));
  }
}

} // namespace

std::vector<codex_hook> codex_hooks(std::string_view hooks_json,
                                    const std::filesystem::path& hooks_file,
                                    std::string_view config_toml) {
  std::vector<codex_hook> out;
  const auto document = json::parse(hooks_json, nullptr, false, true);
  const auto events = document.is_object() ? document.find("hooks") : document.end();
  if (!document.is_object() || events == document.end() || !events->is_object())
    return out;
  for (const auto& [event, groups] : events->items())
    each_own_hook(groups, hooks_file.string() + ":" + snake_case(event),
                  [&, name = event](const json& group, const json& hook, const std::string& key) {
                    out.push_back({name, trust_of(find_record(config_toml, key),
                                                  digest_of(name, group, hook))});
                  });
  return out;
}

} // namespace gasoline
