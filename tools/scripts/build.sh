# shellcheck shell=bash
# Builds a CMake preset and the Node.js folders that belong to it. Sourced, never run.

# shellcheck source-path=SCRIPTDIR source=terminal.sh
. "${BASH_SOURCE[0]%/*}/terminal.sh"

# Prints every folder below the given ones that has its own package-lock.json. What follows them are
# options of find.
node_folders() {
  find "$@" -name node_modules -prune -o -name package-lock.json -printf '%h\n' | sort
}

# install_node_modules FOLDER...: `npm ci` in every locked folder below, unless it is up to date.
install_node_modules() {
  local folder name
  while IFS= read -r folder; do
    if [[ $folder/node_modules/.package-lock.json -nt $folder/package-lock.json ]]; then
      continue
    fi
    name=${folder#"$root"/}
    run_step "Installing npm packages for $name" "npm-${name//\//-}" \
      npm ci --prefix "$folder" --no-audit --no-fund --loglevel=error || return 1
  done < <(node_folders "$@")
}

# build_preset NAME [TARGET...]: configures and builds build/NAME.
build_preset() {
  local preset=$1 targets=()
  shift
  if (($# > 0)); then targets=(--target "$@"); fi
  run_step "Configuring $preset" "configure-$preset" \
    cmake -S "$root" --preset "$preset" || return 1
  run_step "Building $preset" "build-$preset" \
    cmake --build "$root/build/$preset" --parallel "$(nproc)" "${targets[@]}"
}
