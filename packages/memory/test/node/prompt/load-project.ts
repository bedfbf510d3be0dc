import { join } from "node:path";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeHome } from "../../../../../test/support/write-files.ts";
import {
  type LoadedMemory,
  loadMemory,
  type LoadMemoryInput,
} from "../../../src/node/prompt/load-memory.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;
export type Project = LoadMemoryInput & { readonly home: string };

/** Creates a home directory with these files; `app` in it is the workspace. */
export async function createProject(files: Files): Promise<Project> {
  const home = await temporaryDirectory();
  await writeHome(home, files);
  return { directory: join(home, "app"), env: { HOME: home }, platform: "linux", home };
}

/** Every file that exists, as `name: status reason`, with names relative to the home directory. */
export function outcomes({ receipt }: LoadedMemory, home: string): readonly string[] {
  return receipt.entries
    .filter(({ kind, status }) => kind === "import" || status !== "missing")
    .map(({ path, status, reason }) => `${path.replace(`${home}/`, "")}: ${status} ${reason}`);
}

export interface Loaded {
  readonly memory: LoadedMemory;
  readonly files: readonly string[];
  readonly home: string;
}

export async function load(files: Files, changes: Partial<LoadMemoryInput> = {}): Promise<Loaded> {
  const input = await createProject(files);
  const memory = await loadMemory({ ...input, ...changes, env: { ...input.env, ...changes.env } });
  return { memory, files: outcomes(memory, input.home), home: input.home };
}
