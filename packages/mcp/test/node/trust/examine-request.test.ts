import { execFile } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { examineRequest } from "../../../src/node/trust/examine-request.ts";
import type { ServerConfig } from "../../../src/trust/server-entry.ts";
import { type RequestFixture, requestFor, workspaceWith } from "./request-fixture.ts";

const FILES = {
  "tools/server.js": "serve()",
  "tools/conf.json": "{}",
  "tools/my server.js": "serve()",
  "bin/server": "#!/bin/sh",
  "pkg/index.js": "serve()",
  "pkg/other.js": "other()",
  "package.json": "{}",
  "README.md": "read me",
};

const run = promisify(execFile);

async function fingerprint(config: ServerConfig, fixture: RequestFixture): Promise<string> {
  const examined = await examineRequest(requestFor(config, fixture), fixture.root);
  if ("reason" in examined) throw new Error(examined.reason);
  return examined.server.fingerprint;
}

async function reasonOf(
  config: ServerConfig,
  fixture: RequestFixture,
): Promise<string | undefined> {
  const examined = await examineRequest(requestFor(config, fixture), fixture.root);
  return "reason" in examined ? examined.reason : undefined;
}

async function covered(config: ServerConfig, fixture: RequestFixture): Promise<readonly string[]> {
  const examined = await examineRequest(requestFor(config, fixture), fixture.root);
  if ("reason" in examined) throw new Error(examined.reason);
  return examined.files.map((file) => file.replace(`${fixture.root}/`, ""));
}

it.for([
  ["./bin/server", []],
  ["./bin/later", ["this program does not exist at the moment"]],
  ["later", []],
] as const)("notes whether the command %s exists", async ([command, notes]) => {
  const root = await workspaceWith(FILES);
  expect(await examineRequest(requestFor({ command }, { root }), root)).toMatchObject({ notes });
});

describe("the fingerprint of a request", () => {
  it.for<readonly [ServerConfig, string]>([
    [{ command: "node", args: ["./tools/server.js"] }, "tools/server.js"],
    [{ command: "node", args: ["tools/server.js"] }, "tools/server.js"],
    [{ command: "node", args: ["tools/server"] }, "tools/server.js"],
    [{ command: "node", args: ["--enable-x", "server.js"], cwd: "tools" }, "tools/server.js"],
    [{ command: "x", args: ["--config=./tools/conf.json"] }, "tools/conf.json"],
    [{ command: "x", args: ["-ctools/conf.json"] }, "tools/conf.json"],
    [{ command: "./bin/server" }, "bin/server"],
    [{ command: "bin/server", cwd: "tools" }, "bin/server"],
    [{ command: "server", env: { PATH: "./bin:/usr/bin" } }, "bin/server"],
    [{ command: "env", args: ["server"], env: { PATH: "bin" } }, "bin/server"],
    [{ command: "sh", args: ["-c", 'exec node "./tools/my server.js"'] }, "tools/my server.js"],
    [
      { command: "node", args: ["x"], env: { NODE_OPTIONS: "-r ./tools/server.js" } },
      "tools/server.js",
    ],
    [{ command: "node", args: ["./pkg"] }, "pkg/index.js"],
    [{ command: "uv", args: ["--directory", "tools", "run", "server.js"] }, "tools/server.js"],
    [{ command: "node", args: ["x"], cwd: "tools" }, ".tool-versions"],
    [{ command: "npm", args: ["run", "serve"] }, "package.json"],
    [{ command: "npx", args: ["-y", "some-server"], cwd: "tools" }, "package.json"],
    [{ command: "sh", args: ["-c", "exec npm run serve"] }, "package.json"],
    [{ command: "cmd", args: ["/c", "npx", "-y", "some-server"] }, "package.json"],
    [{ command: "node", args: ["--import", "./tools/server%2Ejs?v"] }, "tools/server.js"],
  ])("binds the fingerprint of %j to the file %s, and to no other", async ([settings, file]) => {
    const root = await workspaceWith(FILES);
    const before = await fingerprint(settings, { root });
    expect(await fingerprint(settings, { root })).toBe(before);
    await writeFile(join(root, "README.md"), "another");
    await writeFile(join(root, "pkg/other.js"), "another");
    expect(await fingerprint(settings, { root })).toBe(before);
    await writeFile(join(root, file), "another");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("changes the fingerprint when a file that an argument names is created or removed", async () => {
    const root = await workspaceWith(FILES);
    const settings = { command: "node", args: ["later.js", "pkg/__main__.py"] };
    const before = await fingerprint(settings, { root });
    await writeFile(join(root, "later.js"), "");
    const created = await fingerprint(settings, { root });
    expect(created).not.toBe(before);
    await rm(join(root, "later.js"));
    expect(await fingerprint(settings, { root })).toBe(before);
  });

  it("changes the fingerprint when the workspace adds a program that comes first on PATH", async () => {
    const root = await workspaceWith(FILES);
    const fixture = { root, env: { PATH: `${root}/bin:/usr/bin` } };
    const settings = { command: "node", args: ["x"] };
    const before = await fingerprint(settings, fixture);
    await writeFile(join(root, "bin/node"), "#!/bin/sh\nevil");
    expect(await fingerprint(settings, fixture)).not.toBe(before);
    expect(await covered(settings, fixture)).toEqual(["bin/node"]);
  });

  it("changes the fingerprint when an installed package provides the program that npx would run", async () => {
    const root = await workspaceWith(FILES);
    const settings = { command: "npx", args: ["-y", "@scope/some-server@1"] };
    const before = await fingerprint(settings, { root });
    await mkdir(join(root, "node_modules/@scope/some-server"), { recursive: true });
    await writeFile(join(root, "node_modules/@scope/some-server/package.json"), "{}");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });
});

it("refuses a request that names too many words and directories, without looking them all up", async () => {
  const directories = Array.from({ length: 300 }, (_, index) => `d${index}`);
  const words = Array.from({ length: 300 }, (_, index) => `w${index}`);
  const root = await workspaceWith(
    Object.fromEntries(directories.map((name) => [`${name}/x`, ""])),
  );
  const wide = { command: "x", args: [words.join(" ")], env: { PATH: directories.join(":") } };
  const deep = { command: "x", args: [[...words, ...directories.slice(0, 30)].join(" ")] };
  for (const settings of [wide, deep])
    expect(await reasonOf(settings, { root })).toContain("too many words and directories");
});

describe("the fingerprint of a request that names a link", () => {
  it("changes the fingerprint with the file that a link leads to, even outside the workspace", async () => {
    const [root, elsewhere] = [await workspaceWith(FILES), await temporaryDirectory()];
    await writeFile(join(elsewhere, "server.js"), "serve()");
    await symlink(join(elsewhere, "server.js"), join(root, "link.js"));
    const settings = { command: "node", args: ["link.js"] };
    const before = await fingerprint(settings, { root });
    await writeFile(join(elsewhere, "server.js"), "another");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("changes the fingerprint when a link leads to another file with the same bytes", async () => {
    const root = await workspaceWith({ ...FILES, "a.js": "same", "b.js": "same" });
    await symlink("a.js", join(root, "link.js"));
    const settings = { command: "node", args: ["link.js"] };
    const before = await fingerprint(settings, { root });
    await symlink("b.js", join(root, "new.js"));
    await rename(join(root, "new.js"), join(root, "link.js"));
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("changes the fingerprint with a file that is named through a link outside the workspace", async () => {
    const [root, elsewhere] = [await workspaceWith(FILES), await temporaryDirectory()];
    await symlink(root, join(elsewhere, "way"));
    const args = [join(elsewhere, "way/tools/server.js")];
    const before = await fingerprint({ command: "node", args }, { root });
    await writeFile(join(root, "tools/server.js"), "another");
    expect(await fingerprint({ command: "node", args }, { root })).not.toBe(before);
  });

  it("treats a dangling or circular link as a missing file", async () => {
    const root = await workspaceWith(FILES);
    await symlink("ring.js", join(root, "ring.js"));
    await symlink("gone.js", join(root, "dangling.js"));
    const settings = { command: "node", args: ["ring.js", "dangling.js"] };
    const before = await fingerprint(settings, { root });
    await writeFile(join(root, "gone.js"), "");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("refuses a cwd that does not exist or that a link leads out of the workspace", async () => {
    const root = await workspaceWith(FILES);
    await symlink("/", join(root, "out"));
    expect(await reasonOf({ command: "x", cwd: "out" }, { root })).toContain("outside");
    expect(await reasonOf({ command: "x", cwd: "gone" }, { root })).toContain("does not exist");
  });
});

describe("the files that an approval covers", () => {
  it("covers the named files, and none outside the workspace", async () => {
    const root = await workspaceWith(FILES);
    const fixture = { root };
    expect(await covered({ command: "/bin/sh", args: ["/etc/hostname", "../x"] }, fixture)).toEqual(
      [],
    );
    expect(
      await covered({ command: "node", args: ["tools/server.js", "README.md"] }, fixture),
    ).toEqual(["README.md", "tools/server.js"]);
  });

  it("covers the entry files of a named directory, and lists the directory", async () => {
    const root = await workspaceWith(FILES);
    const examined = await examineRequest(
      requestFor({ command: "x", args: ["pkg"] }, { root }),
      root,
    );
    expect(examined).toMatchObject({
      files: [join(root, "pkg/index.js")],
      directories: [join(root, "pkg")],
    });
  });

  it("covers no files for a url", async () => {
    const root = await workspaceWith(FILES);
    const request = requestFor({ url: "https://x/mcp" }, { root });
    expect(await examineRequest(request, root)).toMatchObject({
      files: [],
      server: request.server,
    });
  });
});

describe("a request that cannot be examined", () => {
  it("refuses files that are too large", async () => {
    const root = await workspaceWith(FILES);
    // A sparse file takes no space on disk.
    await truncate(join(root, "bin/server"), 257 * 1024 * 1024);
    expect(await reasonOf({ command: "./bin/server" }, { root })).toContain("too large");
  });

  it("refuses too many files or directories", async () => {
    const names = Array.from({ length: 65 }, (_, index) => `f${index}`);
    const root = await workspaceWith(Object.fromEntries(names.map((name) => [name, ""])));
    expect(await reasonOf({ command: "x", args: names }, { root })).toContain("names 65 files");
    const directories = Array.from({ length: 33 }, (_, index) => `d${index}`);
    for (const name of directories) await mkdir(join(root, name));
    const reason = await reasonOf({ command: "x", env: { PATH: directories.join(":") } }, { root });
    expect(reason).toContain("more than 32 directories");
  });

  it("refuses a named pipe without waiting for it", async () => {
    const root = await workspaceWith(FILES);
    await run("mkfifo", [join(root, "pipe")]);
    expect(await reasonOf({ command: "x", args: ["pipe"] }, { root })).toContain(
      "neither a file nor a directory",
    );
  });
});
