#include "config/settings.hpp"
#include "config/values/attach_address.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace gasoline;

TEST_CASE("the socket is in the state directory unless there is a runtime directory") {
  CHECK(attach_socket_path("/var/state/gasoline", {}) == "/var/state/gasoline/engine.sock");
  const auto path = attach_socket_path("/var/state/gasoline", "/run/user/7");
  CHECK(path.parent_path() == "/run/user/7/gasoline");
  CHECK(path.filename().string().starts_with("engine-"));
  CHECK(path.extension() == ".sock");
}

TEST_CASE("two spellings of a state directory have one socket, two directories have two") {
  const auto path = attach_socket_path("/var/state/a", "/run");
  CHECK(attach_socket_path("/var/state/../state/a/", "/run") == path);
  CHECK(attach_socket_path("/var/state/b", "/run") != path);
  CHECK(attach_socket_path("/var/state/a/", {}) == attach_socket_path("/var/state/a", {}));
}

TEST_CASE("a path that is too long for a socket is replaced by a short one") {
  const std::string deep = "/" + std::string(94, 'd');
  CHECK(attach_socket_path(deep, {}).string().size() == socket_path_bytes);
  const auto longer = attach_socket_path(deep + "d", {});
  CHECK(longer.string().size() <= socket_path_bytes);
  CHECK(longer.parent_path().parent_path() == "/tmp");
  CHECK(longer != attach_socket_path(deep + "e", {}));
  CHECK(attach_socket_path("/var/state/a", "/" + std::string(100, 'r')).string().size() <=
        socket_path_bytes);
}

TEST_CASE("--state-dir takes the socket with it") {
  const environment env{{"HOME", "/home/u"}, {"XDG_RUNTIME_DIR", "/run/user/7"}};
  CHECK(load_settings({}, env)->attach_socket.parent_path() == "/run/user/7/gasoline");
  settings_flags moved;
  moved.state_dir = "/var/state/x";
  CHECK(load_settings(moved, env)->attach_socket == "/var/state/x/engine.sock");
}

TEST_CASE("a token file implies that the token is asked for") {
  const environment env{{"HOME", "/home/u"}};
  CHECK_FALSE(load_settings({}, env)->require_token);
  settings_flags flags;
  flags.token_file = "/home/u/token";
  const auto s = load_settings(flags, env);
  CHECK(s->require_token);
  CHECK(s->token_file == "/home/u/token");
  flags.token_file = "";
  CHECK_FALSE(load_settings(flags, env));
  CHECK(load_settings({}, {{"HOME", "/h"}, {"GASOLINE_TOKEN_FILE", "/t"}})->require_token);
  CHECK(apply_config_text({}, R"({"require_token":true})", "c.json")->require_token);
  CHECK_FALSE(apply_config_text({}, R"({"require_token":"yes"})", "c.json"));
}
