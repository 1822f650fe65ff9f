#pragma once

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// How grave it is what a check has found.
enum class finding_kind {
  note, ///< worth knowing; nothing has to be done
  wrong ///< something does not work, or alerts are lost
};

/// What a check has found, with what to do about it.
struct finding {
  finding_kind kind = finding_kind::wrong;
  std::string check;    ///< the name of the row that it is about
  std::string sentence; ///< what it is and what to do
};

/// What `gasoline doctor` has to say: a row for each thing that it looked at, and findings.
class diagnosis {
 public:
  /// Adds a row; several may have the same name.
  void row(std::string_view name, std::string value);
  void note(std::string_view check, std::string sentence);
  void wrong(std::string_view check, std::string sentence);

  /// Whether nothing is wrong.
  bool is_well() const;

  /// The rows, then the findings. Text of others cannot break out of its line.
  void print(std::ostream& out) const;

  /// `{"ok":…,"checks":[{"name","value"}],"findings":[{"kind","check","sentence"}]}`
  nlohmann::json document() const;

 private:
  struct row_text {
    std::string name;
    std::string value;
  };

  std::vector<row_text> rows_;
  std::vector<finding> findings_;
};

/// `and 3 more` of `all` when only `shown` are told; empty: all are.
std::string counted_rest(std::size_t all, std::size_t shown);

/// A time span for people: `12 s`, `3 min`, `5 h`.
std::string span_text(double seconds);

} // namespace gasoline
