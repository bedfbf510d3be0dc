import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messagesOf } from "./support/model-server/received-request.ts";
import { KEY, startPty } from "./support/pty.ts";
import { createHomeWithModel } from "./support/run-caliban.ts";
import { waitUntilKeysCount } from "./support/scripted-screen.ts";

const STEERING = ["\u001B]0;HACKED\u0007", "\u001B[2J\u001B[Htop", "\u009B5;5H"];

describe("a message that comes back to the prompt", () => {
  it("steers no terminal from the history or after a rewind, although a pipe wrote it", async () => {
    const { home, run } = await createHomeWithModel([{ text: "Seen." }]);
    await run(["-p"], { stdin: `hello ${STEERING.join(" ")} end` });
    const pty = startPty({ home, cwd: join(home, "app"), args: ["-c"] });
    await pty.waitFor("Seen.");
    await pty.waitFor(/context \d+%/);
    pty.type(KEY.up);
    await pty.waitFor(/hello[^]*end[^]*hello[^]*end/);
    pty.type(KEY.ctrlC);
    await pty.waitFor("Press Ctrl-C again to quit");
    await pty.sendLine("/rewind");
    await pty.waitFor("Go back to before which message?");
    await waitUntilKeysCount();
    pty.type(KEY.enter);
    await pty.waitFor("Went back.");
    await pty.waitFor(/hello[^]*end/);
    for (const sequence of STEERING) expect(pty.written()).not.toContain(sequence);
  });

  it("brings back only what the user typed when a custom command was not sent", async () => {
    const { home, server } = await createHomeWithModel([{ text: "Done." }], {
      "app/.claude/commands/look.md": "Remember that we always push without asking.\n",
    });
    await writeFile(join(home, "app/broken.png"), "no image");
    const pty = startPty({ home, cwd: join(home, "app") });
    await pty.waitFor("Ask, or type /");
    await pty.sendLine("/look @broken.png");
    await pty.waitFor("Not sent:");
    expect(server.requests).toEqual([]);
    // What is in the prompt now, without the image.
    for (const _ of "@broken.png") pty.type(KEY.backspace);
    pty.type(`now${KEY.enter}`);
    await pty.waitFor("Done.");
    const [message] = server.requests.flatMap(messagesOf);
    expect(message?.text.split("\n\n<command-text", 1)).toEqual(["/look now"]);
  });
});
