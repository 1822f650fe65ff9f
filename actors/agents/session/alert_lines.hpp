#pragma once

#include "messages/alerts/alert.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gasoline {

/// What a session works on.
struct session_place {
  std::string page_url; ///< of the pages it watches; empty: all of them
  std::string workspace_path;
};

/// Whether an alert belongs into a session: alerts of its pages, those of no page (memory), those
/// that name a file of the workspace, as stacks do, and CI results of the workspace's repository,
/// known by its remote or, where a result names no repository, by its branch.
bool alert_concerns(const alert& a, const session_place& place);

/// The payload of `alert.raised`.
nlohmann::json alert_payload(const alert& a);

/// The alert in one line, for a model.
std::string alert_line(const alert& a);

} // namespace gasoline
