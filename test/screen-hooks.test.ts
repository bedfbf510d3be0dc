import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startScreen, waitUntilKeysCount, withModel } from "./support/scripted-screen.ts";

it("lets the user decide about a call whose hook failed, and lists in /hooks what each hook did", async () => {
  const { server: _, ...directories } = await withModel([
    { toolCalls: [{ name: "Bash", input: { command: "git push --force" } }] },
    { toolCalls: [{ name: "Glob", input: { pattern: "*.md" } }] },
    { text: "All done." },
  ]);
  const hooks = [
    '[hooks.no-force]\nevent = "PreToolUse"\nmatcher = "Bash"',
    "command = \"grep -q -e '--force' && { echo 'never force-push' >&2; exit 2; }; true\"",
    '[hooks.slow]\nevent = "PreToolUse"\nmatcher = "Glob"\ncommand = "sleep 60"\ntimeout_seconds = 1',
  ];
  await appendFile(
    join(directories.home, ".config/caliban/settings.toml"),
    `\n${hooks.join("\n")}\n`,
  );
  const pty = await startScreen(directories);
  await pty.sendLine("push it");
  const question = await pty.waitFor("Let the agent use Glob?");
  expect(question).toContain("Your hook no-force denies it: never force-push");
  expect(question).toMatch(/Make it faster, or raise\s+hooks\.slow\.timeout_seconds\./);
  expect(question).toMatch(
    /Your hook slow failed \(took longer than 1 s, and was killed\), so the call needs your\s+approval\./,
  );
  await waitUntilKeysCount();
  pty.type("y");
  await pty.waitFor("All done.");
  await pty.sendLine("/hooks");
  const list = await pty.waitFor(/slow: yours[^]*ran once, failed once/);
  expect(list).toMatch(/no-force: yours\n\s+PreToolUse of Bash: grep/);
  expect(list).toContain("ran once; last: denied a call");
});
