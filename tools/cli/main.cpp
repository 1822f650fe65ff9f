#include "actors/agents/tools/command_supervisor.hpp"
#include "actors/agents/tools/user_file_mask.hpp"
#include "config/version.hpp"
#include "messages/streams/named_stream.hpp"
#include "tools/cli/command_ci_report.hpp"
#include "tools/cli/command_ci_watch.hpp"
#include "tools/cli/command_doctor.hpp"
#include "tools/cli/command_line_help.hpp"
#include "tools/cli/command_mcp.hpp"
#include "tools/cli/command_open.hpp"
#include "tools/cli/command_publish.hpp"
#include "tools/cli/command_redact.hpp"
#include "tools/cli/command_replay.hpp"
#include "tools/cli/command_serve.hpp"
#include "tools/cli/command_setup.hpp"
#include "tools/cli/command_tail.hpp"
#include "tools/engine/access_token.hpp"
#include "tools/engine/process/standard_descriptors.hpp"
#include "tools/engine/state_directory.hpp"
#include "tools/page_script/page_script.hpp"
#include "tools/run/command_passage.hpp"
#include "tools/run/copy_channel.hpp"
#include "tools/run/observer.hpp"
#include "tools/terminal/session_tail.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <string_view>

namespace gasoline {
namespace {

constexpr int exit_wrong_usage = 2;

/// The options that every command with settings takes.
void add_settings_options(CLI::App& command, settings_flags& flags) {
  command.add_option("--port", flags.port, "Port on the loopback interface; 0 takes a free one")
      ->type_name("N");
  command.add_option("--host", flags.host, "Loopback address: 127.0.0.1 or ::1")->type_name("ADDR");
  command.add_option("--state-dir", flags.state_dir, "Where port file and log are kept")
      ->type_name("DIR");
  command.add_option("--config", flags.config_file, "Configuration file (JSON, comments allowed)")
      ->type_name("FILE");
  command.add_flag("--require-token", flags.require_token,
                   "Ask for the state directory's token on every HTTP route");
  command.add_option("--token-file", flags.token_file, "The same with a token of your own")
      ->type_name("FILE");
  command.add_option("--log-level", flags.log_level, "trace, debug, info, warning, error, off")
      ->type_name("L");
}

void add_browser_options(CLI::App& command, settings_flags& flags) {
  command
      .add_option(
          "--browser", flags.browser_start,
          "Which browser: on_demand (launched by the first interact), launch (with the engine), "
          "attach (to your own), off")
      ->type_name("WHEN");
  command.add_flag("--headless", flags.browser_headless, "Show no window of that browser");
  command
      .add_option("--browser-path", flags.browser_program,
                  "The browser; default: chromium, google-chrome or chrome in PATH")
      ->type_name("FILE");
  command
      .add_option("--browser-arg", flags.browser_arguments,
                  "A further argument for it; repeatable: --browser-arg=--lang=de")
      ->type_name("ARG");
}

void add_engine_options(CLI::App& command, settings_flags& flags) {
  add_settings_options(command, flags);
  command.add_option("--toolsets", flags.toolsets, "Comma-separated: core, streams, compat")
      ->type_name("LIST");
  command
      .add_option("--allowed-origin", flags.allowed_origins,
                  "Pages that may send telemetry besides those of this machine, such as "
                  "http://myapp.test:3000 or myapp.test; repeatable")
      ->type_name("ORIGIN");
  command
      .add_option("--trusted-origin", flags.trusted_origins,
                  "Pages or extensions that may read and act too; repeatable")
      ->type_name("ORIGIN");
  command.add_option("--record", flags.record_file, "Write redacted traffic as a scenario file")
      ->type_name("FILE");
  add_browser_options(command, flags);
}

/// What says where the engine is, for commands that talk to it.
void add_engine_location(CLI::App& command, settings_flags& flags) {
  command.add_option("--state-dir", flags.state_dir, "The state directory of the engine")
      ->type_name("DIR");
  command.add_option("--config", flags.config_file, "Configuration file (JSON, comments allowed)")
      ->type_name("FILE");
  command.add_option("--token-file", flags.token_file, "The engine's token, if it asks for one")
      ->type_name("FILE");
}

/// `gasoline tail`: the words of the command line.
struct tail_command {
  std::string stream{alerts_stream};
  std::string topic;
  session_tail_options session;
  bool json = false;

  void add_to(CLI::App& app, settings_flags& flags) {
    all = app.add_subcommand("tail", "Print what happens in the running engine");
    all->require_subcommand(1);
    auto* alerts = all->add_subcommand("alerts", "Print every alert");
    auto* one = all->add_subcommand("stream", "Print the events of a stream of type sse");
    one->add_option("NAME", stream, "The stream")->required();
    for (auto* command : {alerts, one}) {
      command->add_option("--topic", topic, "Only these topics: orders.created, orders.*, orders.>")
          ->type_name("FILTER");
      command->add_flag("--json", json, "One JSON object a line");
      add_engine_location(*command, flags);
    }
    follow = all->add_subcommand("session", "Show an agent session as it runs");
    follow->add_option("ID", session.session_id, "The session, as GET /sessions lists it")
        ->required();
    follow->add_option("--submit", session.submit, "Start a turn with this text first")
        ->type_name("TEXT");
    follow->add_flag("--json", json, "One event a line");
    add_engine_location(*follow, flags);
  }

  int run(const settings& config) {
    if (*follow) {
      session.format = json ? tail_format::json : tail_format::text;
      return run_session_tail(config, session);
    }
    return run_tail(config, stream, topic, json ? tail_format::json : tail_format::text);
  }

  CLI::App* all = nullptr;
  CLI::App* follow = nullptr;
};

CLI::App* add_publish_command(CLI::App& app, publish_options& options, settings_flags& flags) {
  auto* command = app.add_subcommand("publish", "Publish an event to a stream");
  command->add_option("NAME", options.stream, "The stream")->required();
  command->add_option("DATA", options.data, "JSON or text; - reads standard input")->required();
  command->add_option("--topic", options.topic, "Topic, such as orders.created");
  command->add_option("--type", options.type, "Event type; default message");
  command
      ->add_option("--create", options.create_type,
                   "Make the stream if it is not there: in_memory, sse or topic")
      ->type_name("TYPE");
  command->add_flag("--lines", options.by_lines, "With -: each line is an event");
  add_engine_location(*command, flags);
  return command;
}

/// `gasoline run`: the words of the command line. The program `gasoline` reads them itself, and
/// comes here for help and for what it does not know.
struct run_subcommand {
  run_options options;

  void add_to(CLI::App& app) {
    command = app.add_subcommand("run", "Run a command and tell the engine what its output says: "
                                        "gasoline run [--name N] -- COMMAND…");
    command->add_option("--name", options.name, "What the engine calls this source")
        ->type_name("N");
    command->add_option("--state-dir", options.state_dir, "The state directory of the engine")
        ->type_name("DIR");
    command->add_option("--config", options.config_file, "Configuration file")->type_name("FILE");
    command->add_option("--token-file", options.token_file, "The engine's token")
        ->type_name("FILE");
    command->add_option("COMMAND", options.command, "The command and its arguments, after --")
        ->required();
    command->positionals_at_end();
  }

  CLI::App* command = nullptr;
};

/// `gasoline ci`: the words of the command line.
struct ci_command {
  ci_report_options reported;
  ci_watch_options watched;

  void add_to(CLI::App& app, settings_flags& flags) {
    auto* all = app.add_subcommand("ci", "Tell the engine how a test run or a CI job ended");
    all->require_subcommand(1);
    report = all->add_subcommand("report", "Tell it what test reports say");
    report
        ->add_option("FILE", reported.files,
                     "JUnit XML, TAP, the output of go test -json, or a log with ::error lines; "
                     "- is standard input")
        ->required();
    report
        ->add_option("--source", reported.source,
                     "Who ran it; default: the CI system, or the format")
        ->type_name("NAME");
    report->add_option("--job", reported.job, "What tells it from other runs of the same commit")
        ->type_name("NAME");
    report->add_option("--ref", reported.ref, "Default: the CI system's, or this working tree's")
        ->type_name("BRANCH");
    report->add_option("--commit", reported.commit, "Default: the CI system's")->type_name("SHA");
    add_engine_location(*report, flags);
    watch = all->add_subcommand("watch", "Follow the runs of this working tree's branch");
    watch->add_option("--with", watched.program, "gh or glab; default: by the address of origin")
        ->check(CLI::IsMember({"gh", "glab"}));
    watch
        ->add_option("--every", watched.every_seconds,
                     "Seconds between two looks while something runs; default 15")
        ->check(CLI::Range(1U, 3600U));
    add_engine_location(*watch, flags);
  }

  CLI::App* report = nullptr;
  CLI::App* watch = nullptr;
};

/// `gasoline setup` and `gasoline uninstall`: the words of the command line.
struct setup_command {
  setup_options options;
  bool print = false;
  bool write = false;

  void add_to(CLI::App& app, const char* name, const char* text) {
    command = app.add_subcommand(name, text);
    command->add_option("CLIENT", options.agents,
                        "claude, codex, gemini, …, project; default: all agents found");
    auto* only_shown = command->add_flag("--print", print, "Show the changes and make none");
    command->add_flag("--write", write, "Make the changes without asking")->excludes(only_shown);
    command->add_option("--state-dir", options.flags.state_dir, "The clients' engine uses it")
        ->type_name("DIR");
    command->add_option("--config", options.flags.config_file, "The clients' engine uses it")
        ->type_name("FILE");
  }

  void add_project_options() {
    command->add_option("--origin", options.project.origins, "The project's pages are of it")
        ->type_name("ORIGIN");
    command->add_option("--service", options.project.services, "The project's programs say it")
        ->type_name("NAME");
    command->add_option("--ci", options.project.ci, "CI source or repository, HOST/PATH@BRANCH")
        ->type_name("NAME");
  }

  setup_options chosen() const {
    auto out = options;
    if (print || write)
      out.consent = print ? setup_consent::print : setup_consent::write;
    return out;
  }

  CLI::App* command = nullptr;
};

template <class Run>
int with_settings(const settings_flags& flags, Run run) {
  const auto config = load_settings(flags, process_environment());
  if (config)
    return run(*config);
  std::cerr << "gasoline: " << config.error().message << '\n';
  return exit_wrong_usage;
}

/// A token file of the user's own is checked before anything starts.
template <class Run>
int with_token(const settings& config, Run run) {
  if (!config.token_file.empty())
    if (const auto token = read_secret_file(config.token_file, access_token_use); !token) {
      std::cerr << "gasoline: " << token.error().message << '\n';
      return exit_wrong_usage;
    }
  return run(config);
}

/// What an engine keeps is its user's alone, so what it keeps it in has to be that, too.
template <class Run>
int with_own_files(const settings& config, Run run) {
  if (const auto problem = state_directory_problem(config.state_dir)) {
    std::cerr << "gasoline: " << problem->message << '\n';
    return exit_wrong_usage;
  }
  keep_files_private();
  return with_token(config, run);
}

std::string version_text() {
  std::string out = "gasoline " + std::string{program_version()};
  if (page_script().empty())
    out += "\npage script: absent (built without Node.js)";
  if (!has_nats_client())
    out += "\nNATS client: absent (streams stay within one engine)";
  return out;
}

int run(int argc, char** argv) {
  CLI::App app{"Gasoline tells the AI agent that builds your software what goes wrong in it.",
               "gasoline"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);

  settings_flags flags;
  auto* mcp = app.add_subcommand("mcp", "Run as an MCP server on stdio; an editor starts this");
  add_engine_options(*mcp, flags);
  mcp->add_flag("--channel", flags.channel,
                "Push alerts into a Claude Code conversation (its channels, a research preview)");
  auto* serve = app.add_subcommand("serve", "Run the engine without a stdio client");
  add_engine_options(*serve, flags);
  serve->add_flag("--conformance-fixtures", flags.conformance_fixtures)->group("");
  auto* doctor = app.add_subcommand("doctor", "Say what runs, what is wrong and what to do");
  add_settings_options(*doctor, flags);
  bool all_limits = false;
  doctor->add_flag("--limits", all_limits, "List every limit with its value instead");
  doctor_options diagnosed;
  doctor->add_flag("--json", diagnosed.as_json, "Print it as one JSON document");

  auto* redact = app.add_subcommand(
      "redact", "Show what would be masked in standard input, and by which rule");
  redact->add_option("--config", flags.config_file, "Configuration file (JSON, comments allowed)")
      ->type_name("FILE");

  tail_command tail;
  tail.add_to(app, flags);
  publish_options published;
  auto* publish = add_publish_command(app, published, flags);

  auto* open = app.add_subcommand(
      "open", "Print a link that opens the engine's page in a browser, once, within a minute");
  add_engine_location(*open, flags);

  run_subcommand wrapped;
  wrapped.add_to(app);
  ci_command ci;
  ci.add_to(app, flags);

  setup_command setup;
  setup.add_to(app, "setup", "Tell the agents of this machine about gasoline");
  setup.add_project_options();
  setup_command uninstall;
  uninstall.add_to(app, "uninstall", "Take back what setup has written");
  // The program `gasoline` answers hooks before it becomes this one.
  app.add_subcommand("hook", "Answer an agent's hook; setup writes the calls");

  std::filesystem::path scenario_file;
  std::string format = "text";
  auto* replay = app.add_subcommand("replay", "Play a scenario file under virtual time");
  replay->add_option("FILE", scenario_file, "Scenario, one JSON object a line")->required();
  replay->add_option("--format", format, "text or jsonl")->check(CLI::IsMember({"text", "jsonl"}));

  if (const auto problem = find_command_problem(app, {argv + 1, argv + argc})) {
    if (!problem->sentence.empty())
      std::cerr << "gasoline: " << problem->sentence << "\n\n";
    std::cerr << problem->help;
    return exit_wrong_usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : exit_wrong_usage;
  }
  if (app.got_subcommand("hook"))
    return 0;
  if (*wrapped.command)
    return run_command(wrapped.options);
  if (*ci.watch)
    return with_settings(flags, [&](const auto& s) { return run_ci_watch(s, ci.watched); });
  if (*ci.report)
    return with_settings(flags, [&](const auto& s) { return run_ci_report(s, ci.reported); });
  if (*setup.command)
    return run_setup(setup.chosen());
  if (*uninstall.command)
    return run_uninstall(uninstall.chosen());
  if (*mcp)
    return with_settings(flags, [](const auto& s) { return with_own_files(s, run_mcp); });
  if (*serve)
    return with_settings(flags, [](const auto& s) { return with_own_files(s, run_serve); });
  if (*doctor)
    return with_settings(flags, [&](const settings& s) {
      diagnosed.flags = flags;
      return all_limits ? run_doctor_limits(s) : run_doctor(s, diagnosed);
    });
  if (*redact)
    return with_settings(flags, run_redact);
  if (*tail.all)
    return with_settings(flags, [&](const auto& s) { return tail.run(s); });
  if (*open)
    return with_settings(flags, run_open);
  if (*publish)
    return with_settings(flags, [&](const auto& s) { return run_publish(s, published); });
  return run_replay(scenario_file, format == "jsonl" ? replay_format::jsonl : replay_format::text);
}

} // namespace
} // namespace gasoline

int main(int argc, char** argv) {
  if (!gasoline::open_standard_descriptors())
    return 1;
  if (argc == 3 && std::string_view{argv[1]} == gasoline::supervisor_argument)
    return gasoline::supervise_command(argv[2]);
  if (argc > 1 && std::string_view{argv[1]} == gasoline::observer_argument)
    return gasoline::observe_command({argv + 2, argv + argc});
  try {
    return gasoline::run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "gasoline: " << e.what() << '\n';
    return 1;
  }
}
