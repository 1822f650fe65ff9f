#include "transport/http/gzip_body.hpp"

#define ZLIB_CONST
#include <boost/beast/core/string.hpp>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace gasoline {
namespace {

constexpr int zlib_window = 15;
constexpr int gzip_window = 15 + 16; // zlib's way to ask for the gzip format
constexpr std::size_t first_output_bytes = 16384;

/// Owns zlib's state for one body.
class inflater {
 public:
  explicit inflater(content_coding coding)
      : ready_(inflateInit2(&stream_, coding == content_coding::gzip ? gzip_window : zlib_window) ==
               Z_OK) {}
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;
  ~inflater() { inflateEnd(&stream_); }

  inflate_status run(std::string_view bytes, std::uint64_t cap, std::string& out) {
    if (!ready_)
      return inflate_status::ill_formed;
    // One byte above the cap is enough to know that it is exceeded.
    const std::uint64_t most = cap + 1;
    out.resize(std::min<std::uint64_t>(most, std::max(first_output_bytes, bytes.size() * 4)));
    std::size_t used = 0;
    while (true) {
      feed(bytes);
      offer(out, used);
      const std::size_t offered = stream_.avail_out;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      used += offered - stream_.avail_out;
      if (used > cap)
        return inflate_status::too_large;
      if (code == Z_STREAM_END && bytes.empty() && stream_.avail_in == 0)
        break;
      if (code == Z_STREAM_END ? inflateReset(&stream_) != Z_OK : code != Z_OK)
        return inflate_status::ill_formed;
      if (used == out.size())
        out.resize(std::min<std::uint64_t>(most, out.size() * 2));
    }
    out.resize(used);
    return inflate_status::done;
  }

 private:
  void feed(std::string_view& bytes) {
    if (stream_.avail_in != 0 || bytes.empty())
      return;
    const auto count = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(count);
    bytes.remove_prefix(count);
  }

  void offer(std::string& out, std::size_t used) {
    const auto count = std::min<std::size_t>(out.size() - used, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + used);
    stream_.avail_out = static_cast<uInt>(count);
  }

  z_stream stream_{};
  bool ready_;
};

} // namespace

std::optional<content_coding> parse_content_coding(std::string_view header) {
  if (header.empty())
    return content_coding::identity;
  for (const auto& [coding, name] : enum_table<content_coding>::rows)
    if (boost::beast::iequals(name, header))
      return coding;
  return std::nullopt;
}

inflated_body inflate_body(content_coding coding, std::string_view bytes, std::uint64_t cap) {
  if (coding == content_coding::identity)
    return {inflate_status::done, std::string(bytes)};
  inflated_body out;
  out.status = inflater(coding).run(bytes, cap, out.bytes);
  if (out.status != inflate_status::done)
    out.bytes = {};
  return out;
}

} // namespace gasoline
