import { basename } from "node:path";
import { isSessionId } from "@caliban/sessions";
import type { SessionSource } from "../../transcript/session-source.ts";
import { addFiles, transcriptSource } from "./session-files.ts";

export interface CalibanSourceInput {
  /** The directory of the project's sessions. */
  readonly directory: string;
}

const EXTENSION = ".jsonl";

/** Sessions of caliban. What was learned from a removed one is to be forgotten. */
export function calibanSource({ directory }: CalibanSourceInput): SessionSource {
  return transcriptSource({
    format: "caliban",
    forgetsRemoved: true,
    list: (listing) => void addFiles(listing, directory, isSessionFile),
    idOf: (path) => basename(path, EXTENSION),
    belongsToProject: () => true,
  });
}

function isSessionFile(name: string): boolean {
  return name.endsWith(EXTENSION) && isSessionId(name.slice(0, -EXTENSION.length));
}
