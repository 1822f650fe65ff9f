#include "transport/http/traffic/refusal_log.hpp"

#include "messages/base/presentable_text.hpp"

namespace gasoline {
namespace {

constexpr std::array<std::string_view, refused_caller_count> names{
    "foreign_origins", "pages_without_right", "other_users", "unknown_users", "other_sites"};

} // namespace

void refusal_log::add(refused_caller who, std::string_view origin) {
  ++counts_[static_cast<std::size_t>(who)];
  if (who != refused_caller::foreign_origin && who != refused_caller::page_without_right)
    return;
  const auto name = terminal_line(origin.substr(0, origin_bytes));
  const auto found = origins_.find(name);
  if (found != origins_.end())
    ++found->second;
  else if (origins_.size() < most_origins)
    origins_.emplace(name, 1);
  else
    ++other_origins_;
}

nlohmann::json refusal_log::document() const {
  nlohmann::json refused = nlohmann::json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    refused[std::string{names[i]}] = counts_[i];
  refused["unnamed_origins"] = other_origins_;
  return {{"refused", std::move(refused)}, {"refused_origins", origins_}};
}

} // namespace gasoline
