#include "transport/attach/attach_hello.hpp"

#include "config/version.hpp"
#include "messages/base/enum_names.hpp"
#include "messages/base/json/object_members.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gasoline {

template <>
struct enum_table<attach_role> {
  static constexpr std::array<std::pair<attach_role, std::string_view>, 5> rows{{
      {attach_role::engine, "engine"},
      {attach_role::client, "client"},
      {attach_role::channel, "channel"},
      {attach_role::observer, "observer"},
      {attach_role::hook, "hook"},
  }};
};

namespace {

using nlohmann::json;

/// Raised when the bytes after the hello change their meaning.
constexpr int protocol_version = 1;

constexpr std::string_view greeting = "gasoline";

std::int64_t number_of(const json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

} // namespace

std::string hello_text(attach_role role) {
  std::error_code ec;
  const json document{{"hello", greeting},     {"protocol", protocol_version},
                      {"role", name_of(role)}, {"version", program_version()},
                      {"pid", ::getpid()},     {"cwd", std::filesystem::current_path(ec).string()}};
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

result_or<attach_hello> parse_hello(std::string_view line) {
  const auto document = json::parse(line, nullptr, false);
  if (!document.is_object() || text_member(document, "hello") != greeting)
    return tl::unexpected(user_error{"The first line is no hello of gasoline."});
  const auto role = parse_name<attach_role>(text_member(document, "role"));
  const auto pid = number_of(document, "pid");
  const auto version = number_of(document, "protocol");
  if (!role || version != protocol_version)
    return tl::unexpected(user_error{
        "Process " + std::to_string(pid) + " speaks version " + std::to_string(version) +
        " of the attach protocol and this program version " + std::to_string(protocol_version) +
        "; start both from the same installation of gasoline."});
  return attach_hello{*role, pid, text_member(document, "cwd")};
}

} // namespace gasoline
