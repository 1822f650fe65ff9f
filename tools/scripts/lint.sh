# shellcheck shell=bash
# The checks that need no build. Each prints what is wrong and returns 1. Sourced, never run.

# shellcheck source-path=SCRIPTDIR source=terminal.sh
. "${BASH_SOURCE[0]%/*}/terminal.sh"

# The clang-format release that the code is formatted with; others lay it out differently.
format_release=14

# source_files PATTERN...: prints the project's own files of these name patterns.
source_files() {
  local pattern
  for pattern in "$@"; do
    find "$root" \( -name build -o -name .git -o -name node_modules \) -prune -o \
      -type f -name "$pattern" -print
  done | sort
}

# Prints the scripts of the project: by name, and by first line where they have no ending.
shell_files() {
  source_files '*.sh'
  printf '%s\n' "$root"/tools/{quickstart,test,check} "$root/.ci/run"
}

lint_format() {
  local formatter=clang-format-$format_release file bad=()
  if ! command -v "$formatter" >/dev/null; then formatter=clang-format; fi
  if [[ $("$formatter" --version) != *"version $format_release."* ]]; then
    warn "Formatting is not checked: the code is laid out by clang-format $format_release, and \
this machine has another release."
    return 0
  fi
  while IFS= read -r file; do
    "$formatter" --dry-run -Werror --style=file "$file" 2>/dev/null || bad+=("${file#"$root"/}")
  done < <(source_files '*.cpp' '*.hpp')
  if ((${#bad[@]} == 0)); then return 0; fi
  printf 'Not laid out by .clang-format; this does it:\n%s -i %s\n' "$formatter" "${bad[*]}"
  return 1
}

# Includes point one way: config <- messages <- actors, transport <- tools.
lint_layers() {
  local bad
  bad=$(
    cd "$root" || exit 1
    grep -rnE '#include "(messages|actors|transport|tools)/' config
    grep -rnE '#include "(actors|transport|tools)/' messages
    grep -rnE '#include "(transport|tools)/' actors
    grep -rnE '#include "(actors|tools)/' transport
  ) || true
  if [[ -z $bad ]]; then return 0; fi
  printf 'These includes point the wrong way:\n%s\n' "$bad"
  return 1
}

# Rooms of one folder that must not know each other: who is asked does not know who asks.
lint_rooms() {
  local bad
  bad=$(
    cd "$root" || exit 1
    grep -rnE '#include "actors/(mcp|mcp_tools|mcp_resources|agents)/' actors/{alerts,detection,ingest,noise,push} \
      actors/{redaction,resolution,streams,telemetry}
    grep -rnE '#include "actors/(mcp/(offers|conformance)/|mcp_tools/|mcp/[a-z_]+[.]hpp)' \
      actors/mcp/{client,link,protocol}
    grep -rnE '#include "actors/mcp/(offers|conformance)/' actors/mcp_tools/*/
    grep -rnE '#include "actors/mcp_(tools|resources)/' actors/mcp
    grep -rn '#include "actors/mcp_resources/' actors/mcp_tools
    grep -rn '#include "actors/mcp/client/client_parts.hpp"' actors/mcp_{tools,resources} actors/mcp/offers |
      grep -v '^actors/mcp_tools/tool/tool_call.cpp:' # the one place that narrows a client
    grep -rnE '#include "tools/cli/' tools/{engine,replay,terminal}
    grep -rnE '#include "tools/(engine|terminal)/' tools/replay
  ) || true
  if [[ -z $bad ]]; then return 0; fi
  printf 'These rooms must not know those that use them:\n%s\n' "$bad"
  return 1
}

# Folders include each other in one direction only, a folder and those inside it among them.
lint_circles() {
  local circle
  circle=$(
    cd "$root" || exit 1
    grep -rnoE --include='*.cpp' --include='*.hpp' \
      '^#include "(config|messages|actors|transport|tools)/[^"]+"' \
      config messages actors transport tools |
      sed -E 's#^(.+)/[^/:]+:[0-9]+:.include "(.+)/[^/"]+"#\1 \2#' | awk '$1 != $2' | sort -u |
      tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z]\)/\1/p'
  ) || true
  if [[ -z $circle ]]; then return 0; fi
  printf 'These folders include each other in a circle:\n%s\n' "$circle"
  return 1
}

# Comments cite only what a reader of the repository can open.
lint_citations() {
  local bad
  bad=$(
    cd "$root" || exit 1
    git grep -nE '\bDESIGN (section )?[0-9]|\bseed 00[0-9]|\(issue: |\bLAYOUT\b|reference `' -- \
      ':!tools/scripts/lint.sh'
  ) || true
  if [[ -z $bad ]]; then return 0; fi
  printf 'These lines cite documents that are not in the repository:\n%s\n' "$bad"
  return 1
}

# Pages link to what is there, and code cites pages that are there.
lint_links() {
  local bad file line target
  bad=$(
    cd "$root" || exit 1
    git grep -noE '\]\([^)#: ]+' -- '*.md' | while IFS=: read -r file line target; do
      [[ -e $(dirname "$file")/${target:2} ]] || printf '%s:%s: %s\n' "$file" "$line" "${target:2}"
    done
    git grep -noE '[a-z_]+(/[a-z_]+)*/README[.]md' -- '*.cpp' '*.hpp' '*.sh' '*.cmake' |
      while IFS=: read -r file line target; do
        [[ -e $target ]] || printf '%s:%s: %s\n' "$file" "$line" "$target"
      done
  ) || true
  if [[ -z $bad ]]; then return 0; fi
  printf 'These lines point to files that are not in the repository:\n%s\n' "$bad"
  return 1
}

# No lock of ours: what crosses threads is a message.
lint_locks() {
  local bad words='(shared_|recursive_)?mutex|condition_variable|atomic|call_once'
  words+='|(lock_guard|unique_lock|scoped_lock|shared_lock)'
  bad=$(
    cd "$root" || exit 1
    grep -rnE "std::($words)\\b" --include='*.cpp' --include='*.hpp' \
      config messages actors transport tools
  ) || true
  if [[ -z $bad ]]; then return 0; fi
  printf 'State belongs to one actor; these lines share it by a lock or an atomic:\n%s\n' "$bad"
  return 1
}

lint_shell() { shell_files | xargs -r -d '\n' shellcheck -x; }

# Runs every check and returns 1 when one of them failed.
lint() {
  local check status=0
  for check in lint_format lint_layers lint_rooms lint_circles lint_citations lint_links lint_locks lint_shell; do
    if "$check"; then continue; fi
    printf '%s%s: failed%s\n' "$red" "$check" "$plain"
    status=1
  done
  if ((status == 0)); then say 'lint: nothing found'; fi
  return "$status"
}
