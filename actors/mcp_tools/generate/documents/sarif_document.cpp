#include "actors/mcp_tools/generate/documents/sarif_document.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/detection/fault/stack_frames.hpp"
#include "actors/mcp_tools/analyze/faults/fault_table.hpp"
#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"
#include "config/version.hpp"
#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// What kinds of findings there are.
struct finding_rule {
  std::string_view id;
  std::string_view about;
};

constexpr std::array<finding_rule, 5> rules{{
    {"runtime-error", "An error that a page or a program raised"},
    {"request-failure", "A request that failed"},
    {"security-finding", "A violation of a security policy, or mixed content"},
    {"socket-failure", "A WebSocket that was lost"},
    {"build-failure", "A build that failed"},
}};

std::size_t rule_of(const fault& f) {
  const auto& e = *f.newest;
  if (is_request(e))
    return 1;
  if (e.type == entry_type::security)
    return 2;
  if (e.kind == telemetry_kind::socket)
    return 3;
  return e.build == build_state::failed ? 4 : 0;
}

std::string_view level_of(const fault& f) {
  const auto& e = *f.newest;
  const bool is_warning =
      e.type == entry_type::security || (is_request(e) && e.status >= 400 && e.status < 500);
  return is_warning ? "warning" : "error";
}

/// A file and where in it; 0: not told.
struct file_place {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Takes `:17` from the end of the text; 0: there is none.
std::uint32_t take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return 0;
  std::uint32_t out = 0;
  const auto digits = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error != std::errc{} || end != digits.data() + digits.size())
    return 0;
  text = text.substr(0, colon);
  return out;
}

file_place place_in(std::string_view text) {
  file_place out;
  const auto last = take_number(text);
  const auto first = last > 0 ? take_number(text) : 0;
  out.line = first > 0 ? first : last;
  out.column = first > 0 ? last : 0;
  out.file = text;
  return out;
}

/// An address, or a path of the project as a relative reference.
std::string reference(std::string_view file) {
  if (file.find("://") != std::string_view::npos)
    return valid_uri(file);
  std::string out;
  for (std::size_t i = 0; i < file.size(); ++i)
    out += file[i] == '/' ? "/" : percent_encoded(file.substr(i, 1));
  return out;
}

std::string location_json(const fault& f) {
  const auto& e = *f.newest;
  const auto where = place_of(f);
  const auto place = where.empty() ? file_place{} : place_in(where.view());
  const auto address = place.file.empty() ? page_address(e).view() : place.file;
  if (address.empty())
    return {};
  std::string artifact_location;
  json_object_writer a{artifact_location};
  a.text("uri", reference(address)).close();
  std::string physical;
  json_object_writer p{physical};
  p.raw("artifactLocation", artifact_location);
  if (place.line > 0) {
    std::string region;
    json_object_writer r{region};
    r.number("startLine", std::uint64_t{place.line});
    if (place.column > 0)
      r.number("startColumn", std::uint64_t{place.column});
    r.close();
    p.raw("region", region);
  }
  p.close();
  return "{\"physicalLocation\":" + physical + '}';
}

std::string message_json(std::string_view text) {
  std::string out;
  json_object_writer w{out};
  w.text("text", text).close();
  return out;
}

std::string result_json(const std::string& key, const fault& f) {
  const auto rule = rule_of(f);
  std::string out;
  json_object_writer w{out};
  w.text("ruleId", rules[rule].id).number("ruleIndex", std::uint64_t{rule});
  w.text("level", level_of(f)).raw("message", message_json(f.title.view()));
  if (const auto location = location_json(f); !location.empty())
    w.raw("locations", '[' + location + ']');
  std::string fingerprint;
  json_object_writer p{fingerprint};
  p.text("fault/v1", key).close();
  w.raw("partialFingerprints", fingerprint)
      .number("occurrenceCount", std::max<std::uint64_t>(f.count, 1));
  std::string seen;
  json_object_writer s{seen};
  s.text("firstSeen", to_iso8601(f.first_at)).text("lastSeen", to_iso8601(f.last_at)).close();
  w.raw("properties", seen);
  w.close();
  return out;
}

std::string rules_json() {
  std::string out;
  for (const auto& rule : rules) {
    out += out.empty() ? "" : ",";
    json_object_writer w{out};
    w.text("id", rule.id).raw("shortDescription", message_json(rule.about));
    w.close();
  }
  return '[' + out + ']';
}

std::string document_json(const std::string& results) {
  std::string driver;
  json_object_writer d{driver};
  d.text("name", "gasoline").text("version", program_version()).raw("rules", rules_json());
  d.close();
  std::string run;
  json_object_writer r{run};
  r.raw("tool", "{\"driver\":" + driver + '}').raw("results", '[' + results + ']');
  r.text("columnKind", "utf16CodeUnits");
  r.close();
  std::string out;
  json_object_writer w{out};
  w.text("$schema", "https://json.schemastore.org/sarif-2.1.0.json").text("version", "2.1.0");
  w.raw("runs", '[' + run + ']');
  w.close();
  return out;
}

result_or<artifact> make_sarif(const generation_input& input) {
  const auto faults = faults_in(input.seen.events, input.seen.limit);
  std::vector<std::pair<const std::string*, const fault*>> newest_first;
  for (const auto& [key, f] : faults)
    newest_first.emplace_back(&key, &f);
  std::stable_sort(newest_first.begin(), newest_first.end(), [](const auto& a, const auto& b) {
    return a.second->last_at > b.second->last_at;
  });
  auto bytes = document_json({}).size();
  std::string results;
  std::size_t listed = 0;
  for (const auto& [key, f] : newest_first) {
    const auto next = result_json(*key, *f);
    if (bytes + results.size() + next.size() + 1 > input.room)
      break;
    results.append(results.empty() ? "" : ",").append(next);
    ++listed;
  }
  auto sentence =
      counted_words(listed, "result", "results") + " as SARIF 2.1.0." + input.seen.remark;
  sentence += older_left_out(faults.size() - listed);
  return artifact{document_json(results), std::move(sentence)};
}

} // namespace

generation sarif_document() {
  return {"sarif", "errors, failed requests and security findings as SARIF 2.1.0",
          usual_beginning::everything, looked_at::events, make_sarif};
}

} // namespace gasoline
