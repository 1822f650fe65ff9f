#pragma once

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::test {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// A test that waits this long has failed.
inline constexpr std::chrono::seconds patience{20};

/// A client that sends bytes and collects what comes, driven by the test's io context.
class raw_client {
 public:
  raw_client(asio::io_context& io, std::uint16_t port) : socket_(io) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
    receive();
  }

  /// Reads nothing from now on, so that what comes piles up.
  void stop_reading() { reading_ = false; }

  void read_again() {
    reading_ = true;
    receive();
  }

  void send(std::string text) {
    outgoing_.push_back(std::make_unique<std::string>(std::move(text)));
    if (outgoing_.size() == 1)
      write();
  }

  void finish() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
  }

  void drop() {
    error_code ignored;
    socket_.close(ignored);
  }

  const std::string& received() const { return received_; }
  bool closed() const { return closed_; }

 private:
  void write() {
    asio::async_write(socket_, asio::buffer(*outgoing_.front()),
                      [this](const error_code& ec, std::size_t) {
                        if (ec)
                          return;
                        outgoing_.erase(outgoing_.begin());
                        if (!outgoing_.empty())
                          write();
                      });
  }

  void receive() {
    socket_.async_read_some(asio::buffer(piece_), [this](const error_code& ec, std::size_t n) {
      received_.append(piece_.data(), n);
      if (ec)
        closed_ = true;
      else if (reading_)
        receive();
    });
  }

  tcp::socket socket_;
  std::vector<std::unique_ptr<std::string>> outgoing_;
  std::array<char, 65536> piece_{};
  std::string received_;
  bool closed_ = false;
  bool reading_ = true;
};

} // namespace gasoline::test
