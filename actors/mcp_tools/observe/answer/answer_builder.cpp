#include "actors/mcp_tools/observe/answer/answer_builder.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

/// Room kept for the sentence and the counts around the items.
constexpr std::uint64_t answer_frame_bytes = 600;

} // namespace

answer_builder::answer_builder(const observe_call& call)
    : call_(call),
      budget_(call.query.max_bytes > answer_frame_bytes ? call.query.max_bytes - answer_frame_bytes
                                                        : call.query.max_bytes) {}

bool answer_builder::add(std::string item) {
  if (count_ >= call_.query.limit)
    return false;
  if (count_ > 0 && items_.size() + item.size() + 1 > budget_)
    return false;
  if (count_ == 0 && item.size() > budget_)
    item = shortened_item(item);
  if (count_ > 0)
    items_ += ',';
  items_ += item;
  ++count_;
  return true;
}

std::string answer_builder::finish(std::string sentence, std::uint64_t total,
                                   std::uint64_t next_cursor, std::uint64_t noise_hidden) {
  if (!call_.ignored.empty())
    sentence += " Ignored arguments: " + call_.ignored + ".";
  std::string out = std::move(sentence);
  out += '\n';
  json_object_writer w{out};
  w.raw("items", "[" + items_ + "]");
  // Nothing of nothing: the sentence has said it.
  if (count_ > 0 || total > 0 || noise_hidden > 0)
    w.number("count", count_).number("total", total);
  if (next_cursor > 0)
    w.text("cursor", "e" + std::to_string(next_cursor));
  if (noise_hidden > 0)
    w.number("noise_hidden", noise_hidden);
  w.close();
  return out;
}

std::string answer_builder::finish_new(std::string sentence, std::uint64_t total,
                                       std::uint64_t since_cursor, std::uint64_t noise_hidden) {
  auto out = finish(std::move(sentence), total, 0, noise_hidden);
  out.pop_back();
  return out += R"(,"since_cursor":"e)" + std::to_string(since_cursor) + R"("})";
}

/// An item above the whole budget keeps the beginning of its long texts.
std::string answer_builder::shortened_item(const std::string& item) const {
  auto object = nlohmann::json::parse(item, nullptr, false);
  if (!object.is_object())
    return item;
  const auto share = std::max<std::size_t>(budget_ / 4, 64);
  for (auto& [key, value] : object.items()) {
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.size() <= share)
      continue;
    value = std::string{utf8_beginning(text, share)} + "…[" + std::to_string(text.size()) +
            " bytes; raise max_bytes to see all]";
  }
  auto out = dumped(object);
  return out.size() <= budget_ ? out : std::string{R"({"too_large":true})"};
}

list_pager::list_pager(const observe_call& call, std::size_t size)
    : call_(call),
      answer_(call),
      size_(size),
      first_(std::min<std::uint64_t>(call.query.before_sequence, size)),
      next_(first_) {}

std::string list_pager::finish(const std::string& remark) {
  const auto& words = call_.subject;
  if (size_ == 0)
    return answer_.finish("No " + std::string{words.many} + " so far. " + std::string{words.hint},
                          0, 0, 0);
  const bool more = next_ < size_;
  return answer_.finish(counted(size_, words) + remark +
                            (more ? "; pass cursor for older ones. " : ". ") +
                            std::string{outside_text_label},
                        size_, more ? next_ : 0, 0);
}

} // namespace gasoline
