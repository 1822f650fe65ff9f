#include "actors/ingest/formats/ci_decoder.hpp"

#include "actors/base/dom_values.hpp"

#include <cmath>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

class ci_reader {
 public:
  ci_reader(const limits& limit, const text_cutter& cutter) : limit_(limit), cutter_(cutter) {}

  result_or<raw_ci_result> read(const dom::element& root) {
    if (!root.is_object())
      return refuse("The body must be a JSON object with status and source.");
    const auto status = parse_name<ci_status>(text(root, "status"));
    if (!status)
      return refuse("status must be one of " + all_names<ci_status>() + ".");
    out_.status = *status;
    out_.source = text(root, "source");
    if (out_.source.empty())
      return refuse("source must be a non-empty string, such as github-actions.");
    out_.ref = text(root, "ref");
    out_.commit = text(root, "commit");
    out_.summary = text(root, "summary");
    out_.url = text(root, "url");
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

  const limits& limit_;
  const text_cutter& cutter_;
  raw_ci_result out_;
  std::string problem_;
};

} // namespace

result_or<raw_ci_result> decode_ci_result(const dom::element& root, const limits& limit,
                                          const text_cutter& cutter) {
  return ci_reader{limit, cutter}.read(root);
}

} // namespace gasoline
