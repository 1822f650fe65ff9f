# shellcheck shell=bash
# What the scripts print: colours, steps with progress, failures; and the repository's folder,
# `root`. Sourced, never run.

root=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)

if [[ -t 1 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then
  bold=$'\033[1m' dim=$'\033[2m' red=$'\033[31m'
  green=$'\033[32m' yellow=$'\033[33m' plain=$'\033[0m'
  is_terminal=yes
else
  bold='' dim='' red='' green='' yellow='' plain=''
  is_terminal=no
fi

# Prints one heading.
heading() { printf '%s%s%s\n' "$bold" "$1" "$plain"; }

# Prints one line of information.
say() { printf '%s\n' "$1"; }

# Prints one line that the reader should notice.
warn() { printf '%s%s%s\n' "$yellow" "$1" "$plain"; }

# Ends the script with one sentence on stderr.
fail() {
  printf '%s%s%s\n' "$red" "$1" "$plain" >&2
  exit 1
}

# Takes the addresses of package servers out of a line that is shown.
shopt -s extglob
without_hosts() { printf '%s' "${1//+([a-z]):\/\/+([^ \/])/}"; }

# Copies a command's output to the log, and shows its last line in place on a terminal, or one line
# every 30 s elsewhere.
follow_output() {
  local log=$1 line columns last_shown=$SECONDS
  columns=$(tput cols 2>/dev/null || echo 100)
  while IFS= read -r line || [[ -n $line ]]; do
    printf '%s\n' "$line" >&3
    if [[ $is_terminal == no ]] && ((SECONDS - last_shown < 30)); then continue; fi
    last_shown=$SECONDS
    line=$(without_hosts "${line//[^[:print:]]/ }")
    if [[ $is_terminal == yes ]]; then
      printf '\r\033[K  %s%s%s' "$dim" "${line:0:columns-4}" "$plain"
    else
      printf '  %s\n' "${line:0:120}"
    fi
  done 3>"$log"
  if [[ $is_terminal == yes ]]; then printf '\r\033[K'; fi
}

# Prints the end of a log.
show_log_end() {
  local line
  while IFS= read -r line; do printf '%s\n' "$(without_hosts "$line")"; done < <(tail -n 40 "$1")
}

# run_step TITLE LOG COMMAND...: runs a command without standard input and says how long it took.
# All output goes to build/logs/LOG.log; its end is shown when the command fails.
run_step() {
  local title=$1 log=$root/build/logs/$2.log started=$SECONDS
  shift 2
  mkdir -p "$root/build/logs"
  printf '%s\n' "$title ..."
  if "$@" </dev/null 2>&1 | follow_output "$log"; then
    printf '  %sdone%s in %d s\n' "$green" "$plain" "$((SECONDS - started))"
    return 0
  fi
  show_log_end "$log" >&2
  printf '%s%s: failed. The whole output is in build/logs/%s.%s\n' \
    "$red" "$title" "${log##*/}" "$plain" >&2
  return 1
}
