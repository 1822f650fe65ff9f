#pragma once

#include "config/limits.hpp"
#include "messages/streams/stream_actors.hpp"
#include "transport/http/http_router.hpp"
#include "transport/sse/sse_response.hpp"
#include "transport/sse/stream_readers.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>
#include <unordered_map>

namespace gasoline {

/// Serves `GET /streams/{name}/events?topic=&format=` as Server-Sent Events. Readers with the same
/// filter share one tap into the registry of streams.
///
/// | a group          | when                                              |
/// |------------------|---------------------------------------------------|
/// | is made          | a reader comes and there is none                  |
/// | waits            | the registry has not answered that reader (opening) |
/// | has readers      | the answer was no refusal                         |
/// | ends its readers | the stream is deleted; the tap is closed by that  |
/// | is dropped       | nothing is opening and no reader is left; closes the tap |
///
/// Used on the io thread only.
class stream_broadcast : public std::enable_shared_from_this<stream_broadcast> {
 public:
  using executor = boost::asio::io_context::executor_type;

  stream_broadcast(const executor& io, stream_registry_actor registry,
                   const limits_of<mcp_room, stream_room>& limit);

  void serve(const std::string& stream, asking_party caller, const http_call& call,
             const http_reply& reply);

 private:
  /// The readers of one stream, filter and format.
  struct group {
    std::shared_ptr<stream_readers> readers;
    stream_tap_ptr tap;
    std::size_t opening = 0; // readers that wait for the registry's answer
  };
  using reader_ptr = stream_readers::reader_ptr;

  group& group_of(const std::string& key, stream_format format);
  void on_opening(const std::string& key, stream_format format, stream_opening opening,
                  const http_reply& reply);
  void add_reader(const std::string& key, stream_format format, const stream_opening& opening,
                  const http_reply& reply);
  stream_reader::piece_source pieces_of(const stream_tap_ptr& tap) const;
  void remove_reader(const std::string& key, const reader_ptr& reader);
  void drop_if_unused(const std::string& key);

  executor io_;
  stream_registry_actor registry_;
  limits_of<mcp_room, stream_room> limit_;
  std::shared_ptr<sse_keepalive> keepalive_;
  std::unordered_map<std::string, group> groups_;
};

} // namespace gasoline
