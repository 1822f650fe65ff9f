#include "messages/base/encoding/inflated_body.hpp"

#include <brotli/encode.h>
#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

using namespace gasoline;

namespace {

constexpr int gzip_window = 15 + 16;
constexpr int zlib_window = 15;
constexpr std::uint64_t cap = 1 << 20;

std::string deflated(std::string text, int window) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string as_brotli(const std::string& text) {
  std::size_t size = BrotliEncoderMaxCompressedSize(text.size()) + 64;
  std::string out(size, '\0');
  REQUIRE(BrotliEncoderCompress(9, 22, BROTLI_MODE_TEXT, text.size(),
                                reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                                reinterpret_cast<std::uint8_t*>(out.data())) == BROTLI_TRUE);
  out.resize(size);
  return out;
}

std::string as_zstd(const std::string& text, int window_log = 0) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  if (window_log > 0)
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer room{out.data(), out.size(), 0};
  REQUIRE(ZSTD_compressStream2(context, &room, &in, ZSTD_e_end) == 0);
  ZSTD_freeCCtx(context);
  out.resize(room.pos);
  return out;
}

std::string packed(content_coding coding, const std::string& text) {
  switch (coding) {
  case content_coding::gzip:
    return deflated(text, gzip_window);
  case content_coding::deflate:
    return deflated(text, zlib_window);
  case content_coding::brotli:
    return as_brotli(text);
  case content_coding::zstd:
    return as_zstd(text);
  case content_coding::identity:
    break;
  }
  return text;
}

constexpr content_coding codings[] = {content_coding::gzip, content_coding::deflate,
                                      content_coding::brotli, content_coding::zstd};

std::string varied_text(std::size_t bytes) {
  std::string out;
  for (std::uint32_t n = 1; out.size() < bytes; n = n * 1664525U + 1013904223U)
    out += std::to_string(n);
  out.resize(bytes);
  return out;
}

} // namespace

TEST_CASE("content codings are read by name, whatever the case") {
  CHECK(parse_content_coding("") == content_coding::identity);
  CHECK(parse_content_coding("identity") == content_coding::identity);
  CHECK(parse_content_coding("GZip") == content_coding::gzip);
  CHECK(parse_content_coding("x-gzip") == content_coding::gzip);
  CHECK(parse_content_coding("deflate") == content_coding::deflate);
  CHECK(parse_content_coding("BR") == content_coding::brotli);
  CHECK(parse_content_coding("zstd") == content_coding::zstd);
  for (const std::string_view unknown :
       {"brotli", "zstandard", "gzip, gzip", "gzip,br", "gz", " gzip"}) {
    CAPTURE(unknown);
    CHECK_FALSE(parse_content_coding(unknown));
  }
}

TEST_CASE("bodies in each coding come back whole") {
  for (const auto coding : codings)
    for (const std::size_t bytes : {0U, 1U, 16384U, 16385U, 300'000U, 1U << 20}) {
      CAPTURE(name_of(coding));
      CAPTURE(bytes);
      const std::string text = varied_text(bytes);
      const auto out = inflate_body(coding, packed(coding, text), cap);
      CHECK(out.status == inflate_status::done);
      CHECK(out.bytes == text);
    }
}

TEST_CASE("a highly compressible body at the cap passes and one byte more does not") {
  for (const auto coding : codings) {
    CAPTURE(name_of(coding));
    const auto at_cap = packed(coding, std::string(cap, 'a'));
    CHECK(inflate_body(coding, at_cap, cap).bytes == std::string(cap, 'a'));
    const auto above = packed(coding, std::string(cap + 1, 'a'));
    const auto out = inflate_body(coding, above, cap);
    CHECK(out.status == inflate_status::too_large);
    CHECK(out.bytes.empty());
  }
}

TEST_CASE("br and zstd streams that are cut, changed or followed by something are ill-formed") {
  for (const auto coding : {content_coding::brotli, content_coding::zstd}) {
    CAPTURE(name_of(coding));
    const auto good = packed(coding, varied_text(5000));
    for (const std::string& bytes :
         {std::string{}, std::string{"{\"entries\":[]}"}, good.substr(0, good.size() - 1),
          good.substr(0, 3), good + "rest"}) {
      const auto out = inflate_body(coding, bytes, cap);
      CHECK(out.status == inflate_status::ill_formed);
      CHECK(out.bytes.empty());
    }
  }
}

TEST_CASE("zstd frames follow one another, and none may ask for a window of gigabytes") {
  const auto two = as_zstd("one,") + as_zstd("two");
  CHECK(inflate_body(content_coding::zstd, two, cap).bytes == "one,two");
  // A frame without a content size whose window is 2^27 bytes; RFC 9659 allows 2^23.
  const auto wide = as_zstd(std::string(9U << 20, 'a') + varied_text(1000), 27);
  CHECK(inflate_body(content_coding::zstd, wide, 20U << 20).status == inflate_status::ill_formed);
}

TEST_CASE("gzip members follow one another") {
  const auto two = deflated("one,", gzip_window) + deflated("two", gzip_window);
  const auto out = inflate_body(content_coding::gzip, two, cap);
  CHECK(out.status == inflate_status::done);
  CHECK(out.bytes == "one,two");
}

TEST_CASE("broken streams are ill-formed") {
  const std::string good = deflated(varied_text(5000), gzip_window);
  std::string flipped = good;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x55);
  std::string bad_checksum = good;
  bad_checksum[bad_checksum.size() - 8] = static_cast<char>(bad_checksum[good.size() - 8] ^ 1);
  for (const std::string& bytes :
       {std::string(), std::string("{\"entries\":[]}"), good.substr(0, good.size() - 1),
        good.substr(0, 5), good + "rest", flipped, bad_checksum}) {
    const auto out = inflate_body(content_coding::gzip, bytes, cap);
    CHECK(out.status == inflate_status::ill_formed);
    CHECK(out.bytes.empty());
  }
  CHECK(inflate_body(content_coding::deflate, good, cap).status == inflate_status::ill_formed);
}

TEST_CASE("a bomb stops at the cap") {
  const std::string member = deflated(std::string(1 << 20, '\0'), gzip_window);
  CHECK(member.size() < 1200);
  std::string bomb; // 1 GB in about 1 MB
  for (int i = 0; i < 1024; ++i)
    bomb += member;
  const auto out = inflate_body(content_coding::gzip, bomb, 20U << 20);
  CHECK(out.status == inflate_status::too_large);
  CHECK(out.bytes.empty());
  const auto single = deflated(std::string(24U << 20, '\0'), gzip_window);
  CHECK(inflate_body(content_coding::gzip, single, 20U << 20).status == inflate_status::too_large);
}

TEST_CASE("identity is passed on as it is") {
  const auto out = inflate_body(content_coding::identity, "{}", cap);
  CHECK(out.status == inflate_status::done);
  CHECK(out.bytes == "{}");
}
