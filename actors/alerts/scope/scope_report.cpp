#include "actors/alerts/scope/scope_report.hpp"

#include "messages/base/json/json_text.hpp"

#include <nlohmann/json.hpp>

namespace gasoline {

using nlohmann::json;

std::string scope_report(const std::vector<project>& projects, std::uint64_t elsewhere) {
  const auto& main = projects.front();
  json out{{"project", main.root}, {"learned", !main.lists}};
  if (const auto& lists = main.lists)
    out.update({{"origins", lists->origins}, {"services", lists->services}, {"ci", lists->ci}});
  if (!main.problem.empty())
    out["problem"] = main.problem;
  if (!main.branch.empty())
    out["branch"] = main.branch;
  if (!main.remotes.empty())
    out["repositories"] = main.remotes;
  for (std::size_t i = 1; i < projects.size(); ++i)
    out["further_projects"].push_back(projects[i].root);
  out["alerts_of_other_projects"] = elsewhere;
  return dumped(out);
}

} // namespace gasoline
