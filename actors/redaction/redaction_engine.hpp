#pragma once

#include "config/settings.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

namespace redaction {
class compiled_rules;
class mask_log;
enum class key_class : std::uint8_t;
} // namespace redaction

/// Texts of an event that are as they came, since nothing in them may be secret. The next event of
/// a batch often has the same, which need not be looked at again. They belong to that event.
struct cleared_texts {
  std::string_view service{};
  std::string_view name{};
  std::string_view message{};
  std::string_view url{};
  std::string_view page{};
  std::string_view stack{};
  std::string_view fields{};
};

/// Takes secrets out of what came from outside, and is the only maker of `redacted_text` from text
/// of run time. Values of sensitive keys and headers become
/// `[REDACTED]`, tokens of known shape `[REDACTED:kind]`, also inside JSON that is inside strings.
/// What shows is well-formed UTF-8 without control or bidirectional characters. A text that the
/// filter clears, which is nearly every one, is moved through untouched.
///
/// Construction compiles the expressions of the user; use is `const` and linear in the size
/// of the text. Each owner has its own engine.
class redaction_engine {
 public:
  /// The rules must compile; the loader of the settings refuses those that do not. `known`: secrets
  /// that the program itself holds; they are masked wherever they stand.
  explicit redaction_engine(const std::vector<redaction_rule>& user_rules,
                            const limits_of<ingest_room, redaction_room>& limit = limits{},
                            const std::vector<std::string>& known = {});
  redaction_engine(redaction_engine&&) noexcept;
  redaction_engine& operator=(redaction_engine&&) noexcept;
  ~redaction_engine();

  /// Running text, with whatever JSON, URLs and headers are in it.
  redacted_text text(std::string_view raw) const;
  /// The same; what is masked is noted in `log`, which says how masks are written too.
  redacted_text text(std::string_view raw, redaction::mask_log& log) const;

  /// A URL, absolute or relative: password, query and fragment parameters; the path stays.
  redacted_text url(std::string_view raw) const;

  /// The inside of a JSON object (`"a":1,"b":[2]`), as such and still valid. What is no JSON comes
  /// back as the single member `text`.
  redacted_text json_members(std::string_view inside) const;

  /// One complete JSON value. What is no JSON comes back as a JSON string.
  redacted_text json_value(std::string_view json) const;

  /// A whole event with its CI result. `fields` must be the inside of a JSON object, as the ingest
  /// actor makes it.
  std::shared_ptr<event> redact(raw_event&& raw) const;
  std::shared_ptr<event> redact(raw_event&& raw, redaction::mask_log& log) const;
  /// The same for one of a batch: `cleared` is of the event before, which must still be there, and
  /// then of this one.
  std::shared_ptr<event> redact(raw_event&& raw, redaction::mask_log& log,
                                cleared_texts& cleared) const;

 private:
  void put(redacted_text& into, std::string&& raw, redaction::mask_log& log,
           std::string_view& cleared) const;
  std::size_t safe_ids(const raw_event& raw) const;
  void put_members(redacted_text& into, std::string&& inside, std::size_t safe,
                   std::vector<redaction::key_class> announced, redaction::mask_log& log,
                   std::string_view& cleared) const;
  redacted_text moved(std::string&& raw, redaction::mask_log& log) const;
  std::shared_ptr<const ci_result> ci(const raw_ci_result& raw, redaction::mask_log& log) const;

  std::unique_ptr<const redaction::compiled_rules> rules_;
};

} // namespace gasoline
