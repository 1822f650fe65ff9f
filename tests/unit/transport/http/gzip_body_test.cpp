#include "transport/http/gzip_body.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

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
  for (const std::string_view unknown : {"br", "zstd", "gzip, gzip", "gzip,br", "gz", " gzip"}) {
    CAPTURE(unknown);
    CHECK_FALSE(parse_content_coding(unknown));
  }
}

TEST_CASE("gzip and deflate bodies come back whole") {
  for (const std::size_t bytes : {0U, 1U, 16384U, 16385U, 300'000U, 1U << 20}) {
    CAPTURE(bytes);
    const std::string text = varied_text(bytes);
    const auto gzip = inflate_body(content_coding::gzip, deflated(text, gzip_window), cap);
    CHECK(gzip.status == inflate_status::done);
    CHECK(gzip.bytes == text);
    const auto zlib = inflate_body(content_coding::deflate, deflated(text, zlib_window), cap);
    CHECK(zlib.status == inflate_status::done);
    CHECK(zlib.bytes == text);
  }
}

TEST_CASE("a highly compressible body at the cap passes and one byte more does not") {
  const auto at_cap = deflated(std::string(cap, 'a'), gzip_window);
  CHECK(inflate_body(content_coding::gzip, at_cap, cap).bytes == std::string(cap, 'a'));
  const auto above = deflated(std::string(cap + 1, 'a'), gzip_window);
  const auto out = inflate_body(content_coding::gzip, above, cap);
  CHECK(out.status == inflate_status::too_large);
  CHECK(out.bytes.empty());
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
