// Certificates that a test makes for itself with the openssl command.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { temporary_directory } from "./engine.mjs";

export const has_openssl = spawnSync("openssl", ["version"]).status === 0;

const openssl = (...args) => {
  const run = spawnSync("openssl", args, { encoding: "utf8" });
  assert.equal(run.status, 0, `openssl ${args.join(" ")}: ${run.stderr}`);
};

const key_kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

// A certificate authority in a directory of its own.
export class certificate_authority {
  #serial = 0;

  constructor(name = "Gasoline Test CA") {
    this.directory = temporary_directory();
    this.ca = this.#file("ca.pem");
    this.#key = this.#file("ca.key");
    openssl(
      "req",
      "-x509",
      ...key_kind,
      "-days",
      "2",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      this.#key,
      "-out",
      this.ca,
    );
  }

  #key;
  #file = (name) => path.join(this.directory, name);

  // The files of a certificate and its key; `names` are subject alternative names such as
  // `DNS:localhost`.
  issue({ subject = "/CN=test", names = [], days = 2 } = {}) {
    const base = this.#file(`c${(this.#serial += 1)}`);
    const [cert, key, request, extensions] = ["pem", "key", "csr", "ext"].map(
      (end) => `${base}.${end}`,
    );
    openssl("req", ...key_kind, "-subj", subject, "-keyout", key, "-out", request);
    const lines = ["basicConstraints=CA:FALSE", "extendedKeyUsage=serverAuth,clientAuth"];
    if (names.length > 0) lines.push(`subjectAltName=${names.join(",")}`);
    writeFileSync(extensions, lines.join("\n"));
    openssl(
      "x509",
      "-req",
      "-in",
      request,
      "-CA",
      this.ca,
      "-CAkey",
      this.#key,
      "-CAcreateserial",
      "-days",
      String(days),
      "-extfile",
      extensions,
      "-out",
      cert,
    );
    return { cert, key };
  }

  remove() {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
