import { describe, expect, it } from "vitest";
import type { Machine } from "../../../fake-host.ts";
import { machine } from "../../../fake-host.ts";

/** The id of the newest change. */
async function lastId({ caliban }: Machine): Promise<string> {
  const { changes } = JSON.parse((await caliban("memory", "log", "--json")).stdout) as {
    changes: readonly { readonly id: string }[];
  };
  return changes[0]?.id ?? "";
}

async function writtenTwice(): Promise<Machine> {
  const start = await machine();
  await start.caliban("memory", "write", "ports", "--text", "API\n8080\n\u001B[2Jend");
  const replaced = ["--description", "API", "--replace"];
  await start.caliban("memory", "write", "ports", "--text", "API\n9090\n\u001B[2Jend", ...replaced);
  return start;
}

describe("caliban memory write --text", () => {
  it("saves the text with its first line as the description", async () => {
    const { caliban } = await machine();
    const text = "# The API listens on 8080\nNot on 80.";
    expect(await caliban("memory", "write", "ports", "--text", text)).toEqual({
      exitCode: 0,
      stdout: "saved ports\n  - [ports](ports.md) — project: The API listens on 8080\n",
      stderr: "",
    });
    expect((await caliban("memory", "show", "ports")).stdout).toMatch(/8080\nNot on 80\.\n$/);
  });

  it("saves a fact about the user with --user, and shortens a long first line", async () => {
    const { caliban } = await machine();
    await caliban("memory", "write", "tabs", "--user", "--text", "tabs ".repeat(50));
    const { stdout } = await caliban("memory", "list", "--user", "--json");
    const [topic] = (
      JSON.parse(stdout) as { topics: readonly { type: string; description: string }[] }
    ).topics;
    expect(topic?.type).toBe("user");
    expect(Array.from(topic?.description ?? "")).toHaveLength(120);
  });

  it("rejects an empty text and reads no input", async () => {
    const { caliban } = (await machine()).with({
      readInput: () => Promise.reject(new Error("stdin was read")),
    });
    expect(await caliban("memory", "write", "ports", "--text", " ")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--text is empty"),
    });
  });
});

describe("caliban memory diff", () => {
  it("shows the lines that a change removed and added, escaped, by a part of its id", async () => {
    const start = await writtenTwice();
    const id = await lastId(start);
    const { stdout, exitCode } = await start.caliban("memory", "diff", id.slice(0, 7));
    expect(exitCode).toBe(0);
    expect(stdout).toContain("--- ports.md\n+++ ports.md\n@@ -");
    expect(stdout).toContain("\n API\n-8080\n+9090\n \\u{1b}[2Jend\n");
    expect((await start.caliban("memory", "diff")).stdout).toBe(stdout);
  });

  it("names the missing side of a new and of a removed topic", async () => {
    const start = await machine();
    await start.caliban("memory", "write", "ports", "--text", "8080");
    const added = await start.caliban("memory", "diff");
    expect(added.stdout).toMatch(/^--- \/dev\/null\n\+\+\+ ports\.md\n@@ -0,0 \+1,\d+ @@\n/);
    await start.caliban("memory", "rm", "ports", "--force");
    const removed = await start.caliban("memory", "diff");
    expect(removed.stdout).toMatch(/^--- ports\.md\n\+\+\+ \/dev\/null\n@@ -1,\d+ \+0,0 @@\n/);
  });

  it("colors the lines on a terminal with color", async () => {
    const start = (await writtenTwice()).with({ hasColor: () => true });
    const { stdout } = await start.caliban("memory", "diff");
    expect(stdout).toContain("\u001B[31m-8080\u001B[39m\n\u001B[32m+9090\u001B[39m\n");
  });

  it("exits with 3 for an id that no change has, and says how to list them", async () => {
    const start = await writtenTwice();
    expect(await start.caliban("memory", "diff", "zzz")).toEqual({
      exitCode: 3,
      stdout: "",
      stderr: 'caliban: no change "zzz". List all with: caliban memory log\n',
    });
    expect(await (await machine()).caliban("memory", "diff")).toMatchObject({ exitCode: 3 });
    expect(await start.caliban("memory", "diff", "")).toMatchObject({ exitCode: 2 });
  });

  it("says that the texts of an erased change are gone", async () => {
    const start = await writtenTwice();
    const id = await lastId(start);
    await start.caliban("memory", "rm", "ports", "--purge", "--force");
    const { stdout, stderr } = await start.caliban("memory", "diff", id);
    expect(stdout).not.toContain("9090");
    expect(stderr).toContain("were erased");
  });
});
