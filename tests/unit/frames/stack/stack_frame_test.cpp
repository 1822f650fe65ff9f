#include "actors/frames/stack/frame_folding.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

namespace {

struct frame_row {
  std::string line;
  std::string function;
  std::string file;
  std::uint32_t at_line;
  std::uint32_t column;
};

TEST_CASE("frames of all browsers and runtimes are read") {
  const frame_row rows[] = {
      {"    at Total (http://localhost:4271/src/Cart.jsx?t=17:6:60)", "Total",
       "http://localhost:4271/src/Cart.jsx?t=17", 6, 60},
      {"    at http://localhost:1/a.js:7:1", "", "http://localhost:1/a.js", 7, 1},
      {"at async load (http://h/a.js:7:1)", "load", "http://h/a.js", 7, 1},
      {"at async http://h/a.js:7:1", "", "http://h/a.js", 7, 1},
      {"at new Cart (http://h/a.js:7:1)", "new Cart", "http://h/a.js", 7, 1},
      {"at Page (webpack-internal:///(app-pages-browser)/./app/page.js:23:11)", "Page",
       "webpack-internal:///(app-pages-browser)/./app/page.js", 23, 11},
      {"at poll (webpack:///./src/shop.js?:65:13)", "poll", "webpack:///./src/shop.js?", 65, 13},
      {"at eval (eval at run (http://h/a.js:3:5), <anonymous>:1:7)", "eval", "http://h/a.js", 3, 5},
      {"at f (eval at a (eval at b (http://h/a.js:3:5), <anonymous>:2:2), <anonymous>:1:7)", "f",
       "http://h/a.js", 3, 5},
      {"at f (http://localhost/My App (2)/a b.js:1:2)", "f", "http://localhost/My App (2)/a b.js",
       1, 2},
      {"at http://localhost/My App/a.js:1:2", "", "http://localhost/My App/a.js", 1, 2},
      {R"(at f (C:\My Work\a.js:1:2))", "f", R"(C:\My Work\a.js)", 1, 2},
      {"at Object.<anonymous> (/srv/app/index.js:1:2)", "Object.<anonymous>", "/srv/app/index.js",
       1, 2},
      {"at node:internal/main:1:2", "", "node:internal/main", 1, 2},
      {"at f (blob:http://h/1f-2:1:2)", "f", "blob:http://h/1f-2", 1, 2},
      {"f@http://h/@vite/client:1:2", "f", "http://h/@vite/client", 1, 2},
      {"http://h/@vite/client:1:2", "", "http://h/@vite/client", 1, 2},
      {"async*f@http://h/a.js:1:2", "f", "http://h/a.js", 1, 2},
      {"@http://h/a.js:1:2", "", "http://h/a.js", 1, 2},
      {"run@http://h/a.js line 3 > eval:1:2", "run", "http://h/a.js", 3, 0},
      {R"(  File "/srv/a.py", line 3, in total)", "total", "/srv/a.py", 3, 0},
      {"at Array.map (<anonymous>)", "Array.map", "", 0, 0},
      {"map@[native code]", "map", "", 0, 0},
      {"at f (wasm://wasm/1f:wasm-function[3]:0x1a)", "f", "wasm://wasm/1f:wasm-function[3]:0x1a",
       0, 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.line);
    const auto frame = parse_frame(row.line);
    REQUIRE(frame);
    CHECK(frame->function == row.function);
    CHECK(frame->file == row.file);
    CHECK(frame->line == row.at_line);
    CHECK(frame->column == row.column);
  }
  for (const std::string text : {"TypeError: x is not a function", "… 480 more frames", "", "at",
                                 "(", "a@b.test wrote", "see (the notes)"})
    CHECK_MESSAGE(!parse_frame(text), text);
}

TEST_CASE("a stack folds to own frames and one line for the others") {
  const std::string stack = "TypeError: x\n"
                            "    at Total (http://localhost:1/src/Cart.jsx?t=17:6:60)\n"
                            "    at Object.react_stack_bottom_frame (http://localhost:1/"
                            "node_modules/.vite/deps/react-dom_client.js?v=3:1:2)\n"
                            "    at Array.map (<anonymous>)\n"
                            "    at async Cart (http://localhost:1/src/Cart.jsx?t=17:20:5)\n"
                            "    at b (http://localhost:1/node_modules/@scope/kit/b.js:1:2)\n"
                            "… 3 more frames";
  CHECK(folded_stack(stack, {"http://localhost:1/cart"}) ==
        "at Total (/src/Cart.jsx:6:60)\nat async Cart (/src/Cart.jsx:20:5)\n"
        "+3 in react-dom_client, @scope/kit, … 3 more frames");
  CHECK(folded_stack(stack, {"http://localhost:2/"})
            .starts_with("at Total (http://localhost:1/src/Cart.jsx:6:60)\n"));
  CHECK(folded_stack("a@http://h/node_modules/x/i.js:1:2", {""}) ==
        "at a (http://h/node_modules/x/i.js:1:2)\n+1 in x");
  CHECK(folded_stack("TypeError: x", {""}).empty());
}

TEST_CASE("what a server component threw is the project's") {
  const auto frame = parse_frame("at Order (about://React/Server/file:///home/dev/next/.next/dev/"
                                 "server/chunks/ssr/a._.js?10:19:11)");
  REQUIRE(frame);
  CHECK_FALSE(is_library_frame(*frame));
}

TEST_CASE("component stacks are one line of names") {
  CHECK(folded_message("Warning: key\n\n    at Cart (http://localhost:1/src/Cart.jsx:1:2)\n"
                       "    at div\n    at App\n") == "Warning: key\nin Cart < div < App");
  CHECK(folded_message("[Vue warn]: Unhandled error\n  at <Cart items=[1] >\n  at <App>") ==
        "[Vue warn]: Unhandled error\nin Cart < App");
  CHECK(folded_message("one\n\ntwo") == "one\ntwo");
}

} // namespace
