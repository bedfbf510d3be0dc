import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import type { ResolvedPath } from "../../../src/node/resolve-path.ts";

const [path = ""] = process.argv.slice(2);
const calls: string[] = [];
for (const name of ["writeFile", "fsync", "closeSync", "renameSync"] as const) {
  const real = fs[name] as (...values: readonly unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...values: readonly unknown[]) => {
      calls.push(name);
      return real(...values);
    },
  });
}
syncBuiltinESMExports();

// Afterwards, because it takes its functions when it is loaded.
const { replaceFile } = await import("../../../src/node/files/replace-file.ts");
const located: ResolvedPath = { path, requested: path, display: "a" };
await replaceFile(located, "new\n", undefined);
process.stdout.write(
  JSON.stringify(calls.slice(calls.indexOf("writeFile"), calls.indexOf("renameSync") + 1)),
);
