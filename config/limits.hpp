#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gasoline {

/// Every cap and window of the program, each with its default. Nothing else in the code holds a
/// number of this kind. Byte sizes are in bytes; times carry their unit in the name.
struct limits {
  // HTTP
  std::uint64_t http_body_bytes = 10ULL << 20;
  std::uint64_t http_ci_body_bytes = 1ULL << 20;
  std::uint64_t http_inflated_bytes = 20ULL << 20;
  std::uint64_t http_header_bytes = 16ULL << 10;
  std::uint64_t http_connections = 4'096;
  std::uint64_t http_streams = 2'048;
  std::uint64_t http_stream_unsent_bytes = 1ULL << 20;
  std::uint64_t http_inflight_bytes = 64ULL << 20;
  std::uint64_t http_read_timeout_ms = 10'000;
  std::uint64_t http_idle_timeout_ms = 60'000;
  // MCP over HTTP
  std::uint64_t mcp_sessions = 2'000;
  std::uint64_t mcp_session_idle_ms = 3'600'000;
  std::uint64_t mcp_stateless_idle_ms = 3'600'000;
  std::uint64_t mcp_waiting_messages = 100;
  std::uint64_t mcp_event_entries = 1'000;
  std::uint64_t mcp_event_bytes = 1ULL << 20;
  std::uint64_t mcp_event_total_bytes = 64ULL << 20;
  std::uint64_t mcp_keepalive_ms = 15'000;
  std::uint64_t mcp_stream_after_ms = 500;
  std::uint64_t mcp_retry_ms = 500;
  // ingest
  std::uint64_t json_depth = 128;
  std::uint64_t entry_message_bytes = 10ULL << 10;
  std::uint64_t entry_stack_frames = 20;
  std::uint64_t entry_field_bytes = 16ULL << 10;
  std::uint64_t entry_url_bytes = 2ULL << 10;
  std::uint64_t entry_errors_listed = 20;
  std::uint64_t redaction_json_levels = 8;
  std::uint64_t breaker_backlog_bytes = 16ULL << 20;
  std::uint64_t breaker_lag_ms = 500;
  std::uint64_t breaker_open_after_ms = 5'000;
  std::uint64_t breaker_close_after_ms = 10'000;
  // telemetry store
  std::uint64_t store_error_entries = 5'000;
  std::uint64_t store_error_bytes = 8ULL << 20;
  std::uint64_t store_log_entries = 15'000;
  std::uint64_t store_log_bytes = 24ULL << 20;
  std::uint64_t store_body_entries = 2'000;
  std::uint64_t store_body_bytes = 64ULL << 20;
  std::uint64_t store_websocket_entries = 5'000;
  std::uint64_t store_websocket_bytes = 16ULL << 20;
  std::uint64_t store_waterfall_entries = 10'000;
  std::uint64_t store_waterfall_bytes = 8ULL << 20;
  std::uint64_t store_action_entries = 5'000;
  std::uint64_t store_action_bytes = 4ULL << 20;
  std::uint64_t store_performance_entries = 1'000;
  std::uint64_t store_performance_bytes = 2ULL << 20;
  std::uint64_t memory_soft_bytes = 50ULL << 20;
  std::uint64_t memory_hard_bytes = 80ULL << 20;
  std::uint64_t memory_critical_bytes = 110ULL << 20;
  std::uint64_t memory_check_ms = 15'000;
  // detection
  std::uint64_t anomaly_window_ms = 10'000;
  std::uint64_t anomaly_history_ms = 60'000;
  std::uint64_t anomaly_min_events = 5;
  std::uint64_t baseline_pages = 100;
  std::uint64_t ci_results = 10;
  std::uint64_t ci_failures_shown = 10;
  std::uint64_t noise_rules = 100;
  std::uint64_t noise_pattern_bytes = 1ULL << 10;
  std::uint64_t noise_repeat_entries = 1'000;
  std::uint64_t noise_repeat_threshold = 20;
  // alerts
  std::uint64_t alert_buffer_entries = 50;
  std::uint64_t alert_block_bytes = 10ULL << 10;
  std::uint64_t alert_title_bytes = 200;
  std::uint64_t alert_detail_bytes = 1ULL << 10;
  std::uint64_t alert_url_bytes = 512;
  std::uint64_t alert_key_bytes = 256;
  std::uint64_t alert_recurrence_entries = 1'000;
  std::uint64_t alert_correlation_ms = 5'000;
  std::uint64_t alert_evidence_before_ms = 10'000;
  std::uint64_t alert_evidence_after_ms = 2'000;
  // streaming
  std::uint64_t stream_per_minute = 12;
  std::uint64_t stream_pending = 100;
  std::uint64_t stream_dedup_ms = 30'000;
  std::uint64_t stream_dedup_entries = 500;
  std::uint64_t stream_batch_window_ms = 2'000;
  std::uint64_t stream_notification_bytes = 16ULL << 10;
  // named streams
  std::uint64_t named_streams = 20'000;
  std::uint64_t named_stream_subscriptions = 20'000;
  std::uint64_t named_stream_taps = 20'000;
  std::uint64_t named_stream_events = 100'000;
  std::uint64_t named_stream_event_bytes = 256ULL << 10;
  std::uint64_t named_stream_bytes = 16ULL << 20;
  std::uint64_t named_stream_total_bytes = 64ULL << 20;
  std::uint64_t named_stream_topic_bytes = 256;
  std::uint64_t named_stream_topics_shown = 50;
  std::uint64_t named_stream_join_ms = 10;
  std::uint64_t named_stream_notify_ms = 5'000;
  std::uint64_t named_stream_held = 1'000;
  // named streams on NATS
  std::uint64_t nats_connect_ms = 1'000;
  std::uint64_t nats_answer_ms = 5'000;
  std::uint64_t nats_retry_ms = 1'000;
  std::uint64_t nats_heartbeat_ms = 15'000;
  std::uint64_t nats_audit_ms = 5'000;
  std::uint64_t nats_unacknowledged_bytes = 16ULL << 20;
  // clients
  std::uint64_t client_tool_calls_per_minute = 100;
  std::uint64_t client_line_bytes = 10ULL << 20;
  std::uint64_t client_rpc_depth = 64;
  std::uint64_t client_unhandled_frames = 64;
  std::uint64_t client_unwritten_bytes = 64ULL << 10;
  std::uint64_t client_leave_ms = 500;
  std::uint64_t client_asks = 32;
  std::uint64_t client_ask_ms = 300'000;
  std::uint64_t client_wait_seconds = 50;
  std::uint64_t client_progress_ms = 5'000;
  std::uint64_t client_subscriptions = 100;
  std::uint64_t client_listens = 100;
  std::uint64_t resource_update_ms = 1'000;
  std::uint64_t request_state_ms = 600'000;
  std::uint64_t attach_clients = 64;
  std::uint64_t attach_hello_ms = 2'000;
  std::uint64_t attach_search_ms = 8'000;
  std::uint64_t attach_queue_bytes = 1ULL << 20;
  std::uint64_t completion_values = 100;
  std::uint64_t result_bytes = 8ULL << 10;
  std::uint64_t result_max_bytes = 1ULL << 20;
  std::uint64_t result_items = 100;
  std::uint64_t result_max_items = 1'000;
  // agent sessions
  std::uint64_t session_count = 10'000;
  std::uint64_t session_snapshot_messages = 50;
  std::uint64_t session_replay_events = 10'000;
  std::uint64_t session_replay_page = 500;
  std::uint64_t session_client_queue = 1'000;
  std::uint64_t session_client_batch = 256;
  std::uint64_t session_client_frame_bytes = 64ULL << 10;
  std::uint64_t session_send_buffer_bytes = 16ULL << 10;
  std::uint64_t session_replay_buffer_bytes = 256ULL << 10;
  std::uint64_t session_close_ms = 30'000;
  std::uint64_t session_attach_ms = 60'000;
  std::uint64_t session_attach_tokens = 1'000;
  std::uint64_t session_ping_ms = 30'000;
  std::uint64_t session_pings_missed = 3;
  std::uint64_t session_turn_ms = 1'800'000;
  std::uint64_t session_model_calls = 100;
  std::uint64_t session_call_retries = 3;
  std::uint64_t session_call_idle_ms = 120'000;
  std::uint64_t session_call_connect_ms = 10'000;
  std::uint64_t session_call_bytes = 64ULL << 20;
  std::uint64_t session_call_error_bytes = 64ULL << 10;
  std::uint64_t session_answer_tokens = 8'192;
  std::uint64_t session_script_bytes = 1ULL << 20;
  std::uint64_t session_message_bytes = 8ULL << 20;
  std::uint64_t session_tool_ms = 120'000;
  std::uint64_t session_tool_cancel_ms = 5'000;
  std::uint64_t session_tool_kill_ms = 2'000;
  std::uint64_t session_tool_output_bytes = 64ULL << 10;
  std::uint64_t session_list_entries = 1'000;
  std::uint64_t session_end_ms = 3'000;
  std::uint64_t session_delegate_depth = 3;
  std::uint64_t session_external_events = 1'000;
  std::uint64_t session_alerts_unseen = 50;
  std::uint64_t session_event_age_ms = 2'592'000'000;
  std::uint64_t session_events_kept = 200'000;
  std::uint64_t session_retention_ms = 60'000;
};

/// One row of the limits table: the name in the configuration file (`limits.NAME`), the member it
/// sets, and the smallest and largest value accepted.
struct limit_row {
  std::string_view name;
  std::uint64_t limits::*member;
  std::uint64_t min;
  std::uint64_t max;
};

/// All limits in the order of the struct; the loader, `health` and the README use this table.
const std::array<limit_row, 152>& limit_table();

} // namespace gasoline
