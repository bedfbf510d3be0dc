import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** Creates a home directory with a project, and the link from the README. */
async function createLink() {
  const home = realpathSync(await temporaryDirectory());
  const [project, program] = [join(home, "app"), join(home, "caliban")];
  mkdirSync(project);
  symlinkSync(join(root, "scripts/start.mjs"), program);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    INIT_CWD: root,
    npm_package_name: "another",
  };
  return { project, program, options: { cwd: project, env } };
}

// Windows does not run a file because of its first line.
describe.skipIf(process.platform === "win32")("a link to scripts/start.mjs", () => {
  it("runs in the directory it is called from, even below another npm script", async () => {
    const { project, program, options } = await createLink();
    const { stdout } = await promisify(execFile)(program, ["memory", "path"], options);
    expect(stdout).toContain(`/${project.slice(1).replaceAll(/[^A-Za-z0-9]/g, "-")}/memory\n`);
  });

  it("stops the program when it receives SIGTERM", async () => {
    const { project, program, options } = await createLink();
    const argv = ["mcp", "--http", "0", "--workspace", project];
    const child = spawn(program, argv, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let printed = "";
    for await (const chunk of child.stderr) {
      printed += String(chunk);
      if (printed.includes("listening")) break;
    }
    const address = /http:\S+\/mcp/.exec(printed)?.[0] ?? "";
    expect((await fetch(address)).status).toBe(401);
    child.kill("SIGTERM");
    await once(child, "close");
    await expect(fetch(address)).rejects.toThrow("fetch failed");
  });
});
