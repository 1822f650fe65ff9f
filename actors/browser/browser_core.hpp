#pragma once

#include "actors/browser/actions/action_run.hpp"
#include "actors/browser/actions/element_search.hpp"
#include "actors/browser/actions/input_events.hpp"
#include "actors/browser/actions/page_secret.hpp"
#include "actors/browser/cdp/browser_port.hpp"
#include "actors/browser/entries/recent_times.hpp"
#include "actors/browser/entries/request_watch.hpp"
#include "actors/browser/entries/socket_sampler.hpp"
#include "actors/browser/entries/telemetry_outbox.hpp"
#include "actors/browser/pages/page_rest.hpp"
#include "actors/browser/pages/page_table.hpp"
#include "actors/browser/pages/page_worlds.hpp"
#include "config/settings.hpp"
#include "messages/browser/browser_action.hpp"
#include "messages/browser/browser_actors.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What the engine's browser works with.
struct browser_parts {
  ingest_actor ingest; ///< takes what pages say
  std::shared_ptr<browser_dialer> dialer;
  browser_settings settings;
  page_secrets secrets; ///< what may be filled in
  /// What tells of a page what the browser does not: JavaScript for a world of its own. Outlives
  /// this.
  std::string_view watch;
  wall_clock clock;
  limits_of<browser_room, entry_room, result_room> limit;
  std::string_view accessibility_rules; ///< the script of axe-core; empty: this build has none
};

/// The engine's one browser: the link to it, its pages, what they say, and what is done in them.
/// Used by its actor alone.
class browser_core {
 public:
  browser_core(browser_actor::pointer self, browser_parts parts);

  // What the actor is told.
  caf::typed_response_promise<action_report_ptr> act(browser_action_ptr asked);
  void forget(client_id client);
  void said(std::uint64_t link, const std::string& text);
  void lost(std::uint64_t link, const browser_loss& loss);
  void told(std::uint64_t post); ///< a post to the engine has been handled
  void flush();
  nlohmann::json health() const;

  /// Gets a browser unless there is one.
  void connect();

 private:
  enum class stage { none, starting, ready };

  // Its life (browser_core.cpp).
  void begin_session(const std::string& problem);
  void set_up(const browser_session& session, bool waits);
  void fail_all(const std::string& sentence);
  std::string loss_text(const std::string& sentence) const;
  bool is_attached() const { return parts_.settings.start == browser_start::attach; }

  /// How much there was in the second that began then.
  struct second_count {
    mono_time second{};
    std::uint64_t used = 0;
  };

  /// What a session has said lately.
  struct session_speech {
    second_count usual;
    second_count errors;
    std::uint64_t left_out = 0;   ///< beyond them, and not told yet
    recent_times console;         ///< of console lines and errors, which browsers say again
    std::set<std::string> issues; ///< that were told
  };

  // What it says (browser_events.cpp).
  void handle(const cdp_message& event);
  void handle_target(const cdp_message& event);
  void handle_page(const cdp_message& event, const page_ptr& page);
  void handle_context(const cdp_message& event);
  void handle_console(const cdp_message& event);
  void handle_network(const cdp_message& event);
  void attached(const cdp_message& event);
  void detached(std::string_view session);
  void end_with_page(const action_run_ptr& run);
  void leave_context(const std::string& context);
  void crashed(const page_ptr& page);
  std::optional<ended_request> end_in_outer_session(const cdp_message& event);
  void ended(std::string_view session, const ended_request& request);
  bool tell_unread_failures(const page_ptr& page);
  void tell_with_body(const std::string& session, const ended_request& request);
  void tell_whole_body(const std::string& session, const ended_request& request,
                       const nlohmann::json& which);
  void tell_body(const std::string& session, const ended_request& request, std::string_view body);
  void tell_sample(const std::string& session, const ended_request& request);
  void add_body(const std::string& session, const ended_request& request, std::string_view body);
  void add_entry(std::string_view format, std::string_view session, const std::string& entry);
  /// False: this page says too much in this second. Errors have room of their own, so that no flood
  /// of lines hides them.
  bool has_room(std::string_view session, second_count session_speech::*said);
  bool has_room(std::string_view session) { return has_room(session, &session_speech::usual); }
  void tell_left_out(const std::string& session);
  entry_place place_of(std::string_view session);
  void note(const page_ptr& page, std::string effect);
  void hear(const page_ptr& page);
  void stir(const page_ptr& page);
  void hold(const page_ptr& page);
  void hear_request(const cdp_message& event, const std::optional<ended_request>& done);
  bool may_be_told_more(const page_ptr& page) const;
  action_run_ptr run_in(const page_ptr& page) const;

  // What a page measured of its own speed (measures_plan.cpp).
  void tell_measures(const action_run_ptr& run);

  // What of a page some people cannot use (accessibility_plan.cpp).
  void check_accessibility(const action_run_ptr& run);
  void check_frame(const action_run_ptr& run, const page_world& world, hands_then then);
  void take_findings(const page_world& world, const nlohmann::json& found, nlohmann::json& rules);

  // What it is asked to tell (browser_telling.cpp).
  void prepare_document(const browser_session& session, bool waits);
  void prepare_worker(const std::string& session);
  void take_history(const std::string& session);
  void end_history(const std::string& session);
  void take_requests(const std::string& session, nlohmann::json history);
  void take_page_words(const cdp_message& event);
  void ask_for_late_requests(std::string_view session);
  void handle_socket(const cdp_message& event);
  void tell_of_socket(std::string_view session, const std::string& entry);
  void close_socket(const std::string& session, const std::string& id);
  void handle_issue(const cdp_message& event);
  void handle_download(const cdp_message& event);
  void record_action(const action_run_ptr& run);
  std::string now_text() const;

  // What is done in its pages (browser_acting.cpp).
  void begin(const action_run_ptr& run);
  void find_page(const action_run_ptr& run);
  void open_page(const action_run_ptr& run);
  bool may_use_profile(client_id client);
  void open_page_in(const action_run_ptr& run, const std::string& context);
  void enter(const action_run_ptr& run, const page_ptr& page);
  void enter_new(const action_run_ptr& run, const page_ptr& page);
  void perform(const action_run_ptr& run);
  void perform_here(const action_run_ptr& run);
  void settle(const action_run_ptr& run);
  void watch(const action_run_ptr& run);
  void complete(const action_run_ptr& run);
  settle_watch::verdict verdict_on(action_run& run);
  settle_watch::sight sight_of(const page_ptr& page) const;
  void ask_whether_at_rest(const action_run_ptr& run);
  std::vector<std::string> answered_addresses(const page_ptr& page) const;
  void report(const action_run_ptr& run);
  void refuse(const action_run_ptr& run, std::string sentence);
  void finish(const action_run_ptr& run, action_report report);
  void next_in(const page_ptr& page);
  bool has_open_requests(const page_ptr& page) const { return sight_of(page).requests > 0; }
  std::string arrival_text(const page_ptr& page) const;

  // Navigation (navigate_plan.cpp).
  void navigate(const action_run_ptr& run);
  void end_hanging_scripts(const action_run_ptr& run, std::function<void()> then);
  void reload(const action_run_ptr& run);
  void go_to(const action_run_ptr& run, const std::string& url);
  void go_through_history(const action_run_ptr& run, int steps);

  // Elements (element_plans.cpp).
  /// What an element has to be, and where it can be acted on.
  struct ready_element {
    found_element element;
    double x = 0; ///< on the page
    double y = 0;
  };
  using ready_then = std::function<void(const ready_element&)>;
  /// How often it was tried already, and until when.
  struct readiness_try {
    std::size_t round = 0;
    mono_time end{};
  };
  using worlds_then = std::function<void(const std::vector<page_world>&)>;
  void with_worlds(const action_run_ptr& run, worlds_then then);
  void with_element(const action_run_ptr& run, const element_choice& choice,
                    const nlohmann::json& wants, ready_then then);
  void make_ready(const action_run_ptr& run, const found_element& found,
                  const nlohmann::json& wants, ready_then then);
  void try_ready(const action_run_ptr& run, const found_element& found, const nlohmann::json& wants,
                 readiness_try attempt, ready_then then);
  void look_first(const action_run_ptr& run, std::function<void()> then);
  using covered_then = std::function<void(const std::string& cover)>;
  void place(const action_run_ptr& run, const ready_element& ready, ready_then then,
             covered_then covered);
  void place_from(const action_run_ptr& run, const ready_element& ready, const page_frame& frame,
                  ready_then then, covered_then covered);
  std::chrono::milliseconds patience_of(const action_run_ptr& run) const;
  static const nlohmann::json& to_press(); ///< what an element has to be to be clicked
  void press_mouse(const action_run_ptr& run, const ready_element& at, click_kind kind,
                   std::function<void()> then);
  void do_input(const action_run_ptr& run, const std::vector<input_command>& commands,
                const std::function<void()>& then);
  void click(const action_run_ptr& run);
  void hover(const action_run_ptr& run);

  // Writing (typing_plans.cpp).
  void type(const action_run_ptr& run);
  void press(const action_run_ptr& run);
  void fill(const action_run_ptr& run);
  void fill_fields(const action_run_ptr& run, std::size_t index);
  /// A value to fill in, which may be a secret.
  struct field_value {
    std::string text;
    bool is_secret = false;
  };
  void fill_one(const action_run_ptr& run, const element_choice& choice, const field_value& value,
                const std::function<void(const std::string& shown)>& then);
  /// Refuses the action when there is no such secret.
  std::optional<field_value> secret_value(const action_run_ptr& run, const std::string& name);
  bool may_have_secrets(const action_run_ptr& run, const found_element& element);
  void select(const action_run_ptr& run, const element_choice& choice,
              const std::vector<std::string>& values,
              std::function<void(const std::string& shown)> then);
  void write(const action_run_ptr& run, const found_element& element, const std::string& text,
             std::function<void(const std::string& shown)> then);
  void open_list(const action_run_ptr& run, const found_element& element,
                 std::function<void()> then);
  void pick_options(const action_run_ptr& run, const std::vector<std::string>& values,
                    std::size_t index, std::function<void()> then);
  void check(const action_run_ptr& run, const element_choice& choice, bool wanted,
             std::function<void(const std::string& shown)> then);
  void check_boxes(const action_run_ptr& run, const page_world& world,
                   const std::vector<std::uint64_t>& boxes, std::size_t index,
                   std::function<void()> then);

  // Looking (looking_plans.cpp).
  void find(const action_run_ptr& run);
  void snapshot(const action_run_ptr& run);
  void overview(const action_run_ptr& run);
  void answer_dialog(const action_run_ptr& run);
  void answer_open_dialog(const action_run_ptr& run);

  // Watching (watching_plans.cpp).
  void wait_for(const action_run_ptr& run);
  void wait_out(const action_run_ptr& run, std::chrono::seconds rest);
  void read(const action_run_ptr& run);
  void read_in(const action_run_ptr& run, const page_world& world, std::uint64_t element,
               std::size_t most);
  void evaluate(const action_run_ptr& run);
  void run_script(const action_run_ptr& run, const std::string& script);
  void evaluated(const action_run_ptr& run, const cdp_outcome& outcome);
  void show_value(const action_run_ptr& run, const simdjson::dom::element& result);
  void screenshot(const action_run_ptr& run);
  void frame_shot(const action_run_ptr& run, const page_frame& frame, const nlohmann::json& box);
  void shoot(const action_run_ptr& run, double x, double y, double width, double height);

  // Moving (moving_plans.cpp).
  void scroll(const action_run_ptr& run);
  void drag(const action_run_ptr& run);
  void drag_between(const action_run_ptr& run, const ready_element& from, const ready_element& to);
  void end_drag(const action_run_ptr& run, const ready_element& to, bool is_carried);

  // Files (upload_plan.cpp).
  void upload(const action_run_ptr& run);
  void put_files(const action_run_ptr& run, const std::string& session, nlohmann::json where,
                 const std::vector<std::string>& files);
  void upload_by_dialog(const action_run_ptr& run, const found_element& element,
                        const std::vector<std::string>& files);

  // How the page appears (emulate_plan.cpp, showing_plans.cpp).
  void emulate(const action_run_ptr& run);
  void highlight(const action_run_ptr& run);

  // Tabs (tab_plans.cpp).
  void change_tabs(const action_run_ptr& run);
  std::string tab_lines(client_id client) const;

  void see_changes(const action_run_ptr& run, std::function<void()> then);
  void tell(const action_run_ptr& run, std::string text);

  browser_parts parts_;
  browser_port port_;
  cdp_reader reader_;
  page_table table_;
  telemetry_outbox outbox_;
  page_worlds worlds_;
  page_rest rest_;
  element_search search_;
  std::map<std::string, request_watch, std::less<>> requests_;  // by session
  std::map<std::string, std::size_t, std::less<>> open_bodies_; // asked for, by session
  std::map<std::string, socket_sampler, std::less<>> sockets_;  // by session
  std::map<std::string, std::string> downloads_;                // names, by the browser's id

  stage stage_ = stage::none;
  std::uint64_t link_ = 0; // number of the newest
  std::string version_;
  std::string last_loss_; // the sentence that was logged; empty: none since one was there
  std::uint64_t restarts_ = 0;

  std::map<client_id, std::string> contexts_; // of clients that do not work in the profile itself
  client_id in_profile_ = 0;                  // who works in the profile; 0: nobody does
  std::set<std::string> made_contexts_;       // by us, with pages in them
  std::vector<action_run_ptr> waiting_;       // for the browser
  std::map<std::string, action_run_ptr, std::less<>> running_;            // by target of the page
  std::map<std::string, std::deque<action_run_ptr>, std::less<>> queued_; // the same
  std::map<std::string, action_run_ptr, std::less<>> opening_;            // by target that comes up

  std::set<std::uint64_t> posts_; // told to the engine and not handled
  std::uint64_t last_post_ = 0;
  std::vector<std::pair<std::uint64_t, std::function<void()>>> after_posts_; // by the last of them
  bool flush_due_ = false;

  std::map<std::string, session_speech, std::less<>> speech_; // by session
  std::uint64_t overlooked_ = 0;                              // events beyond them
  std::set<std::string> holding_objects_; // sessions whose console values wait to be let go
};

} // namespace gasoline
