import { execFile } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServerSettings } from "@caliban/settings";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { examineRequest } from "../../../src/node/trust/examine-request.ts";
import { type WishPlace, wishFor, workspaceWith } from "./request-place.ts";

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

async function fingerprint(settings: ServerSettings, place: WishPlace): Promise<string> {
  const examined = await examineRequest(wishFor(settings, place), place.root);
  if ("reason" in examined) throw new Error(examined.reason);
  return examined.server.fingerprint;
}

async function reasonOf(settings: ServerSettings, place: WishPlace): Promise<string | undefined> {
  const examined = await examineRequest(wishFor(settings, place), place.root);
  return "reason" in examined ? examined.reason : undefined;
}

async function covered(settings: ServerSettings, place: WishPlace): Promise<readonly string[]> {
  const examined = await examineRequest(wishFor(settings, place), place.root);
  if ("reason" in examined) throw new Error(examined.reason);
  return examined.files.map((file) => file.replace(`${place.root}/`, ""));
}

it.for([
  ["./bin/server", []],
  ["./bin/later", ["there is no such program at the moment"]],
  ["later", []],
] as const)("says of the command %s whether it leads nowhere", async ([command, notes]) => {
  const root = await workspaceWith(FILES);
  expect(await examineRequest(wishFor({ command }, { root }), root)).toMatchObject({ notes });
});

describe("a change of a file", () => {
  it.for<readonly [ServerSettings, string]>([
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
  ])("asks again for %j: %s", async ([settings, file]) => {
    const root = await workspaceWith(FILES);
    const before = await fingerprint(settings, { root });
    expect(await fingerprint(settings, { root })).toBe(before);
    await writeFile(join(root, "README.md"), "another");
    await writeFile(join(root, "pkg/other.js"), "another");
    expect(await fingerprint(settings, { root })).toBe(before);
    await writeFile(join(root, file), "another");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("asks again when a file appears where an argument names one, and when it goes", async () => {
    const root = await workspaceWith(FILES);
    const settings = { command: "node", args: ["later.js", "pkg/__main__.py"] };
    const before = await fingerprint(settings, { root });
    await writeFile(join(root, "later.js"), "");
    const with1 = await fingerprint(settings, { root });
    expect(with1).not.toBe(before);
    await rm(join(root, "later.js"));
    expect(await fingerprint(settings, { root })).toBe(before);
  });

  it("asks again when a program of the workspace gets in the way of PATH", async () => {
    const root = await workspaceWith(FILES);
    const place = { root, env: { PATH: `${root}/bin:/usr/bin` } };
    const settings = { command: "node", args: ["x"] };
    const before = await fingerprint(settings, place);
    await writeFile(join(root, "bin/node"), "#!/bin/sh\nevil");
    expect(await fingerprint(settings, place)).not.toBe(before);
    expect(await covered(settings, place)).toEqual(["bin/node"]);
  });

  it("asks again when a package brings the program that npx would run", async () => {
    const root = await workspaceWith(FILES);
    const settings = { command: "npx", args: ["-y", "@scope/some-server@1"] };
    const before = await fingerprint(settings, { root });
    await mkdir(join(root, "node_modules/@scope/some-server"), { recursive: true });
    await writeFile(join(root, "node_modules/@scope/some-server/package.json"), "{}");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });
});

it("is refused, and soon, where it names more than can be looked through", async () => {
  const directories = Array.from({ length: 300 }, (_, index) => `d${index}`);
  const words = Array.from({ length: 300 }, (_, index) => `w${index}`);
  const root = await workspaceWith(
    Object.fromEntries(directories.map((name) => [`${name}/x`, ""])),
  );
  const wide = { command: "x", args: [words.join(" ")], env: { PATH: directories.join(":") } };
  const deep = { command: "x", args: [[...words, ...directories.slice(0, 30)].join(" ")] };
  const beganMs = performance.now();
  for (const settings of [wide, deep])
    expect(await reasonOf(settings, { root })).toContain("more words and directories");
  expect(performance.now() - beganMs).toBeLessThan(2_000);
});

describe("a link", () => {
  it("counts by what is behind it, outside the workspace as well", async () => {
    const [root, elsewhere] = [await workspaceWith(FILES), await temporaryDirectory()];
    await writeFile(join(elsewhere, "server.js"), "serve()");
    await symlink(join(elsewhere, "server.js"), join(root, "link.js"));
    const settings = { command: "node", args: ["link.js"] };
    const before = await fingerprint(settings, { root });
    await writeFile(join(elsewhere, "server.js"), "another");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("that leads elsewhere asks again, also to the same bytes", async () => {
    const root = await workspaceWith({ ...FILES, "a.js": "same", "b.js": "same" });
    await symlink("a.js", join(root, "link.js"));
    const settings = { command: "node", args: ["link.js"] };
    const before = await fingerprint(settings, { root });
    await symlink("b.js", join(root, "new.js"));
    await rename(join(root, "new.js"), join(root, "link.js"));
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("from outside into the workspace counts", async () => {
    const [root, elsewhere] = [await workspaceWith(FILES), await temporaryDirectory()];
    await symlink(root, join(elsewhere, "way"));
    const args = [join(elsewhere, "way/tools/server.js")];
    const before = await fingerprint({ command: "node", args }, { root });
    await writeFile(join(root, "tools/server.js"), "another");
    expect(await fingerprint({ command: "node", args }, { root })).not.toBe(before);
  });

  it("to nowhere, or in a ring, is no file yet", async () => {
    const root = await workspaceWith(FILES);
    await symlink("ring.js", join(root, "ring.js"));
    await symlink("gone.js", join(root, "dangling.js"));
    const settings = { command: "node", args: ["ring.js", "dangling.js"] };
    const before = await fingerprint(settings, { root });
    await writeFile(join(root, "gone.js"), "");
    expect(await fingerprint(settings, { root })).not.toBe(before);
  });

  it("does not lead the start out of the workspace", async () => {
    const root = await workspaceWith(FILES);
    await symlink("/", join(root, "out"));
    expect(await reasonOf({ command: "x", cwd: "out" }, { root })).toContain("outside");
    expect(await reasonOf({ command: "x", cwd: "gone" }, { root })).toContain("is not there");
  });
});

describe("what is covered", () => {
  it("is what is named, and nothing outside the workspace", async () => {
    const root = await workspaceWith(FILES);
    const place = { root };
    expect(await covered({ command: "/bin/sh", args: ["/etc/hostname", "../x"] }, place)).toEqual(
      [],
    );
    expect(
      await covered({ command: "node", args: ["tools/server.js", "README.md"] }, place),
    ).toEqual(["README.md", "tools/server.js"]);
  });

  it("of a directory is what programs begin with, and the directory is named", async () => {
    const root = await workspaceWith(FILES);
    const examined = await examineRequest(wishFor({ command: "x", args: ["pkg"] }, { root }), root);
    expect(examined).toMatchObject({
      files: [join(root, "pkg/index.js")],
      directories: [join(root, "pkg")],
    });
  });

  it("is nothing for a url", async () => {
    const root = await workspaceWith(FILES);
    const wish = wishFor({ url: "https://x/mcp" }, { root });
    expect(await examineRequest(wish, root)).toMatchObject({ files: [], server: wish.server });
  });
});

describe("what cannot be looked through", () => {
  it("is refused when it is too large", async () => {
    const root = await workspaceWith(FILES);
    // A hole takes no room on the disk.
    await truncate(join(root, "bin/server"), 257 * 1024 * 1024);
    expect(await reasonOf({ command: "./bin/server" }, { root })).toContain("too large");
  });

  it("is refused when it is too many files, or too many directories", async () => {
    const names = Array.from({ length: 65 }, (_, index) => `f${index}`);
    const root = await workspaceWith(Object.fromEntries(names.map((name) => [name, ""])));
    expect(await reasonOf({ command: "x", args: names }, { root })).toContain("names 65 files");
    const directories = Array.from({ length: 33 }, (_, index) => `d${index}`);
    for (const name of directories) await mkdir(join(root, name));
    const reason = await reasonOf({ command: "x", env: { PATH: directories.join(":") } }, { root });
    expect(reason).toContain("more than 32 directories");
  });

  it("is refused when it is no file, without waiting for it", async () => {
    const root = await workspaceWith(FILES);
    await run("mkfifo", [join(root, "pipe")]);
    expect(await reasonOf({ command: "x", args: ["pipe"] }, { root })).toContain(
      "neither a file nor a directory",
    );
  });
});
