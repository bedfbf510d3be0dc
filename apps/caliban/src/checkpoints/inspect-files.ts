import { relative, sep } from "node:path";
import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { type FileState, readFileState } from "@caliban/tools-builtin/node";
import type { Project } from "../project/project.ts";
import type { JournalEntry } from "./journal.ts";
import { decideStep, type FileStep, planRewind } from "./plan-rewind.ts";
import type { OpenCheckpoints } from "./checkpoints.ts";

/** What a rewind would do to the files. */
export interface FilesPlan {
  /** All files that were changed since, also those that need no change now. */
  readonly steps: readonly ShownStep[];
  /** Whether the last rewind went there, and never ended. */
  readonly isInterrupted: boolean;
  /** Why files cannot be brought back at all. */
  readonly problem?: string | undefined;
}

export type ShownStep = FileStep & {
  /** Relative to the workspace if possible, and safe for a terminal. */
  readonly display: string;
};

/** What of a project says where its files are. */
export interface ProjectLocation extends Pick<Project, "addedDirectories"> {
  readonly environment: Pick<Project["environment"], "platform" | "home">;
  readonly workspace: Pick<Project["workspace"], "root">;
  readonly settings: {
    readonly values: Pick<Project["settings"]["values"], "additional_directories">;
  };
}

/** Compares what files were at points of a session with what they are now. Each file is read once. */
export function createInspection(
  project: ProjectLocation,
  checkpoints: OpenCheckpoints | undefined,
): (to: string) => Promise<FilesPlan> {
  const states = new Map<string, Promise<FileState>>();
  const stateOf = async (path: string): Promise<FileState> => {
    const known = states.get(path) ?? readFileState(path);
    states.set(path, known);
    return await known;
  };
  const { isInWorkspace, display } = createLocation(project);
  return async (to) => {
    if (checkpoints === undefined) return { steps: [], isInterrupted: false, problem: NOT_SAVED };
    const { store } = checkpoints;
    const isInterrupted = interruptedRewind(store.entries()) === to;
    const { files, isComplete } = planRewind(store.entries(), to);
    if (!isComplete) return { steps: [], isInterrupted, problem: INCOMPLETE };
    const steps: ShownStep[] = [];
    for (const planned of files) {
      const { path, target } = planned;
      const current = await stateOf(path);
      const step = decideStep(planned, current, { isInWorkspace: isInWorkspace(path) });
      const isLost = target.kind === "file" && step.step !== "none" && !store.has(target.sha256);
      const shown: FileStep = isLost ? { ...step, step: "blocked", reason: LOST } : step;
      steps.push({ ...shown, display: display(path) });
    }
    return { steps, isInterrupted };
  };
}

/** Where the last rewind was going, if a crash interrupted it. */
function interruptedRewind(entries: readonly JournalEntry[]): string | undefined {
  const last = entries.findLast((entry) => entry.type === "rewind");
  if (last?.type !== "rewind") return undefined;
  const hasEnded = entries.some((entry) => entry.type === "rewound" && entry.id === last.id);
  return hasEnded ? undefined : last.to;
}

const NOT_SAVED = "this conversation is not stored, so its files were not saved";
const INCOMPLETE = "its files were not saved then";
const LOST = "its earlier content is missing in the state directory";

function createLocation({ environment, workspace, settings, addedDirectories }: ProjectLocation): {
  readonly isInWorkspace: (path: string) => boolean;
  readonly display: (path: string) => string;
} {
  const { additional_directories: additional } = settings.values;
  const [root = workspace.root, ...others] = [
    workspace.root,
    ...additional,
    ...addedDirectories(),
  ].map((directory) => realPathIfExists(directory) ?? directory);
  const style = pathStyleOf(environment.platform);
  return {
    isInWorkspace: (path) => [root, ...others].some((directory) => isBelow(directory, path)),
    display: (path) =>
      terminalSafeLine(
        isBelow(root, path)
          ? relative(root, path).split(sep).join("/")
          : abbreviateHome(style, path, environment.home),
      ),
  };
}

function isBelow(directory: string, path: string): boolean {
  const below = relative(directory, path);
  return below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !below.startsWith(sep);
}
