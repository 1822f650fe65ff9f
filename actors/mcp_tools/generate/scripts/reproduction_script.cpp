#include "actors/mcp_tools/generate/scripts/reproduction_script.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/mcp_tools/generate/generation/script_text.hpp"
#include "actors/mcp_tools/generate/scripts/script_answers.hpp"
#include "actors/mcp_tools/generate/scripts/script_steps.hpp"
#include "actors/mcp_tools/generate/scripts/script_watch.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds least_patience{3'000};
constexpr milliseconds longest_patience{20'000};

/// Waits for an element that only one of the locators may find, each in turn.
constexpr std::string_view find_one = R"(
// The element that the first of the locators finds which finds exactly one: in the page or in a
// window that it has opened, or in their frames. Each further one says less, and has its turn a
// second later, or when those before it find several.
const one = async (page, locators_in, is_framed = false) => {
  for (const begun = Date.now(); Date.now() < begun + 10_000; ) {
    const all = page.context().pages().flatMap((each) => each.frames());
    const frames = all.filter((frame) => is_framed === !!frame.parentFrame());
    let finds_several = false;
    for (let n = 0; finds_several || n * 1_000 <= Date.now() - begun; n++) {
      finds_several = false;
      const locators = frames.flatMap((frame) => locators_in(frame).slice(n, n + 1));
      if (locators.length === 0) break;
      for (const locator of locators) {
        const count = await locator.count().catch(() => 0);
        if (count === 1) return locator;
        finds_several ||= count > 1;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no such element: ${locators_in(page).join(" or ")}`);
};
)";

constexpr std::string_view program_opening = R"(
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage();
page.setDefaultTimeout(10_000);
const seen = [];
)";

constexpr std::string_view program_end = R"(} catch (problem) {
  console.error(`A step could not be done: ${problem.message}`);
  process.exitCode = 2;
}
await browser.close();
if (seen.length > 0) {
  console.error(`The fault is there: ${seen[0]}`);
  process.exitCode = 1;
} else if (!process.exitCode) {
  console.log("The fault was not seen.");
}
)";

/// How long to wait for the fault after the last step.
milliseconds patience(const fault_story& story) {
  const auto& e = *story.seen.newest;
  if (story.actions.empty())
    return 2 * least_patience;
  return std::clamp(e.at - story.actions.back()->at + least_patience, least_patience,
                    longest_patience);
}

std::string wait_lines(const fault_story& story, std::string_view indent) {
  const std::string at{indent};
  return at + "for (const until = Date.now() + " + std::to_string(patience(story).count()) +
         "; seen.length === 0 && Date.now() < until; )\n" + at +
         "  await page.waitForTimeout(50);\n";
}

std::string base_line(const fault_story& story) {
  return "const base = process.env.BASE_URL ?? " + script_string(start_origin(story)) + ";\n";
}

/// The fault and when it was seen, as a comment of one line.
std::string about(const fault_story& story) {
  return "// " + script_string(story.seen.title.view()) + ", seen " +
         to_iso8601(story.seen.last_at) + "\n";
}

/// What the reader has to see to.
std::string remarks(const fault_story& story) {
  std::string out;
  if (has_mask(story.start.view()))
    out += "// The address was redacted: put in its place what is missing.\n";
  return out + "// What was typed is not recorded: values are examples of the same kind.\n";
}

result_or<fault_story> story_on_a_page(const generation_input& input) {
  auto story = tell_fault(input);
  if (!story)
    return story;
  if (start_origin(*story).empty())
    return tl::unexpected(user_error{
        "That fault was not seen on a page of http or https, so no browser can show it again; "
        "bug_report tells what is known of it."});
  return story;
}

std::string sentence_of(const fault_story& story, std::string_view form) {
  const auto steps = steps_in(story);
  return std::string{form} + " with " + counted_words(steps, "step", "steps") + " up to " +
         script_string(story.seen.title.view()) + ".";
}

result_or<artifact> make_reproduction(const generation_input& input) {
  const auto story = story_on_a_page(input);
  if (!story)
    return tl::unexpected(story.error());
  auto text = about(*story);
  text +=
      "// Exits with 1 when the fault is there, 0 when it is not, 2 when a step cannot be done.\n"
      "// Needs playwright-core; CHROMIUM names the browser, BASE_URL another address of the "
      "app.\n";
  text += remarks(*story) + "import { chromium } from \"playwright-core\";\n\n" + base_line(*story);
  text.append(find_one).append(program_opening);
  text += script_dialogs(*story, "") + script_watch(story->seen, "") + "\ntry {\n" +
          script_steps(*story, "  ");
  text += wait_lines(*story, "  ");
  text += program_end;
  return artifact{std::move(text),
                  sentence_of(*story, "Reproduction") +
                      " Run it with node: exit 1 means the fault is there, 0 that it is not."};
}

/// The text with two blanks before each line that has something.
std::string indented(std::string_view text) {
  std::string out;
  bool at_begin = true;
  for (const char c : text) {
    if (at_begin && c != '\n')
      out += "  ";
    out += c;
    at_begin = c == '\n';
  }
  return out;
}

result_or<artifact> make_test(const generation_input& input) {
  const auto story = story_on_a_page(input);
  if (!story)
    return tl::unexpected(story.error());
  auto text = about(*story) + remarks(*story) +
              "import { expect, test } from \"@playwright/test\";\n\n" + base_line(*story);
  text.append(find_one).append("\ntest(");
  text += script_string("gone: " + story->seen.title.str()) + ", async ({ page }) => {\n";
  text += "  const seen = [];\n" + script_dialogs(*story, "  ");
  if (input.call.replay)
    text += script_answers(*story, input.steps, "  ");
  text += indented(script_watch(story->seen, "")) + script_steps(*story, "  ") +
          wait_lines(*story, "  ");
  text += "  expect(seen, \"the fault is gone\").toEqual([]);\n});\n";
  return artifact{std::move(text), sentence_of(*story, "Test for Playwright's runner") +
                                       " It fails as long as the fault is there."};
}

} // namespace

generation reproduction_script() {
  return {"reproduction",
          "a Playwright program of the actions up to a fault; exits 1 when it is there",
          usual_beginning::everything, looked_at::events_and_steps, make_reproduction};
}

generation regression_test() {
  return {"test",
          "the same for Playwright's runner, passes once it is gone; replay: with recorded answers",
          usual_beginning::everything, looked_at::events_and_steps, make_test};
}

} // namespace gasoline
