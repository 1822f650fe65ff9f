#include "transport/mcp/mcp_response.hpp"

#include "messages/base/own_log.hpp"

#include <exception>
#include <utility>

namespace gasoline {
namespace {

class answer_at_release {
 public:
  answer_at_release(http_reply reply, http_response response)
      : reply_(std::move(reply)), response_(std::move(response)) {}
  answer_at_release(const answer_at_release&) = delete;
  answer_at_release& operator=(const answer_at_release&) = delete;
  ~answer_at_release() {
    try {
      reply_(std::move(response_));
    } catch (const std::exception& e) {
      own_log::debug("http: a message got no answer: {}", e.what());
    }
  }

 private:
  http_reply reply_;
  http_response response_;
};

} // namespace

http_response rpc_refusal(std::uint16_t status, rpc_code code, const std::string& sentence,
                          const nlohmann::json& id, const nlohmann::json& data) {
  http_response out;
  out.status = status;
  out.body = error_text(id, code, sentence, data);
  return out;
}

http_response accepted_response() {
  http_response out;
  out.status = 202;
  return out;
}

std::shared_ptr<const void> answer_when_released(http_reply reply, http_response response) {
  return std::make_shared<const answer_at_release>(std::move(reply), std::move(response));
}

} // namespace gasoline
