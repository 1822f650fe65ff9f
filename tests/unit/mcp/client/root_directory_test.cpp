#include "actors/mcp/client/root_directory.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using paths = std::vector<std::string>;

TEST_CASE("the URI of a root is a path of this machine, encoded or not") {
  CHECK(paths_of_root("file:///home/user/shop") == paths{"/home/user/shop"});
  CHECK(paths_of_root("file:///home/user/shop/") == paths{"/home/user/shop"});
  CHECK(paths_of_root("FILE://localhost/home/./user/x/../shop") == paths{"/home/user/shop"});
  CHECK(paths_of_root("file:/home/user/shop") == paths{"/home/user/shop"});
  CHECK(paths_of_root("file:///a%20b") == paths{"/a b", "/a%20b"});
  CHECK(paths_of_root("file:///c%23#x") == paths{"/c#", "/c%23#x"});
  CHECK(paths_of_root("file:///100%done") == paths{"/100%done"});
}

TEST_CASE("what is no directory of this machine, or all of it, is none") {
  const auto longer = "file://" + std::string(5'000, '/') + "x" + std::string(5'000, 'y');
  for (const std::string& uri :
       {std::string{}, std::string{"file:"}, std::string{"file://"}, std::string{"file:///"},
        std::string{"file:///.."}, std::string{"file://server/share"}, std::string{"/home/user"},
        std::string{"https://localhost/home"}, std::string{"file:relative"},
        std::string{"file:///a\nb"}, longer}) {
    CAPTURE(uri);
    CHECK(paths_of_root(uri).empty());
  }
  CHECK(paths_of_root("file:///a%00b") == paths{"/a%00b"});
  CHECK(root_directory("file:///no/such/directory").empty());
  CHECK(root_directory("file:///tmp") == "/tmp");
}
