import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPromptWishes } from "../../src/cli/read-prompt-wishes.ts";
import { NO_OPTIONS } from "../../src/command.ts";
import { machine } from "../fake-host.ts";

describe("a file for the system prompt", () => {
  it("is read as it is", async () => {
    const { host } = await machine({ "app/poet.md": "You are a poet. Ω\n" });
    const invocation = { ...NO_OPTIONS, host, options: { systemFile: "poet.md" } };
    expect(await readPromptWishes(invocation)).toMatchObject({ body: "You are a poet. Ω\n" });
  });

  it.each([
    ["a pipe that nobody writes to", "pipe", "it is not a regular file"],
    ["a device without an end", "/dev/zero", "it is not a regular file"],
    ["a file that is no text", "bytes", "it is not UTF-8 in line 1"],
    ["a file that is too long", "long", "it has more than 1048576 bytes"],
    ["nothing", "gone", "it does not exist"],
  ])("cannot be %s", async (_, path, reason) => {
    const { host, home } = await machine();
    execFileSync("mkfifo", [join(home, "app/pipe")]);
    await writeFile(join(home, "app/bytes"), new Uint8Array([0xff, 0xfe]));
    await writeFile(join(home, "app/long"), "a".repeat(1024 * 1024 + 1));
    const invocation = { ...NO_OPTIONS, host, options: { systemFile: path } };
    await expect(readPromptWishes(invocation)).rejects.toThrow(
      `--system-file: ${path} cannot be used: ${reason}`,
    );
  });
});
