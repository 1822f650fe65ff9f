#pragma once

#include "actors/browser/cdp/browser_port.hpp"
#include "actors/browser/pages/page_table.hpp"
#include "actors/browser/pages/world_table.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What a function of `page_hands` answered.
struct hands_answer {
  std::string problem;  ///< empty: there is a value
  nlohmann::json value; ///< an object without members where there is nothing to tell
};

using hands_then = std::function<void(const hands_answer&)>;

/// `page_hands` in the frames of pages: put there when it is first needed, and asked. Used by
/// its actor alone.
class page_worlds {
 public:
  page_worlds(browser_port& port, page_table& table, const limits_of<browser_room>& limit)
      : port_(port), table_(table), worlds_(limit.browser.handles) {}

  /// The worlds of all frames of a page that answer, its own first.
  void each(const page_ptr& page, std::function<void(std::vector<page_world>)> then);

  /// Calls a function there; `patience` is what it may take besides its usual time.
  void ask(const page_world& world, std::string_view function, const nlohmann::json& arguments,
           hands_then then, std::chrono::milliseconds patience = {});

  /// Runs a script there, whose value nobody needs; `then` gets what was thrown, or nothing.
  void run(const page_world& world, std::string_view script, hands_then then);

  /// An element as the browser's own commands name it: `then` gets its `objectId`, empty when it is
  /// gone.
  void object(const page_world& world, std::uint64_t element,
              std::function<void(const std::string& object)> then);

  /// In CSS pixels, from the corner of what is shown.
  struct point {
    double x = 0;
    double y = 0;
  };

  /// Whether it is what a page itself shows.
  bool is_page(const page_frame& frame);

  /// From a frame's own coordinates to those of the document that it stands in or, where several
  /// frames share a process, of the outermost of them; frames may be scaled and turned.
  void step_out(const page_frame& frame, point at,
                std::function<void(const page_frame& outer, point at)> then);

  /// From a frame's own coordinates to its page's.
  void to_page(const page_frame& frame, point at, std::function<void(point)> then);

  world_table& worlds() { return worlds_; }

 private:
  /// Frames whose worlds are being got ready.
  struct gathering {
    std::vector<std::vector<page_frame>> of_sessions; ///< as they were asked, the page's own first
    std::vector<page_frame> frames;                   ///< all of them, once all have answered
    std::size_t open = 0;
    std::function<void(std::vector<page_world>)> then;
  };
  using gathering_ptr = std::shared_ptr<gathering>;

  void make_worlds(const gathering_ptr& gathered);
  void make_world(const gathering_ptr& gathered, const page_frame& frame);
  void settle(const gathering_ptr& gathered);
  void look_for_roots(const gathering_ptr& gathered);
  void hand_in_roots(const page_world& world, const std::string& list, std::function<void()> then);
  void hand_in_root(const page_world& world, const std::string& host, std::function<void()> then);

  browser_port& port_;
  page_table& table_;
  world_table worlds_;
};

} // namespace gasoline
