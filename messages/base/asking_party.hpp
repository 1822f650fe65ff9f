#pragma once

#include <string>

namespace gasoline {

/// Who asks for something that has a maker, as far as that is known.
struct asking_party {
  bool trusted = false; ///< has shown the token of the token file
  std::string origin{}; ///< of the page that asks; empty: a program or an agent
  std::string key{};    ///< what may be the key of the thing; empty: none was shown
};

} // namespace gasoline
