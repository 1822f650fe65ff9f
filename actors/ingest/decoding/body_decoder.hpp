#pragma once

#include "actors/ingest/decoding/ingest_format.hpp"
#include "actors/redaction/redaction_engine.hpp"

#include <memory>
#include <string>
#include <utility>

namespace gasoline {

/// Turns bodies of any wire format into events, with what all formats share: the parser's memory
/// and the cutter.
class body_decoder {
 public:
  /// `engine` masks what has to be cut, before it is cut.
  body_decoder(const decode_limits& limit, std::shared_ptr<const redaction_engine> engine,
               hook_secrets secrets = {})
      : limit_(limit),
        cutter_(std::move(engine)),
        json_(limit.ingest.json_depth),
        seen_(limit.ingest.recent_ids),
        secrets_(std::move(secrets)) {}

  /// Decodes a body of that format; `now` labels what carries no time. The error refuses the body
  /// as a whole.
  result_or<decoded_body> decode(const ingest_format& format, std::string body, wall_time now,
                                 const ingest_head& head = {}) {
    return format.decode(body, {limit_, cutter_, json_, now, head, seen_, secrets_});
  }

 private:
  decode_limits limit_;
  text_cutter cutter_;
  json_body json_;
  recent_ids seen_;
  hook_secrets secrets_;
};

} // namespace gasoline
