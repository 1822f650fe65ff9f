#include "actors/browser/actions/action_run.hpp"
#include "actors/browser/actions/element_search.hpp"
#include "actors/browser/actions/input_events.hpp"
#include "actors/browser/pages/world_table.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

TEST_CASE("a handle names a world and an element in it, and nothing else is one") {
  const auto parts = parse_handle("w3e12");
  REQUIRE(parts);
  CHECK(parts->world == 3);
  CHECK(parts->element == 12);
  CHECK(handle_text(3, 12) == "w3e12");
  for (const auto* text :
       {"", "w", "w3", "we", "w3e", "w3e12x", "e12", "w-1e2", "w3e99999999999999999999"})
    CHECK_MESSAGE(!parse_handle(text), text);
}

TEST_CASE("another document of a frame is another world, and its number never comes back") {
  world_table worlds{2};
  CHECK(worlds.add({"S", "F", "", ""}, 5).number == 1);
  CHECK(worlds.add({"S", "F", "", ""}, 9).number == 2);
  CHECK(worlds.numbered(1) == nullptr);
  CHECK(worlds.of_frame("S", "F")->context == 9);
  worlds.context_gone("S", 5);
  CHECK(worlds.of_frame("S", "F") != nullptr);
  worlds.context_gone("S", 9);
  CHECK(worlds.of_frame("S", "F") == nullptr);
  worlds.add({"S", "F", "", ""}, 5);
  worlds.session_gone("S");
  CHECK(worlds.add({"S", "F", "", ""}, 5).number == 4);
}

TEST_CASE("the last elements that were told of are remembered") {
  world_table worlds{2};
  worlds.remember("w1e1", {"button", "A"});
  worlds.remember("w1e2", {"button", "B"});
  worlds.remember("w1e2", {"button", "C"});
  worlds.remember("w1e3", {"link", "D"});
  CHECK(worlds.told("w1e1") == nullptr);
  CHECK(worlds.told("w1e2")->name == "C");
  CHECK(worlds.told("w1e3")->role == "link");
}

TEST_CASE("clicks are what a mouse makes") {
  const auto single = click_events(10, 20, click_kind::single);
  REQUIRE(single.size() == 3);
  CHECK(single[0].parameters.at("type") == "mouseMoved");
  CHECK(single[1].parameters.at("clickCount") == 1);
  CHECK(single[2].parameters.at("button") == "left");
  const auto twice = click_events(10, 20, click_kind::twice);
  REQUIRE(twice.size() == 5);
  CHECK(twice[4].parameters.at("clickCount") == 2);
  CHECK(click_events(1, 1, click_kind::right)[1].parameters.at("buttons") == 2);
}

TEST_CASE(
    "keys have their names, codes and modifiers; what is none is refused with what there is") {
  const auto enter = *key_events("Enter");
  REQUIRE(enter.size() == 2);
  CHECK(enter[0].parameters.at("text") == "\r");
  CHECK(enter[1].parameters.at("type") == "keyUp");
  const auto all = *key_events("Control+Shift+a");
  CHECK(all[0].parameters.at("modifiers") == 10);
  CHECK(all[0].parameters.at("code") == "KeyA");
  CHECK(!all[0].parameters.contains("text"));
  CHECK((*key_events("+"))[0].parameters.at("text") == "+");
  CHECK((*key_events("Shift++"))[0].parameters.at("key") == "+");
  CHECK((*key_events("cmd+esc"))[0].parameters.at("key") == "Escape");
  CHECK((*key_events("cmd+esc"))[0].parameters.at("modifiers") == 4);
  CHECK((*key_events("return"))[0].parameters.at("text") == "\r");
  for (const auto* text : {"", "Foo", "Control+", "Hyper+A", "ab"})
    CHECK_MESSAGE(!key_events(text), text);
}

TEST_CASE("a text is typed key by key, a long one at once") {
  CHECK(typing_events("aé\n").size() == 6);
  CHECK(typing_events("aé\n")[4].parameters.at("key") == "Enter");
  const auto pasted = typing_events(std::string(500, 'x'));
  REQUIRE(pasted.size() == 1);
  CHECK(pasted[0].method == "Input.insertText");
}

TEST_CASE("what is meant is said in words; texts of pages are quoted on one line") {
  element_choice choice;
  choice.role = "button";
  choice.name = "Save\nall";
  CHECK(choice_words(choice) == "button \"Save all\"");
  choice.css = ".pay";
  CHECK(choice_words(choice) == "css .pay");
  CHECK(page_quote(std::string(300, 'x')).size() < 130);
}

TEST_CASE("effects are told once, and a few of them") {
  action_run run;
  for (int i = 0; i < 30; ++i)
    note_effect(run, "effect " + std::to_string(i / 2));
  CHECK(run.effects.size() == 8);
  CHECK(run.effects[1] == "effect 1");
}
