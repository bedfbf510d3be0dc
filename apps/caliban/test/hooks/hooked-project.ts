import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type ModelServer,
  type Script,
  startModelServer,
} from "../../../../test/support/model-server/model-server.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { type Machine, machine } from "../fake-host.ts";

/** A project with hooks, whose model answers as scripted. */
export interface HookedProject {
  readonly at: Machine;
  readonly server: ModelServer;
  /** What the model received with its last request. */
  readonly lastRequest: () => string;
  /** What a hook wrote into a file of the home directory; empty if it did not. */
  readonly written: (file: string) => Promise<string>;
}

interface HookedProjectInput {
  /** The user's settings. */
  readonly settings?: string;
  /** The repository's settings. */
  readonly requested?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly script: Script;
  readonly env?: Readonly<Record<string, string>>;
}

export const SETTINGS = ".config/caliban/settings.toml";
export const REQUESTED = "app/.caliban/settings.toml";

export async function hookedProject(input: HookedProjectInput): Promise<HookedProject> {
  const { settings = "", requested, files = {}, script, env = {} } = input;
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const start = await machine({
    "app/README.md": "hello\n",
    ...(requested === undefined ? {} : { [REQUESTED]: requested }),
    ...files,
  });
  await mkdir(join(start.home, ".config/caliban"), { recursive: true });
  const provider = `base_url = "${server.baseUrl("chat-completions")}"`;
  await writeFiles(start.home, {
    [SETTINGS]: `[models]\ndefault = "local/m"\n[providers.local]\n${provider}\n${settings}`,
  });
  const path = { PATH: process.env["PATH"] };
  return {
    at: start.with({ env: { ...start.host.env, ...path, ...env } }),
    server,
    lastRequest: () => server.requests.at(-1)?.text ?? "",
    written: async (file) => await readFile(join(start.home, file), "utf8").catch(() => ""),
  };
}

/** A hook of the settings. The command is a TOML literal string. */
export function hook(name: string, event: string, command: string, more = ""): string {
  return `[hooks.${name}]\nevent = "${event}"\ncommand = '''${command}'''\n${more}\n`;
}
