# shellcheck shell=bash
# Runs ctest on a build folder and adds up the counts of all runs. Sourced, never run.

# shellcheck source-path=SCRIPTDIR source=terminal.sh
. "${BASH_SOURCE[0]%/*}/terminal.sh"

tests_passed=0
tests_failed=0
tests_skipped=0
tests_unsteady=()

# count_of NAME FILE: an attribute of the first <testsuite> element of a JUnit file.
count_of() {
  sed -nE "/<testsuite/,/>/ { s/.*[[:space:]]$1=\"([0-9]+)\".*/\1/p }" "$2" | head -n 1
}

# run_ctest PRESET JUNIT [CTEST OPTION...]: runs ctest on build/PRESET; its counts go to the file.
run_ctest() {
  rm -f "$2"
  ctest --test-dir "$root/build/$1" --output-on-failure --no-tests=error --timeout 600 \
    --output-junit "$2" "${@:3}" </dev/null
}

# run_tests PRESET [CTEST OPTION...]: runs the tests of build/PRESET. Returns 0 only when at least
# one ran and none failed. Failing tests show their output.
run_tests() {
  local preset=$1 status=0 junit all failed skipped
  shift
  junit=$root/build/$preset/tests.xml
  heading "Tests of the $preset build"
  run_ctest "$preset" "$junit" "$@" || status=1
  if [[ ! -s $junit ]]; then
    tests_failed=$((tests_failed + 1))
    return 1
  fi
  all=$(count_of tests "$junit")
  failed=$(count_of failures "$junit")
  skipped=$(($(count_of skipped "$junit") + $(count_of disabled "$junit")))
  tests_passed=$((tests_passed + all - failed - skipped))
  tests_failed=$((tests_failed + failed))
  tests_skipped=$((tests_skipped + skipped))
  if ((status != 0 && failed == 0)); then tests_failed=$((tests_failed + 1)); fi
  return "$status"
}

# tests_with STATUS FILE: the names in a JUnit file, one a line. Statuses: run (passed), fail.
tests_with() {
  sed -nE "s/.*<testcase name=\"([^\"]*)\".* status=\"$1\".*/\1/p" "$2"
}

# rerun_failed PRESET PATTERN: runs those of the matching tests that have just failed once more. For
# tests that drive processes in real time only: a machine that stalls at the wrong moment is told
# apart from a fault that stays. What passes now is counted as passed and named in the summary.
rerun_failed() {
  local preset=$1 pattern=$2 junit again names
  junit=$root/build/$preset/tests.xml
  again=$root/build/$preset/tests-again.xml
  if [[ ! -s $junit ]]; then return 0; fi
  mapfile -t names < <(tests_with fail "$junit" | grep -E "$pattern")
  if ((${#names[@]} == 0)); then return 0; fi
  heading 'What failed in real time, once more'
  run_ctest "$preset" "$again" -R "^($(IFS='|' && printf '%s' "${names[*]}"))\$" || true
  if [[ ! -s $again ]]; then return 0; fi
  mapfile -t names < <(tests_with run "$again")
  tests_unsteady+=("${names[@]}")
  tests_passed=$((tests_passed + ${#names[@]}))
  tests_failed=$((tests_failed - ${#names[@]}))
}

# Prints the sum of all runs, alone on its line. Returns 1 when a test failed or none ran.
print_test_summary() {
  if ((${#tests_unsteady[@]} > 0)); then
    warn "Failed at first and passed when run again: ${tests_unsteady[*]}"
  fi
  if ((tests_skipped > 0)); then
    printf '%d passed, %d failed, %d skipped\n' "$tests_passed" "$tests_failed" "$tests_skipped"
  else
    printf '%d passed, %d failed\n' "$tests_passed" "$tests_failed"
  fi
  ((tests_failed == 0 && tests_passed > 0))
}
