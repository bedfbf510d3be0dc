// Loaded before the program: ends it with SIGKILL when it is about to give the index its name.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { linkSync } = fs;
fs.linkSync = (existing, name) => {
  if (String(name).endsWith("/MEMORY.md")) process.kill(process.pid, "SIGKILL");
  linkSync(existing, name);
};
syncBuiltinESMExports();
