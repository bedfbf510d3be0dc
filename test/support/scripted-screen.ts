import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type ModelServer, type Script, startModelServer } from "./model-server/model-server.ts";
import { type Pty, type PtyInput, startPty } from "./pty.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Where the program runs. */
export type Directories = Pick<PtyInput, "home" | "cwd">;

/** Creates a home directory with an empty project. */
export async function createEmptyHome(): Promise<Directories> {
  const home = await temporaryDirectory();
  const cwd = join(home, "app");
  await mkdir(cwd);
  return { home, cwd };
}

/** Starts the program and waits for its prompt. */
export async function startScreen(
  directories: Directories,
  more: Partial<PtyInput> = {},
): Promise<Pty> {
  const pty = startPty({ ...directories, ...more });
  await pty.waitFor(/context \d+%/);
  return pty;
}

/** Creates a project with a scripted model. */
export async function withModel(
  script: Script,
): Promise<Directories & { readonly server: ModelServer }> {
  const directories = await createEmptyHome();
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  // Whether commands ask must not depend on whether this machine has a sandbox.
  const settings = `[models]\ndefault = "local/scripted"\n\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n\n[sandbox]\nmode = "off"\n`;
  await mkdir(join(directories.home, ".config/caliban"), { recursive: true });
  await writeFile(join(directories.home, ".config/caliban/settings.toml"), settings);
  return { ...directories, server };
}

/** Waits until the screen accepts keys: it ignores them for a moment after a question appears. */
export async function waitUntilKeysCount(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 600));
}
