#include "actors/ingest/formats/otlp/foreign_stack.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {

TEST_CASE("traces of other languages: the frame that threw comes first") {
  CHECK(readable_stack("Traceback (most recent call last):\n"
                       "  File \"/app/db.py\", line 3, in connect\n"
                       "    raise OSError\n"
                       "OSError\n\n"
                       "During handling of the above exception, another exception occurred:\n\n"
                       "Traceback (most recent call last):\n"
                       "  File \"/app/main.py\", line 5, in <module>\n"
                       "    run()\n"
                       "    ~~~^^\n"
                       "  File \"/app/my orders.py\", line 88, in list_orders\n"
                       "    query()\n"
                       "RuntimeError: no orders\n") ==
        "    at list_orders (/app/my_orders.py:88)\n    at <module> (/app/main.py:5)");
  CHECK(readable_stack("goroutine 1 [running]:\nmain.list(0x1, {0xc, 0xd})\n"
                       "\t/app/orders.go:88 +0x1d\nmain.main()\n\t/app/main.go:7 +0x25\n") ==
        "    at main.list (/app/orders.go:88)\n    at main.main (/app/main.go:7)");
  CHECK(readable_stack("/app/orders.rb:88:in `list': no orders (RuntimeError)\n"
                       "\tfrom /app/main.rb:5:in '<main>'\n") ==
        "    at list (/app/orders.rb:88)\n    at <main> (/app/main.rb:5)");
  CHECK(readable_stack("#0 /app/orders.php(88): list_orders('a')\n#1 {main}\n") ==
        "    at list_orders('a') (/app/orders.php:88)");
  CHECK(readable_stack("System.Exception: no\n   at Shop.Orders.List(Int32 n) in "
                       "/app/Orders.cs:line 88\n   at Shop.Main()\n") ==
        "    at Shop.Orders.List (/app/Orders.cs:88)");
}

TEST_CASE("traces of V8 and Java, and text that is none, stay as they are") {
  for (const std::string text :
       {"TypeError: x\n    at f (/app/a.js:1:2)", "java.lang.Error\n\tat a.B.c(B.java:12)", "",
        "\n", "File \"", "File \"a\", line x, in y", "#0 (): ", "#1 a(b): c", ":in ", "from :in '",
        "at x() in :line ", ".go:1"})
    CHECK(readable_stack(text) == text);
}

} // namespace gasoline
