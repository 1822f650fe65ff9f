import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { start_real_engine } from "./real_engine.mjs";

const folder = resolve(import.meta.dirname, "../../../tools/page_script");

// What the program that GASOLINE_BIN names serves.
const served_script = async (program) => {
  const engine = await start_real_engine(program);
  const script = await (await fetch(`${engine.origin}/gasoline.js`)).text();
  await engine.leave();
  return script;
};

const new_script = () => {
  if (!existsSync(join(folder, "node_modules"))) execFileSync("npm", ["ci"], { cwd: folder });
  const output_dir = mkdtempSync(join(tmpdir(), "gasoline-script-"));
  const output = join(output_dir, "gasoline.js");
  execFileSync(process.execPath, [join(folder, "build.mjs"), output]);
  const script = readFileSync(output, "utf8");
  rmSync(output_dir, { recursive: true });
  return script;
};

// The page script: the one inside the program under test, else built anew from its sources.
export const built_script = async () => {
  const program = process.env.GASOLINE_BIN;
  const script = program ? await served_script(program) : new_script();
  if (!script)
    throw new Error(`${program} was built without the page script: see its CMake output`);
  return script;
};
