import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPromptOverrides } from "../../src/commands/prompt-overrides.ts";
import { NO_OPTIONS } from "../../src/command.ts";
import { machine } from "../fake-host.ts";

describe("--system-file", () => {
  it("uses the text of --system-file unchanged", async () => {
    const { host } = await machine({ "app/poet.md": "You are a poet. Ω\n" });
    const invocation = { ...NO_OPTIONS, host, options: { systemFile: "poet.md" } };
    expect(await readPromptOverrides(invocation)).toMatchObject({ body: "You are a poet. Ω\n" });
  });

  it.each([
    ["a pipe without a writer", "pipe", "not a regular file"],
    ["an endless device", "/dev/zero", "not a regular file"],
    ["a file that is not text", "bytes", "not valid UTF-8 at line 1"],
    ["a file that is too long", "long", "larger than 1048576 bytes"],
    ["a missing file", "gone", "no such file"],
  ])("rejects %s as --system-file", async (_, path, reason) => {
    const { host, home } = await machine();
    execFileSync("mkfifo", [join(home, "app/pipe")]);
    await writeFile(join(home, "app/bytes"), new Uint8Array([0xff, 0xfe]));
    await writeFile(join(home, "app/long"), "a".repeat(1024 * 1024 + 1));
    const invocation = { ...NO_OPTIONS, host, options: { systemFile: path } };
    await expect(readPromptOverrides(invocation)).rejects.toThrow(
      new RegExp(`^--system-file '${path}': .*${reason}$`),
    );
  });
});
