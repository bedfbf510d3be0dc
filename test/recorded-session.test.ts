import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import type { Answer, ScriptedCall } from "./support/model-server/answer.ts";
import { KEY, type Pty } from "./support/pty.ts";
import { screenSvg } from "./support/screen-svg.ts";
import { startScreen, waitUntilKeysCount, withModel } from "./support/scripted-screen.ts";

const COLUMNS = 92;

const SHIP = `set -e
pnpm build
curl --fail "$SHIP_URL" --upload-file app.tgz
echo shipped
`;

/** Runs until the picture is taken. */
const TESTS = `echo "ok 1 - builds before it ships"
echo "ok 2 - stops when the build fails"
echo "ok 3 - retries a failed upload"
touch started
until [ -e go ]; do sleep 0.05; done
`;

const call = (name: string, input: ScriptedCall["input"]): Answer => ({
  toolCalls: [{ name, input }],
});

const SCRIPT: readonly Answer[] = [
  {
    text: "Memory says that you deploy with `pnpm ship`, so the retry belongs in ship.sh.",
    ...call("ReadMemoryTopic", { name: "deploy-pnpm-ship" }),
  },
  call("Read", { file_path: "ship.sh" }),
  call("Edit", {
    file_path: "ship.sh",
    old_string: "curl --fail",
    new_string: "curl --fail --retry 3",
  }),
  call("Bash", { command: "sh ship.test.sh" }),
  { text: "Done." },
];

async function agree(pty: Pty, question: RegExp): Promise<void> {
  await pty.waitFor(question);
  await waitUntilKeysCount();
  pty.type("y");
}

// To record it again: vitest run --project workspace test/recorded-session.test.ts -u
it("matches the recorded session in the README", async () => {
  const { server: _, ...directories } = await withModel(SCRIPT);
  const { cwd } = directories;
  await writeFile(join(cwd, "CLAUDE.md"), "We use pnpm, never npm.\n");
  await writeFile(join(cwd, "ship.sh"), SHIP);
  await writeFile(join(cwd, "ship.test.sh"), TESTS);
  const first = await startScreen(directories, { columns: COLUMNS });
  await first.sendLine("#we deploy with pnpm ship");
  await first.waitFor("saved as deploy-pnpm-ship");
  first.type(KEY.ctrlD);
  await first.exit;

  const second = await startScreen(directories, { columns: COLUMNS, rows: 40 });
  await second.sendLine("retry the deploy when the upload fails, and run its tests");
  await agree(second, /use Edit ship\.sh[^]*Yes, once/);
  await agree(second, /use Bash[^]*sh ship\.test\.sh[^]*Yes, once/);
  await expect.poll(() => existsSync(join(cwd, "started"))).toBe(true);
  const live = await second.waitFor(/│ ok 3[^]*Working/);
  await writeFile(join(cwd, "go"), "");
  await second.waitFor("Done.");
  const picture = screenSvg(withoutChance(live), COLUMNS);
  await expect(picture).toMatchFileSnapshot(join(root, "docs/first-session.svg"));
});

/** Without what differs between two recordings: times, and token counts that include the temporary path. */
function withoutChance(screen: string): string {
  return screen
    .replace(/loaded, \d+ tokens/, "loaded, 110 tokens")
    .replace(/^. Working · \d+s · ↑ \S+ ↓ \S+ tokens/m, "⠹ Working · 2s · ↑ 400 ↓ 40 tokens")
    .replace(/context \d+%/, "context 12%");
}
