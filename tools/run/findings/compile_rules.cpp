#include "tools/run/findings/compile_rules.hpp"

namespace gasoline {

const std::vector<compile_rule>& compile_rules() {
  static const std::vector<compile_rule> rules{
      {"tsc",
       R"(^(?P<file>[^\s(][^(]*)\((?P<line>\d+),(?P<column>\d+)\): error (?P<code>TS\d+): (?P<message>.*)$)",
       "", 0, false},
      {"tsc",
       R"(^(?P<file>\S.*?):(?P<line>\d+):(?P<column>\d+) - error (?P<code>TS\d+): (?P<message>.*)$)",
       "", 6, false},
      {"tsc", R"(^error (?P<code>TS\d+): (?P<message>.*)$)", "", 0, false},
      {"dotnet",
       R"(^\s*(?P<file>[^\s(][^(]*)\((?P<line>\d+)(?:,(?P<column>\d+))?\) ?: (?:fatal )?error (?P<code>[A-Z]+\d+): (?P<message>.*?)(?: \[[^\]]*proj(?:::[^\]]*)?\])?$)",
       "", 0, false},
      {"kotlin",
       R"(^e: (?:file://)?(?P<file>\S+\.kts?):(?: \()?(?P<line>\d+)(?:, |:)(?P<column>\d+)(?:\):)? (?P<message>.*)$)",
       "", 0, false},
      {"rust", R"(^error(?:\[(?P<code>E\d+)\])?: (?P<message>.*)$)",
       R"(^\s*--> (?P<file>.+?):(?P<line>\d+):(?P<column>\d+)$)", 16, true},
      {"go",
       R"(^(?:vet: )?(?P<file>(?:[\w./-]+/)?[\w.-]+\.go):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$)",
       "", 0, false},
      {"java", R"(^(?P<file>\S+\.java):(?P<line>\d+): error: (?P<message>.*)$)", "", 0, false},
      {"java",
       R"(^\[ERROR\] (?P<file>\S+\.(?:java|kt)):\[(?P<line>\d+),(?P<column>\d+)\] (?P<message>.*)$)",
       "", 0, false},
      {"cc",
       R"(^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<message>.*)$)",
       "", 0, false},
      {"esbuild", R"(^\s*(?:✘|X) \[ERROR\] (?P<message>.*?)(?: \[plugin .*\])?$)",
       R"(^\s+(?P<file>\S+?):(?P<line>\d+):(?P<column>\d+):$)", 8, false},
      {"vite",
       R"(\[vite\](?: \(\w+\))? (?:Internal server error|Pre-transform error|warning: Failed): (?P<message>.*)$)",
       R"(^\s+(?:File: )?(?P<file>/[^?:]+|[A-Za-z]:[^?:]+)(?:\?[^:]*)?(?::(?P<line>\d+):(?P<column>\d+))?$|╭─\[ (?P<file_2>[^\s:?]+)(?:\?[^:]*)?:(?P<line_2>\d+):(?P<column_2>\d+) \])",
       24, false},
      {"vite",
       R"(^(?:error during build:|✗ Build failed in .*|x Build failed in .*|Build failed with \d+ errors?:)$)",
       R"((?:^file: |╭─\[ ?|^\s*at )(?P<file>[^\s:?]+)(?:\?[^:]*)?:(?P<line>\d+):(?P<column>\d+))",
       16, false},
      {"webpack",
       R"(^ERROR in (?P<file>\.{0,2}/?[^\s:(]+\.\w+)(?:[ :](?P<line>\d+):(?P<column>\d+)(?:-\d+(?::\d+)?)?)?$)",
       R"(^(?P<code>TS\d+): )", 8, false},
      {"webpack", R"(^ERROR in (?P<message>(?:main|[\w-]+ in) .*|Entry module not found: .*)$)", "",
       8, false},
      {"next", R"(^\s*(?:⨯ )?(?P<file>\./[^\s:]+\.\w+)(?::(?P<line>\d+):(?P<column>\d+))?$)",
       R"(╭─\[(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+)\])", 12, true},
  };
  return rules;
}

const std::vector<build_rule>& build_rules() {
  static const std::vector<build_rule> rules{
      {"tsc",
       R"(File change detected\. Starting incremental compilation|Starting compilation in watch mode)",
       build_word::begins},
      {"tsc", R"(\bFound 0 errors\b)", build_word::passed},
      {"webpack",
       R"(\bcompiled successfully\b|\bCompiled successfully\b|\bcompiled with \d+ warnings?\b)",
       build_word::passed},
      {"next", R"(^\s*✓ (?:Compiled|Ready)\b)", build_word::passed},
      {"vite", R"(\[vite\](?: \(\w+\))? (?:hmr update|page reload)|^✓ built in )",
       build_word::passed},
      {"rust", R"(^\s+Finished (?:`|dev|test|release|bench))", build_word::passed},
      {"rust", R"(^\s+(?:Compiling|Checking) \S+ v\d)", build_word::begins},
      {"esbuild", R"(^\[watch\] build started)", build_word::begins},
      {"esbuild", R"(^\[watch\] build finished|^⚡ Done in)", build_word::passed_if_clean},
      {"java", R"(\bBUILD SUCCESS(?:FUL)?\b)", build_word::passed},
      {"dotnet", R"(^\s*Build succeeded\b)", build_word::passed},
  };
  return rules;
}

} // namespace gasoline
