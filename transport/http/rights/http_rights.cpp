#include "transport/http/rights/http_rights.hpp"

#include "transport/http/head/header_text.hpp"
#include "transport/http/rights/http_origin.hpp"

namespace gasoline {
namespace {

std::string strange_origin(std::string_view origin) {
  return "The origin " + shown(origin) +
         " is refused; pages on localhost, *.localhost, 127.0.0.1 and [::1] (any port) and browser "
         "extensions may send. For another name, add it to allowed_origins in the settings, or "
         "start the engine with --allowed-origin ORIGIN.";
}

std::string no_reading(std::string_view origin) {
  return "Pages of " + shown(origin) +
         " may send telemetry, and no more: what other projects have sent is not theirs to read. "
         "Add the origin to trusted_origins in the settings, start the engine with "
         "--trusted-origin ORIGIN, or send the header \"Authorization: Bearer TOKEN\".";
}

constexpr std::string_view another_user =
    "The program that asks runs as another user than this engine. Send the header "
    "\"Authorization: Bearer TOKEN\" with the token of the engine's user.";

constexpr std::string_view unknown_user =
    "The kernel does not say which user's program asks. Send the header "
    "\"Authorization: Bearer TOKEN\" with the token of the engine's user.";

constexpr std::string_view other_site =
    "The browser says that a page of another site or port asks; such pages may load the page "
    "script, and no more.";

constexpr std::string_view without_link =
    "This page may send telemetry, and no more; open it with the link that `gasoline open` prints.";

} // namespace

bool http_rights::knows(std::string_view origin) const {
  return is_local_origin(origin) || origins_.allows(origin);
}

std::optional<http_refusal> http_rights::refusal(http_right right,
                                                 const http_caller& caller) const {
  if (caller.origin && !knows(*caller.origin))
    return http_refusal{refused_caller::foreign_origin, strange_origin(*caller.origin)};
  if (caller.has_token)
    return std::nullopt;
  if (caller.user == peer_user::other)
    return http_refusal{refused_caller::other_user, std::string{another_user}};
  if (caller.user == peer_user::unknown)
    return http_refusal{refused_caller::unknown_user, std::string{unknown_user}};
  if (right == http_right::load || caller.own_page)
    return std::nullopt;
  if (!caller.origin && caller.fetch_site == "same-origin" && right == http_right::use)
    return http_refusal{refused_caller::page_without_right, std::string{without_link}};
  if (caller.origin) {
    if (right == http_right::send || origins_.trusts(*caller.origin))
      return std::nullopt;
    return http_refusal{refused_caller::page_without_right, no_reading(*caller.origin)};
  }
  // Whatever else a browser may come to say is no better than the worst that is known.
  if (!caller.fetch_site.empty() && caller.fetch_site != "none" &&
      caller.fetch_site != "same-origin")
    return http_refusal{refused_caller::other_site, std::string{other_site}};
  return std::nullopt;
}

} // namespace gasoline
