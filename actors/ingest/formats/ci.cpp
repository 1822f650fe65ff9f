#include "actors/base/dom_values.hpp"
#include "actors/ingest/formats/ci_hooks/ci_word.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

class ci_reader {
 public:
  ci_reader(const decode_limits& limit, const text_cutter& cutter)
      : limit_(limit), cutter_(cutter) {}

  result_or<raw_ci_result> read(const dom::element& root) {
    if (!root.is_object())
      return refuse("The body must be a JSON object with status and source.");
    if (!read_status(root))
      return refuse(problem_);
    out_.source = text(root, "source");
    if (out_.source.empty())
      return refuse("source must be a non-empty string, such as github-actions.");
    out_.ref = text(root, "ref");
    out_.commit = text(root, "commit");
    out_.summary = text(root, "summary");
    out_.url = text(root, "url");
    read_job(root);
    read_attempt(root);
    if (!problem_.empty())
      return refuse(problem_);
    if (!read_duration(root) || !read_failures(root))
      return refuse(problem_);
    return std::move(out_);
  }

 private:
  static tl::unexpected<user_error> refuse(std::string text) {
    return tl::unexpected(user_error{std::move(text)});
  }

  std::string text(const dom::element& object, const char* key) {
    dom::element value;
    if (object[key].get(value) != simdjson::SUCCESS || value.is_null())
      return {};
    std::string_view found;
    if (value.get_string().get(found) != simdjson::SUCCESS) {
      problem_ = std::string{key} + " must be a string.";
      return {};
    }
    return cutter_.cut(found, limit_.entry.message_bytes);
  }

  bool read_status(const dom::element& root) {
    auto word = text(root, "status");
    const auto status = ci_status_of(word);
    if (!status) {
      problem_ = "status must be the CI system's word for the result, such as success, failure, "
                 "error, failed or cancelled.";
      return false;
    }
    out_.status = *status;
    if (word != name_of(*status) || *status == ci_status::unknown)
      out_.word = std::move(word);
    return true;
  }

  void read_job(const dom::element& root) {
    for (const auto* key : {"job", "job_name", "workflow"})
      if (out_.job.empty())
        out_.job = text(root, key);
  }

  // GitHub writes `…/runs/1/attempts/2`.
  void read_attempt(const dom::element& root) {
    for (const auto* key : {"attempt", "run_attempt"})
      if (dom::element value; root[key].get(value) == simdjson::SUCCESS)
        if (const auto number = number_of(value); number && *number >= 1 && *number <= 1e6)
          out_.attempt = static_cast<std::uint32_t>(*number);
    constexpr std::string_view mark = "/attempts/";
    const auto at = out_.url.find(mark);
    if (out_.attempt > 0 || at == std::string::npos)
      return;
    const auto* digits = out_.url.data() + at + mark.size();
    std::from_chars(digits, out_.url.data() + out_.url.size(), out_.attempt);
  }

  bool read_duration(const dom::element& root) {
    dom::element value;
    if (root["duration_ms"].get(value) != simdjson::SUCCESS || value.is_null())
      return true;
    const auto number = number_of(value);
    if (!number || !std::isfinite(*number) || *number < 0) {
      problem_ = "duration_ms must be a number of milliseconds, 0 or more.";
      return false;
    }
    out_.duration_ms = *number;
    return true;
  }

  bool read_failures(const dom::element& root) {
    dom::element value;
    if (root["failures"].get(value) != simdjson::SUCCESS || value.is_null())
      return true;
    dom::array list;
    if (value.get_array().get(list) != simdjson::SUCCESS) {
      problem_ = "failures must be a list of {\"name\":…,\"message\":…}.";
      return false;
    }
    for (const auto failure : list) {
      if (!failure.is_object()) {
        problem_ = "failures[" + std::to_string(out_.failure_count) +
                   "] must be an object with name and message.";
        return false;
      }
      if (out_.failure_count++ < limit_.detection.ci_failures_shown)
        out_.failures.push_back({text(failure, "name"), text(failure, "message")});
    }
    return problem_.empty();
  }

  const decode_limits& limit_;
  const text_cutter& cutter_;
  raw_ci_result out_;
  std::string problem_;
};

result_or<decoded_body> decode_ci(std::string& body, const decode_context& context) {
  const auto root = context.json.parse(body);
  if (!root)
    return tl::unexpected(root.error());
  auto result = ci_reader{context.limit, context.cutter}.read(*root);
  if (!result)
    return tl::unexpected(result.error());
  decoded_body out;
  out.received = 1;
  auto& e = out.events.emplace_back();
  e.kind = telemetry_kind::ci;
  e.origin = event_origin::ci;
  e.at = context.now;
  e.ci = std::make_shared<const raw_ci_result>(std::move(*result));
  return out;
}

ingest_answer answer_ci(const decoded_body&, const ingest_head&) {
  return {.status = 200, .body = R"({"ok":true})"};
}

} // namespace

/// `POST /ci-result`: one result of a CI run. The error sentence names the field that is wrong and
/// what it may be.
constinit const ingest_format ci_format{
    .route = {"ci", "/ci-result", &http_room::http_limits::ci_body_bytes},
    .decode = decode_ci,
    .answer = answer_ci,
    .recorded = recorded_form{telemetry_kind::ci, ""},
    .shed_sentence = {},
};

} // namespace gasoline
