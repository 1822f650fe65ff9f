#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"

#include <simdjson.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

// What the webhooks of all CI systems share: signature, redelivery, JSON, the answer.

/// Reads one delivery of a system into a CI result.
class ci_hook_reader {
 public:
  ci_hook_reader(const decode_context& context, const simdjson::dom::element& root)
      : context_(context), root_(root) {}

  const ingest_head& head() const { return context_.head; }

  /// The value at a JSON pointer such as `/build/status`; nothing: there is none, or it is null.
  std::optional<simdjson::dom::element> at(std::string_view pointer) const;

  /// A text or a number as text, cut to what an entry may hold; empty: there is none.
  std::string text(std::string_view pointer) const;

  /// The first of these that is there.
  std::string first_text(std::initializer_list<std::string_view> pointers) const;

  std::optional<double> number(std::string_view pointer) const;
  bool flag(std::string_view pointer) const;

  /// The milliseconds between two times.
  double duration(std::string_view begin, std::string_view end) const;

  /// The elements of a list, each as a reader of its own.
  std::vector<ci_hook_reader> list(std::string_view pointer) const;

  /// A result with what this word says of it.
  raw_ci_result result(std::string_view source, const std::string& word) const;

  /// Adds a failed job, of which alone the result then tells.
  void add_failed_job(raw_ci_result& out, std::string name, std::string message) const;

  /// Adds a failed job or test.
  void add_failure(raw_ci_result& out, std::string name, std::string message) const;

 private:
  const decode_context& context_;
  simdjson::dom::element root_;
};

/// What one delivery comes to: a result, or why it says none.
struct ci_hook_news {
  std::optional<raw_ci_result> result;
  std::string left_out; ///< the reason, when there is no result
};

/// No result, and why.
ci_hook_news left_out(std::string reason);

/// Whether somebody would want to know of it: not what runs still, was skipped or was cancelled.
bool is_worth_telling(ci_status status);

/// How one system's webhooks are read.
struct ci_hook {
  std::string_view system; ///< `github`
  /// Why the delivery is not believed, when a secret is set; nothing: it is.
  std::optional<std::string> (*distrust)(std::string_view body, std::string_view secret,
                                         const ingest_head& head, wall_time now);
  /// What is the same on a redelivery alone; empty: nothing is.
  std::string (*delivery)(const ingest_head& head);
  ci_hook_news (*read)(const ci_hook_reader& in);
};

result_or<decoded_body> decode_ci_hook(const ci_hook& hook, std::string& body,
                                       const decode_context& context);

/// `{"ok":true}`, with `ignored` and the reason where nothing came of it.
ingest_answer answer_ci_hook(const decoded_body& body, const ingest_head& head);

} // namespace gasoline
