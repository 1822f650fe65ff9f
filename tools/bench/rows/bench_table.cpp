#include "tools/bench/rows/bench_table.hpp"

#include <cstdio>

namespace gasoline::bench {
namespace {

std::string number(double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer,
                value >= 1000 ? "%.0f"
                : value >= 10 ? "%.1f"
                              : "%.3f",
                value);
  return buffer;
}

std::optional<double> ratio(const bench_row& row) {
  if (!row.reference || *row.reference <= 0)
    return std::nullopt;
  return row.measured / *row.reference;
}

std::string target_text(const bench_row& row) {
  const auto bound = number(row.target.bound);
  switch (row.target.of) {
  case bench_target::asks::nothing:
    break;
  case bench_target::asks::at_most:
    return "<= " + bound + " " + row.unit;
  case bench_target::asks::at_least:
    return ">= " + bound + " " + row.unit;
  case bench_target::asks::ratio_at_most:
    return "<= " + bound + " x";
  case bench_target::asks::ratio_at_least:
    return ">= " + bound + " x";
  }
  return "-";
}

std::string met(bool is_met) {
  return is_met ? "met" : "MISSED";
}

std::string verdict(const bench_row& row) {
  const auto bound = row.target.bound;
  const auto r = ratio(row);
  switch (row.target.of) {
  case bench_target::asks::nothing:
    break;
  case bench_target::asks::at_most:
    return met(row.measured <= bound);
  case bench_target::asks::at_least:
    return met(row.measured >= bound);
  case bench_target::asks::ratio_at_most:
    return r ? met(*r <= bound) : "no reference";
  case bench_target::asks::ratio_at_least:
    return r ? met(*r >= bound) : "no reference";
  }
  return "";
}

} // namespace

void bench_table::add(bench_row row) {
  if (rows_.empty())
    std::printf("%-58s %14s %22s %8s %16s  %s\n", "what", "measured", "reference", "ratio",
                "target", "");
  const auto reference =
      row.reference ? number(*row.reference) + " " + row.reference_name : std::string{"-"};
  const auto r = ratio(row);
  std::printf("%-58s %14s %22s %8s %16s  %s\n", row.what.c_str(),
              (number(row.measured) + " " + row.unit).c_str(), reference.c_str(),
              r ? (number(*r) + " x").c_str() : "-", target_text(row).c_str(),
              verdict(row).c_str());
  if (!row.spread.empty())
    std::printf("    %s\n", row.spread.c_str());
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

void bench_table::note(const std::string& text) {
  std::printf("  (%s)\n", text.c_str());
  std::fflush(stdout);
}

nlohmann::json bench_table::to_json() const {
  auto out = nlohmann::json::array();
  for (const auto& row : rows_) {
    nlohmann::json j{{"what", row.what}, {"measured", row.measured}, {"unit", row.unit}};
    if (row.reference) {
      j["reference"] = *row.reference;
      j["reference_name"] = row.reference_name;
    }
    if (const auto r = ratio(row))
      j["ratio"] = *r;
    if (!row.spread.empty())
      j["spread"] = row.spread;
    j["target"] = target_text(row);
    j["verdict"] = verdict(row);
    out.push_back(std::move(j));
  }
  return out;
}

} // namespace gasoline::bench
