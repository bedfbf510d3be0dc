import type { Workspace } from "@caliban/memory/node";
import type { Host } from "../../../../host.ts";

/** Whose memory can be taken over. */
export const AGENTS = ["claude", "codex", "gemini", "agents-md", "dir"] as const;
export type AgentName = (typeof AGENTS)[number];

/** A file of another program: its text, why it cannot be taken, or why it is not unless it is asked for. */
export type ForeignFile = {
  /** What it would be called here. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number | undefined;
  /** What is to be known about it whatever becomes of it. */
  readonly note?: string | undefined;
} & (
  | { readonly text: string; readonly leftOut?: string | undefined }
  | { readonly problem: string }
);

/** What another program has, as it was found; nothing of it was changed. */
export interface ForeignSource {
  readonly agent: AgentName;
  /** Where it was looked for, as it is shown. */
  readonly place: string | undefined;
  /** Whether there is such a place. */
  readonly isThere: boolean;
  readonly files: readonly ForeignFile[];
  /** The file that lists the others, where the program has one of our form. */
  readonly index?: ForeignFile | undefined;
  /** What a person wrote for the program to follow everywhere: it can be imported by a line. */
  readonly instructions: readonly string[];
  /** What is to be said about all of it. */
  readonly notes: readonly string[];
  /** What is to be said besides while files of it are left out. */
  readonly whyLeftOut?: string | undefined;
  /** What to do when nothing of it is there; to name a directory when left out. */
  readonly advice?: string | undefined;
}

/** What it takes to look for another program's memory. */
export interface SourceInput {
  readonly host: Host;
  readonly workspace: Workspace;
  /** The path that names the project, whichever of its worktrees one stands in. */
  readonly projectPath: string;
  /** A path that was named. */
  readonly path: string | undefined;
}
