#include "messages/base/encoding/inflated_body.hpp"

#include "messages/base/letters.hpp"

#define ZLIB_CONST
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

namespace gasoline {
namespace {

constexpr int zlib_window = 15;
constexpr int gzip_window = 15 + 16; // zlib's way to ask for the gzip format
constexpr int zstd_window_log = 23;  // RFC 9659: 8 MB, the most that a sender may ask for
constexpr std::size_t first_output_bytes = 16384;

/// What one step of a decoder came to.
enum class inflate_step : std::uint8_t {
  going,      ///< took or gave something
  member_end, ///< the stream, or one member of it, is complete
  broken
};

/// What a decoder is given: what it takes leaves the front of the two.
struct inflate_room {
  std::string_view in;
  char* out = nullptr;
  std::size_t out_bytes = 0;

  void took(std::size_t bytes) { in.remove_prefix(bytes); }
  void gave(std::size_t bytes) {
    out += bytes;
    out_bytes -= bytes;
  }
};

class zlib_decoder {
 public:
  explicit zlib_decoder(int window) : ready_(inflateInit2(&stream_, window) == Z_OK) {}
  zlib_decoder(const zlib_decoder&) = delete;
  zlib_decoder& operator=(const zlib_decoder&) = delete;
  ~zlib_decoder() { inflateEnd(&stream_); }

  inflate_step step(inflate_room& room) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    const auto in = static_cast<uInt>(std::min(room.in.size(), most));
    const auto out = static_cast<uInt>(std::min(room.out_bytes, most));
    stream_.next_in = reinterpret_cast<const Bytef*>(room.in.data());
    stream_.avail_in = in;
    stream_.next_out = reinterpret_cast<Bytef*>(room.out);
    stream_.avail_out = out;
    const int code = ready_ ? inflate(&stream_, Z_NO_FLUSH) : Z_STREAM_ERROR;
    room.took(in - stream_.avail_in);
    room.gave(out - stream_.avail_out);
    if (code == Z_STREAM_END)
      return inflateReset(&stream_) == Z_OK ? inflate_step::member_end : inflate_step::broken;
    return code == Z_OK ? inflate_step::going : inflate_step::broken;
  }

 private:
  z_stream stream_{};
  bool ready_;
};

class brotli_decoder {
 public:
  brotli_decoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  brotli_decoder(const brotli_decoder&) = delete;
  brotli_decoder& operator=(const brotli_decoder&) = delete;
  ~brotli_decoder() { BrotliDecoderDestroyInstance(state_); }

  inflate_step step(inflate_room& room) {
    if (state_ == nullptr || BrotliDecoderIsFinished(state_) != BROTLI_FALSE)
      return inflate_step::broken; // what follows the one stream that there may be
    std::size_t in = room.in.size();
    std::size_t out = room.out_bytes;
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(room.in.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(room.out);
    const auto code =
        BrotliDecoderDecompressStream(state_, &in, &next_in, &out, &next_out, nullptr);
    const auto taken = room.in.size() - in;
    const auto given = room.out_bytes - out;
    room.took(taken);
    room.gave(given);
    if (code == BROTLI_DECODER_RESULT_SUCCESS)
      return inflate_step::member_end;
    const bool starves = code == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT;
    return code == BROTLI_DECODER_RESULT_ERROR || starves ? inflate_step::broken
                                                          : inflate_step::going;
  }

 private:
  BrotliDecoderState* state_;
};

class zstd_decoder {
 public:
  zstd_decoder() : context_(ZSTD_createDCtx()) {
    ready_ =
        context_ != nullptr &&
        ZSTD_isError(ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, zstd_window_log)) == 0;
  }
  zstd_decoder(const zstd_decoder&) = delete;
  zstd_decoder& operator=(const zstd_decoder&) = delete;
  ~zstd_decoder() { ZSTD_freeDCtx(context_); }

  inflate_step step(inflate_room& room) {
    ZSTD_inBuffer in{room.in.data(), room.in.size(), 0};
    ZSTD_outBuffer out{room.out, room.out_bytes, 0};
    const std::size_t left = ready_ ? ZSTD_decompressStream(context_, &out, &in) : 1;
    room.took(in.pos);
    room.gave(out.pos);
    if (!ready_ || ZSTD_isError(left) != 0)
      return inflate_step::broken;
    if (left == 0)
      return inflate_step::member_end;
    return in.pos == 0 && out.pos == 0 ? inflate_step::broken : inflate_step::going;
  }

 private:
  ZSTD_DCtx* context_;
  bool ready_ = false;
};

template <class Decoder>
inflate_status inflate_with(Decoder&& decoder, std::string_view bytes, std::uint64_t cap,
                            std::string& out) {
  // One byte above the cap is enough to know that it is exceeded.
  const std::uint64_t most = cap + 1;
  out.resize(std::min<std::uint64_t>(most, std::max(first_output_bytes, bytes.size() * 4)));
  std::size_t used = 0;
  inflate_step last = inflate_step::going;
  while (last != inflate_step::member_end || !bytes.empty()) {
    if (used == out.size())
      out.resize(std::min<std::uint64_t>(most, out.size() * 2));
    inflate_room room{bytes, out.data() + used, out.size() - used};
    last = decoder.step(room);
    bytes = room.in;
    used = out.size() - room.out_bytes;
    if (used > cap)
      return inflate_status::too_large;
    if (last == inflate_step::broken)
      return inflate_status::ill_formed;
  }
  out.resize(used);
  return inflate_status::done;
}

inflate_status inflate_as(content_coding coding, std::string_view bytes, std::uint64_t cap,
                          std::string& out) {
  switch (coding) {
  case content_coding::gzip:
    return inflate_with(zlib_decoder{gzip_window}, bytes, cap, out);
  case content_coding::deflate:
    return inflate_with(zlib_decoder{zlib_window}, bytes, cap, out);
  case content_coding::brotli:
    return inflate_with(brotli_decoder{}, bytes, cap, out);
  case content_coding::zstd:
    return inflate_with(zstd_decoder{}, bytes, cap, out);
  case content_coding::identity:
    break;
  }
  out = bytes;
  return inflate_status::done;
}

} // namespace

std::optional<content_coding> parse_content_coding(std::string_view header) {
  if (header.empty())
    return content_coding::identity;
  for (const auto& [coding, name] : enum_table<content_coding>::rows)
    if (ascii::same_letters(name, header))
      return coding;
  return std::nullopt;
}

inflated_body inflate_body(content_coding coding, std::string_view bytes, std::uint64_t cap) {
  inflated_body out;
  out.status = inflate_as(coding, bytes, cap, out.bytes);
  if (out.status != inflate_status::done)
    out.bytes = {};
  return out;
}

} // namespace gasoline
