import { type Environment, pathStyleOf } from "@caliban/common";
import { readTextFile } from "@caliban/common/node";
import { type Candidate, discover } from "../discover.ts";
import { memoryPlaces } from "../places.ts";
import { buildPrefix, MAX_FILE_BYTES, type MemoryPrefix, type ReadCandidate } from "../prefix.ts";
import { type ChosenSettings, completeSettings } from "../settings.ts";
import { workspaceSlug } from "../workspace-slug.ts";
import { findWorkspace } from "./find-workspace.ts";
import { sha256Hex } from "./sha256-hex.ts";

export interface LoadMemoryInput {
  /** The directory to start from; its git top level is the workspace. */
  readonly directory: string;
  readonly env: Environment;
  readonly platform: string;
  /** The person's home directory; `undefined` when none is known. */
  readonly home: string | undefined;
  readonly settings?: ChosenSettings;
}

/** Reads every tier of a workspace and makes the prompt prefix. One bad file costs that file only. */
export async function loadMemory(input: LoadMemoryInput): Promise<MemoryPrefix> {
  const settings = completeSettings(input.settings);
  const style = pathStyleOf(input.platform);
  const workspace = await findWorkspace(input.directory);
  const slug = workspaceSlug(workspace.root, sha256Hex);
  const places = memoryPlaces({ ...input, slug, directory: settings.directory });
  const candidates = discover({
    places,
    workspaceRoot: workspace.root,
    style,
    autoMemory: settings.autoMemory,
    isExcluded: await excludeTest(settings.excludes, input.platform),
  });
  return buildPrefix({
    workspaceRoot: workspace.root,
    files: await Promise.all(candidates.map(readCandidate)),
    settings,
    notices: places.notices,
  });
}

async function readCandidate(candidate: Candidate): Promise<ReadCandidate> {
  if (candidate.leaveOut !== undefined) return { candidate };
  const file = await readTextFile(candidate.path, MAX_FILE_BYTES);
  if (file.kind !== "text") return { candidate, reading: file };
  const { text, fileBytes, readBytes, invalidAt } = file;
  return {
    candidate,
    reading: { kind: "text", text, fileBytes, unreadBytes: fileBytes - readBytes, invalidAt },
  };
}

/** The matcher is loaded only for those who exclude something. */
async function excludeTest(
  patterns: readonly string[],
  platform: string,
): Promise<(path: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { compileExcludes } = await import("../excludes.ts");
  // As git does where the file system does not tell CLAUDE.md from claude.md.
  return compileExcludes(patterns, { ignoreCase: platform === "win32" || platform === "darwin" });
}
