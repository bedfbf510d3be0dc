import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** A home, a project in it, and the link that the README makes. */
async function linked() {
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

// Windows takes no file for a program because of its first line.
describe.skipIf(process.platform === "win32")("a link to scripts/start.mjs", () => {
  it("works where it is called, whichever npm started the agent that calls it", async () => {
    const { project, program, options } = await linked();
    const { stdout } = await promisify(execFile)(program, ["memory", "path"], options);
    expect(stdout).toContain(`/${project.slice(1).replaceAll(/[^A-Za-z0-9]/g, "-")}/memory\n`);
  });

  it("ends the program with itself", async () => {
    const { project, program, options } = await linked();
    const argv = ["mcp", "--http", "0", "--workspace", project];
    const child = spawn(program, argv, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    for await (const chunk of child.stderr) {
      said += String(chunk);
      if (said.includes("listening")) break;
    }
    const address = /http:\S+\/mcp/.exec(said)?.[0] ?? "";
    expect((await fetch(address)).status).toBe(401);
    child.kill("SIGTERM");
    await once(child, "close");
    await expect(fetch(address)).rejects.toThrow("fetch failed");
  });
});
