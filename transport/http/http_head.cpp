#include "transport/http/http_head.hpp"

#include "messages/base/letters.hpp"

#include <boost/beast/http/field.hpp>

#include <optional>
#include <string_view>

namespace gasoline {
namespace {

namespace http = boost::beast::http;

std::string_view to_std(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

/// Collects the headers that routing looks at.
class head_reader {
 public:
  explicit head_reader(const http::request_header<>& request) {
    view_.method = to_std(request.method_string());
    view_.target = to_std(request.target());
    view_.http_1_0 = request.version() == 10;
    for (const auto& field : request) {
      view_.fields.emplace_back(to_std(field.name_string()), to_std(field.value()));
      take(field);
    }
  }

  const http_request_view& view() const { return view_; }

 private:
  void take(const http::fields::value_type& field) {
    const std::string_view value = to_std(field.value());
    switch (field.name()) {
    case http::field::host:
      return set(view_.host, field);
    case http::field::origin:
      return set(view_.origin, field);
    case http::field::content_type:
      return set(view_.content_type, field);
    case http::field::content_encoding:
      return set(view_.content_encoding, field);
    case http::field::transfer_encoding:
      return set(view_.transfer_encoding, field);
    case http::field::expect:
      view_.expect = value;
      return;
    case http::field::if_none_match:
      view_.if_none_match = value;
      return;
    case http::field::unknown:
      if (ascii::same_letters(to_std(field.name_string()),
                              "Access-Control-Request-Private-Network"))
        view_.request_private_network = value;
      return;
    default:
      return;
    }
  }

  void set(std::optional<std::string_view>& slot, const http::fields::value_type& field) {
    if (slot)
      view_.repeated = to_std(field.name_string());
    slot = to_std(field.value());
  }

  void set(std::string_view& slot, const http::fields::value_type& field) {
    if (!slot.empty())
      view_.repeated = to_std(field.name_string());
    slot = to_std(field.value());
  }

  http_request_view view_;
};

} // namespace

http_request_view view_of(const http::request_header<>& head) {
  return head_reader(head).view();
}

} // namespace gasoline
