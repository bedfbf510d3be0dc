import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KEY, type Pty } from "./support/pty.ts";
import {
  type Directories,
  startScreen,
  waitUntilKeysCount,
  withModel,
} from "./support/scripted-screen.ts";

/** A project whose agent has changed two files for the second message, after one for the first. */
async function changedProject(): Promise<Directories & { readonly pty: Pty }> {
  const { server: _, ...directories } = await withModel([
    { toolCalls: [{ name: "Read", input: { file_path: "a.txt" } }] },
    { toolCalls: [{ name: "Write", input: { file_path: "a.txt", content: "two\n" } }] },
    { text: "First done." },
    {
      toolCalls: [
        { name: "Write", input: { file_path: "a.txt", content: "three\n" } },
        { name: "Write", input: { file_path: "new.txt", content: "new\n" } },
      ],
    },
    { text: "Second done." },
  ]);
  await writeFile(join(directories.cwd, "a.txt"), "one\n");
  const pty = await startScreen(directories, {
    args: ["--mode", "accept-edits"],
    rows: 40,
    columns: 100,
  });
  await pty.sendLine("change it once");
  await pty.waitFor("First done.");
  await pty.sendLine("change it twice");
  await pty.waitFor("Second done.");
  return { ...directories, pty };
}

async function pressEscapeTwice(pty: Pty): Promise<string> {
  pty.type(KEY.escape);
  await pty.waitFor("Press Esc again to go back to an earlier message");
  pty.type(KEY.escape);
  return await pty.waitFor("Go back to before which message?");
}

it("goes back to an earlier message with Esc Esc, restores files, and offers the message for editing", async () => {
  const { cwd, pty } = await changedProject();
  const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
  const list = await pressEscapeTwice(pty);
  expect(list).toMatch(/change it twice\s+2 files\n[^]*change it once\s+2 files/);
  expect(list).toMatch(/a\.txt: restored\n\s+new\.txt: removed, because it did not exist then/);
  pty.type("once");
  await pty.waitFor(/> once[^]*→[^\n]*change it once/);
  pty.type(KEY.enter);
  const question = await pty.waitFor("What should go back?");
  expect(question).toContain("Changes by commands (Bash, !) and other programs stay.");
  await waitUntilKeysCount();
  pty.type("b");
  const after = await pty.waitFor("Went back.");
  expect(after).toContain("Restored a.txt. Removed new.txt, which did not exist then.");
  expect(after).toMatch(/│?\s*change it once\s*\n/);
  expect(after).not.toContain("First done.");
  expect([read("a.txt"), existsSync(join(cwd, "new.txt"))]).toEqual(["one\n", false]);

  // The prompt holds the message, so Esc Esc must not open the list again.
  pty.type(KEY.ctrlC);
  await pty.waitFor("Press Ctrl-C again to quit");
  await pty.sendLine("/rewind undo");
  await pty.waitFor("The rewind is undone.");
  expect([read("a.txt"), read("new.txt")]).toEqual(["three\n", "new\n"]);
  expect(await pty.screen()).toContain("Second done.");
});

it("asks before it overwrites a file that was changed by hand, and keeps it if the user says so", async () => {
  const { cwd, pty, home } = await changedProject();
  await writeFile(join(cwd, "a.txt"), "by hand\n");
  pty.type(KEY.ctrlD);
  await pty.exit;
  const resumed = await startScreen(
    { home, cwd },
    { args: ["--continue"], rows: 40, columns: 100 },
  );
  await pressEscapeTwice(resumed);
  resumed.type(KEY.enter);
  await resumed.waitFor("What should go back?");
  await waitUntilKeysCount();
  resumed.type("b");
  const question = await resumed.waitFor("This file was changed since, by you or another program.");
  expect(question).toContain("a.txt: restored (changed since by you or another program)");
  expect(question).toContain("/rewind undo brings it back");
  await waitUntilKeysCount();
  resumed.type("k");
  await resumed.waitFor("Went back. Removed new.txt");
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("by hand\n");
});
