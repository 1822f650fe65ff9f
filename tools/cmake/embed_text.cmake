# Writes the C++ source OUTPUT, whose function FUNCTION, declared in HEADER, returns the content of the
# file TEXT, or of several, parted by `|`, one behind the other, or nothing when TEXT is empty:
#   cmake -DTEXT=... -DOUTPUT=... -DHEADER=... -DFUNCTION=... -P embed_text.cmake
set(text "")
string(REPLACE "|" ";" files "${TEXT}")
foreach(file IN LISTS files)
  file(READ "${file}" content)
  string(APPEND text "${content}")
endforeach()
file(WRITE "${OUTPUT}" "// Generated.
#include \"${HEADER}\"

// A file is longer than the literals that every compiler has to take.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace gasoline {

std::string_view ${FUNCTION}() {
  static constexpr char text[] = R\"gasoline_js(${text})gasoline_js\";
  return {text, sizeof(text) - 1};
}

} // namespace gasoline
")
