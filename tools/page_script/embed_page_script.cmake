# Writes the C++ source OUTPUT, whose page_script() returns the content of the file SCRIPT, or
# nothing when SCRIPT is empty: cmake -DSCRIPT=... -DOUTPUT=... -P embed_page_script.cmake
set(script "")
if(SCRIPT)
  file(READ "${SCRIPT}" script)
endif()
file(WRITE "${OUTPUT}" "// Generated from tools/page_script/src.
#include \"tools/page_script/page_script.hpp\"

namespace gasoline {

std::string_view page_script() {
  static constexpr char text[] = R\"gasoline_js(${script})gasoline_js\";
  return {text, sizeof(text) - 1};
}

} // namespace gasoline
")
