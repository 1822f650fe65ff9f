#pragma once

#include "actors/redaction/redaction_engine.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gasoline {

/// Shortens what is too long for its field. It masks before it cuts, since half a secret no longer
/// looks like one to the redactor.
class text_cutter {
 public:
  explicit text_cutter(std::shared_ptr<const redaction_engine> engine)
      : engine_(std::move(engine)) {}

  /// The text, or its masked beginning with a mark that tells the whole size.
  std::string cut(std::string_view text, std::size_t bytes) const;

  /// The same for one JSON value, as text.
  std::string cut_json(std::string_view json, std::size_t bytes) const;

  /// The first frames of a stack, one a line, and how many more there were.
  std::string first_frames(std::string_view stack, std::size_t frames, std::size_t bytes) const;

 private:
  std::shared_ptr<const redaction_engine> engine_;
};

} // namespace gasoline
