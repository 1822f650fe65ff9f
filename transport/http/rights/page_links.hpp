#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Lets a browser of the user's in: a link that works once, within a minute, gives it a cookie that
/// lasts for twelve hours, or as long as the engine. Of both only hashes are kept. The cookie
/// counts for pages that the engine itself has served (`http_rights`), since browsers send it to
/// every port of this machine.
class page_links {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// The code of a new link; empty when the kernel gives no random bytes.
  std::string make_code(time_point now);

  /// The cookie for whoever comes with that code; nothing: it is unknown, used or too old.
  std::optional<std::string> redeem(std::string_view code, time_point now);

  /// Whether one of these cookies (the header `Cookie`) is good.
  bool admits(std::string_view cookies, time_point now) const;

  /// The line that gives the browser its cookie.
  static std::string set_cookie_line(std::string_view cookie);

 private:
  struct kept_secret {
    std::string hash;
    time_point until;
  };

  static void keep(std::deque<kept_secret>& in, std::string_view secret, time_point until);
  static std::deque<kept_secret>::const_iterator find(const std::deque<kept_secret>& in,
                                                      std::string_view secret, time_point now);

  std::deque<kept_secret> codes_;
  std::deque<kept_secret> cookies_;
};

} // namespace gasoline
