import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { KEY, startPty } from "./support/pty.ts";
import { screenSvg } from "./support/screen-svg.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const COLUMNS = 92;

// To record it again: vitest run --project workspace test/recorded-session.test.ts -u
it("matches the recorded session in the README", async () => {
  const home = await temporaryDirectory();
  const cwd = join(home, "app");
  await mkdir(cwd);
  await writeFile(join(cwd, "CLAUDE.md"), "We use pnpm, never npm.\n");
  const terminal = { home, cwd, columns: COLUMNS, rows: 40 };
  const first = startPty(terminal);
  await first.waitFor(/context \d+%/);
  await first.sendLine("remember that we deploy with pnpm ship");
  await first.waitFor("I will remember");
  first.type(KEY.ctrlD);
  await first.exit;
  const second = startPty(terminal);
  await second.waitFor(/context \d+%/);
  await second.sendLine("how do we deploy?");
  await second.waitFor("(from memory: deploy-pnpm-ship");
  await second.sendLine("/memory list");
  await second.waitFor(/deploy-pnpm-ship +project/);
  await second.waitFor(/context \d+%/);
  // The token count includes the temporary path, whose length differs between machines.
  const screen = (await second.screen()).replace(/loaded, \d+ tokens/, "loaded, 110 tokens");
  const picture = screenSvg(screen, COLUMNS);
  await expect(picture).toMatchFileSnapshot(join(root, "docs/first-session.svg"));
});
