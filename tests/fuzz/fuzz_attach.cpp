// Lines of processes at the attach socket: the hello and the question and answer of a hook.
#include "transport/attach/attach_hello.hpp"
#include "transport/attach/hook_line.hpp"

#include <cstdint>
#include <cstdlib>

using namespace gasoline;

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line{reinterpret_cast<const char*>(data), size};
  if (const auto hello = parse_hello(line); !hello && hello.error().message.empty())
    std::abort();
  parse_answer(line);
  const auto question = parse_question(line);
  if (!question)
    return 0;
  const auto again = parse_question(question_line(*question));
  if (!again || question_line(*again) != question_line(*question))
    std::abort();
  return 0;
}
