import type { MemoryPlaces } from "./places.ts";
import type { ReasonCode } from "./receipt.ts";
import type { TierKind } from "./tier.ts";
import { joinPath, type PathStyle } from "@caliban/common";

const INSTRUCTION_FILE = "CLAUDE.md";
const INDEX_FILE = "MEMORY.md";

/** A file to consider. With a reason it is not even opened. */
export interface Candidate {
  readonly tier: TierKind;
  readonly path: string;
  readonly leaveOut?: { readonly reason: ReasonCode; readonly sentence: string };
}

export interface DiscoverInput {
  readonly places: MemoryPlaces;
  readonly workspaceRoot: string;
  readonly style: PathStyle;
  readonly autoMemory: boolean;
  /** Whether a path below the workspace root is excluded. */
  readonly isExcluded: (relativePath: string) => boolean;
}

/** Lists the files that make up memory, broad to narrow. */
export function discover(input: DiscoverInput): readonly Candidate[] {
  return [...globalTier(input), projectTier(input), ...autoTier(input)];
}

function globalTier({ places }: DiscoverInput): readonly Candidate[] {
  return places.globalFile === undefined ? [] : [{ tier: "global", path: places.globalFile }];
}

function projectTier({ workspaceRoot, style, isExcluded }: DiscoverInput): Candidate {
  const candidate = {
    tier: "project",
    path: joinPath(style, workspaceRoot, INSTRUCTION_FILE),
  } as const;
  if (!isExcluded(INSTRUCTION_FILE)) return candidate;
  return {
    ...candidate,
    leaveOut: { reason: "EXCLUDED", sentence: "A pattern in claude_md_excludes names this file." },
  };
}

function autoTier({ places, style, autoMemory }: DiscoverInput): readonly Candidate[] {
  if (places.autoDirectory === undefined) return [];
  const candidate = {
    tier: "auto",
    path: joinPath(style, places.autoDirectory, INDEX_FILE),
  } as const;
  if (autoMemory) return [candidate];
  return [
    {
      ...candidate,
      leaveOut: { reason: "TURNED_OFF", sentence: "Auto-memory is turned off." },
    },
  ];
}
