#pragma once

#include "config/sections/origin_settings.hpp"
#include "transport/http/rights/tcp_peer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// What a route gives to whoever may call it. Each row of the route table names one; who has it is
/// decided in `http_rights` alone.
enum class http_right : std::uint8_t {
  load, ///< load the page script
  send, ///< send telemetry; learn that an engine is here
  use   ///< read and act: MCP, streams, agent sessions, the whole health document
};

/// Who asks, as far as rights depend on it. The views belong to the request.
struct http_caller {
  std::optional<std::string_view> origin; ///< the header `Origin`
  std::string_view fetch_site;            ///< `Sec-Fetch-Site`; empty: no browser says so
  peer_user user = peer_user::own;        ///< whose program holds the other end
  bool has_token = false;                 ///< shows the token of this engine
  bool own_page = false; ///< a page that this engine has served, with the cookie of a link
};

/// Who was refused.
enum class refused_caller : std::uint8_t {
  foreign_origin,     ///< a page that may not call at all
  page_without_right, ///< a page that may only send
  other_user,         ///< a program of another user
  unknown_user,       ///< one that nobody can say of whose it is: mostly, it had gone already
  other_site          ///< a browser that says that another site or port asks
};

inline constexpr std::size_t refused_caller_count = 5;

/// Why a caller does not have a right.
struct http_refusal {
  refused_caller who;
  std::string sentence; ///< what is wrong and what to do
};

/// The table of rights:
///
/// | who                                                                | load | send | use |
/// |--------------------------------------------------------------------|------|------|-----|
/// | page of this machine (localhost, *.localhost, loopback), extension | yes  | yes  |     |
/// | origin in `allowed_origins`                                        | yes  | yes  |     |
/// | origin in `trusted_origins`                                        | yes  | yes  | yes |
/// | page that this engine served, with the cookie of a link            | yes  | yes  | yes |
/// | program of the same user (no `Origin`, no browser's mark)          | yes  | yes  | yes |
/// | page that this engine served, without it                           | yes  | yes  |     |
/// | browser without `Origin` from another site or port                 | yes  |      |     |
/// | holder of the token, from none or one of the origins above         | yes  | yes  | yes |
/// | program of another user, foreign origin                            |      |      |     |
class http_rights {
 public:
  explicit http_rights(origin_settings origins = {}) : origins_(std::move(origins)) {}

  /// Why this caller does not have that right; nothing: it has.
  std::optional<http_refusal> refusal(http_right right, const http_caller& caller) const;

  /// Whether pages of this origin may call anything at all.
  bool knows(std::string_view origin) const;

 private:
  origin_settings origins_;
};

} // namespace gasoline
