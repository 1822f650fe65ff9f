#include "actors/detection/fault/logged_fault.hpp"
#include "tests/unit/support/event_samples.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;

namespace {

logged_fault logged(literal message) {
  return logged_fault_in(console_event(log_level::error, message));
}

std::string reason(literal message) {
  return build_reason(console_event(log_level::error, message)).str();
}

} // namespace

TEST_CASE("what tools print of a failed build") {
  const literal lines[] = {
      "[vite] Failed to reload /src/Cart.jsx. This could be due to syntax errors",
      "[vite] Internal Server Error\nTransform failed with 1 error:\n/src/Cart.jsx:3:7",
      "[hmr] Failed to reload /src/App.vue. (see errors above)",
      "[plugin:vite:react-babel] /src/Cart.jsx: Unexpected token (2:4)",
      "[webpack-dev-server] ./src/cart.js 2:105\nModule parse failed: Unexpected token (2:105)",
      "[webpack-dev-server] ERROR\n./src/cart.js 3:0-31\nModule not found: Error: Can't resolve",
      "[webpack-dev-server] Errors while compiling. Reload prevented.",
      "Uncaught Error: Module build failed (from ./node_modules/babel-loader/lib/index.js):",
      "Failed to compile",
      "./app/page.js:1:1\nModule not found: Can't resolve './prices'",
      "⨯ ./app/page.tsx:5:1\nParsing ecmascript source code failed",
      "🚨 Build failed.\n\n@parcel/core: Failed to resolve './prices'",
      "✘ [ERROR] TS2322: Type 'string' is not assignable to type 'number'.",
      "[vite] Internal server error: /src/routes/+page.svelte:7:2 Unexpected token",
      "[rsbuild] Build failed. 1 error",
      "Module build failed (from builtin:swc-loader):",
  };
  for (const auto line : lines) {
    INFO(line.view());
    CHECK(logged(line) == logged_fault::build);
  }
}

TEST_CASE("what a page prints in like words is no build") {
  CHECK(logged("Failed to load orders") == logged_fault::none);
  CHECK(logged("Internal Server Error") == logged_fault::none);
  CHECK(logged("Build failed") == logged_fault::none);
  CHECK(logged("Failed to load resource: the server responded with a status of 500 ()") ==
        logged_fault::none);
  CHECK(logged("validation failed") == logged_fault::none);
  auto line = console_event(log_level::warn, "[vite] Failed to reload /src/a.js");
  CHECK(logged_fault_in(line) == logged_fault::none);
}

TEST_CASE("errors that frameworks catch, or that a page logs with their stack") {
  CHECK(logged("ERROR TypeError: Cannot read properties of undefined (reading 'first')\n    at "
               "Cart_Template (http://localhost:4200/main.js:40:12)") == logged_fault::error);
  CHECK(logged("profile failed Error: HTTP 500\n    at load (http://localhost:3000/a.js:1:2)") ==
        logged_fault::error);
  auto e = console_event(log_level::error, "TypeError: x is not a function");
  CHECK(logged_fault_in(e) == logged_fault::none);
  e.stack = literal{"at f (http://localhost:3000/a.js:1:2)"};
  CHECK(logged_fault_in(e) == logged_fault::error);
  CHECK(logged("slow\n    at f (http://localhost:3000/a.js:1:2)") == logged_fault::none);
  CHECK(logged("The above error occurred in the <Cart> component.") == logged_fault::report);
  CHECK(logged("Hydration failed because the server rendered HTML didn't match the client.") ==
        logged_fault::hydration);
  CHECK(logged("[GraphQL error]: Message: no such user") == logged_fault::graphql);
}

TEST_CASE("a build's reason is its file and what is wrong with it") {
  CHECK(reason("[webpack-dev-server] ./src/cart.js 2:105\nModule parse failed: Unexpected token") ==
        "./src/cart.js 2:105: Module parse failed: Unexpected token");
  CHECK(reason("[vite] Failed to reload /src/Cart.jsx. (see errors above)") ==
        "Failed to reload /src/Cart.jsx. (see errors above)");
  auto e = exception_event("Unexpected token (12:3)", "");
  e.build = build_state::failed;
  e.fields = literal{R"("build":"failed","filename":"/src/Cart.jsx","lineno":12,"colno":3)"};
  CHECK(logged_fault_in(e) == logged_fault::build);
  CHECK(build_reason(e).str() == "/src/Cart.jsx:12:3: Unexpected token (12:3)");
}
