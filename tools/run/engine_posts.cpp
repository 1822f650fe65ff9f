#include "tools/run/engine_posts.hpp"

#include "tools/terminal/engine_call.hpp"

#include <algorithm>
#include <chrono>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_posts = 1000;
constexpr std::size_t most_bytes = 4U << 20U;
constexpr std::size_t most_entries = 100;
constexpr std::size_t most_body_bytes = 512U << 10U;
constexpr auto answer_within = 5s;
constexpr auto apart = 2s;

constexpr unsigned first_error = 400;
constexpr unsigned too_many = 429;
constexpr unsigned first_server_error = 500;

} // namespace

void engine_posts::add(engine_post post) {
  bytes_ += post.body.size();
  posts_.push_back(std::move(post));
  while (posts_.size() > most_posts || bytes_ > most_bytes) {
    bytes_ -= posts_.front().body.size();
    posts_.pop_front();
    ++dropped_;
  }
}

bool engine_posts::reach() {
  const auto answer = call_engine(config_, {"GET", "/health", {}, {}, answer_within});
  problem_ = answer ? std::string{} : answer.error().message;
  return answer.has_value();
}

void engine_posts::send(mono_time now) {
  if (now < not_before_)
    return;
  while (!posts_.empty())
    if (!send_some()) {
      not_before_ = now + apart;
      return;
    }
}

void engine_posts::send_all() {
  while (!posts_.empty() && send_some()) {
  }
}

bool engine_posts::send_some() {
  const bool logs = posts_.front().target == "/logs";
  std::string body = logs ? R"({"entries":[)" : posts_.front().body;
  std::size_t taken = logs ? 0 : 1;
  for (; logs && taken < std::min(posts_.size(), most_entries); ++taken) {
    const auto& post = posts_[taken];
    if (post.target != "/logs" || (taken > 0 && body.size() + post.body.size() > most_body_bytes))
      break;
    body += (taken > 0 ? "," : "") + post.body;
  }
  if (logs)
    body += "]}";
  const auto answer =
      call_engine(config_, {"POST", posts_.front().target, body, {}, answer_within});
  if (!answer) {
    problem_ = answer.error().message;
    return false;
  }
  problem_.clear();
  if (answer->status == too_many || answer->status >= first_server_error) {
    problem_ = refusal_sentence(*answer);
    return false;
  }
  if (answer->status >= first_error) {
    problem_ = refusal_sentence(*answer);
    dropped_ += taken; // it would be refused again
  }
  for (; taken > 0; --taken) {
    bytes_ -= posts_.front().body.size();
    posts_.pop_front();
  }
  return true;
}

} // namespace gasoline
