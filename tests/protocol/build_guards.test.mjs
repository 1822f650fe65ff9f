// What guards the shipped program: how it was linked and compiled, and the unit that runs it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { binary } from "./support/engine.mjs";

const readelf = (file, ...args) => {
  const { status, stdout, error } = spawnSync("readelf", [...args, file], {
    encoding: "utf8",
    maxBuffer: 1 << 28, // the table of symbols has tens of megabytes
  });
  assert.equal(status, 0, String(error ?? stdout));
  return stdout;
};

// Programs of the release preset have their symbols in a file beside them.
const programs = ["gasoline", "gasoline-engine"]
  .map((name) => path.join(path.dirname(binary), name))
  .filter((file) => existsSync(`${file}.debug`));

test(
  "the release preset guards against corrupted memory",
  { skip: programs.length === 0 && "no build of the release preset" },
  () => {
    for (const file of programs) {
      assert.match(readelf(file, "-dW"), /FLAGS_1\).*NOW/, `${file}: all is bound at the start`);
      assert.match(readelf(file, "-lW"), /GNU_RELRO/, `${file}: and read-only from then on`);
      assert.match(readelf(file, "-hW"), /Type:\s+DYN/, `${file}: position independent`);
      const symbols = readelf(`${file}.debug`, "-sW") + readelf(file, "--dyn-syms", "-W");
      assert.match(symbols, /__stack_chk_fail/, `${file}: stack protector`);
      assert.match(symbols, /__(memcpy|read|recv|snprintf|memmove|memset|strcpy)_chk/, `${file}: fortified functions`);
    }
  },
);

test("the unit of the daemon takes from it what it does not need", () => {
  const root = path.join(import.meta.dirname, "../..");
  const unit = readFileSync(path.join(root, "tools/systemd/gasoline.service"), "utf8");
  for (const line of [
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "ReadWritePaths=%h/.local/state/gasoline %t",
    "PrivateTmp=yes",
    "RestrictNamespaces=yes",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallFilter=@system-service",
    "UMask=0077",
  ])
    assert.ok(unit.split("\n").includes(line), line);
  assert.match(unit, /^MemoryMax=\d/m);
  assert.ok(existsSync(path.join(root, "tools/systemd/agent-sessions.conf")), "undoes some for sessions");
});
