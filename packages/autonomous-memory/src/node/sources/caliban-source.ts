import { basename } from "node:path";
import { isSessionId } from "@caliban/sessions";
import { streamMessages } from "@caliban/sessions/node";
import type { SessionSource, SourceFile } from "../../transcript/session-source.ts";
import { identifyFile, addFiles, startListing, finishListing } from "./session-files.ts";

export interface CalibanSourceInput {
  /** The directory of the project's sessions. */
  readonly directory: string;
}

const EXTENSION = ".jsonl";

/** Sessions of caliban. What was learned from a removed one is to be forgotten. */
export function calibanSource({ directory }: CalibanSourceInput): SessionSource {
  return {
    name: "caliban",
    forgetsRemoved: true,
    list: async () => {
      const listing = startListing();
      addFiles(listing, directory, isSessionFile);
      return finishListing(listing);
    },
    identify: async (file) =>
      await identifyFile(transcript(file), {
        id: basename(file.path, EXTENSION),
        belongsToProject: () => true,
      }),
    messages: (file) => streamMessages(transcript(file)),
  };
}

function isSessionFile(name: string): boolean {
  return name.endsWith(EXTENSION) && isSessionId(name.slice(0, -EXTENSION.length));
}

function transcript({ path }: SourceFile): {
  readonly path: string;
  readonly format: "caliban";
} {
  return { path, format: "caliban" };
}
