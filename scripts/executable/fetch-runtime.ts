import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { npm } from "../../test/packaging/runtimes.ts";
import { root } from "../workspace.mjs";
import { BUN_VERSION, type Target } from "./targets.ts";

const run = promisify(execFile);

/**
 * Returns the path of Bun for a platform. It is downloaded from npm once, and nothing of the package runs before its
 * integrity is known.
 */
export async function fetchRuntime({ name, runtime }: Target): Promise<string> {
  const cache = join(root, "node_modules/.cache/caliban");
  const directory = join(cache, `bun-${BUN_VERSION}-${name}`);
  const program = join(directory, "package/bin", name.startsWith("win32") ? "bun.exe" : "bun");
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(`${directory}-`);
  try {
    const output = await npm(["pack", `${runtime.package}@${BUN_VERSION}`, "--json"], scratch);
    const [packed] = JSON.parse(output) as readonly {
      readonly filename: string;
      readonly integrity: string;
    }[];
    if (packed?.integrity !== runtime.integrity) {
      throw new Error(
        `${runtime.package}@${BUN_VERSION} is not the package that scripts/executable/targets.ts names`,
      );
    }
    await run("tar", ["-xzf", packed.filename], { cwd: scratch });
    await rm(join(scratch, packed.filename));
    await rm(directory, { recursive: true, force: true });
    await rename(scratch, directory);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return program;
}
