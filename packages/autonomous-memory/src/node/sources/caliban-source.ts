import { basename } from "node:path";
import { isSessionId } from "@caliban/sessions";
import { streamMessages } from "@caliban/sessions/node";
import type { SessionSource, SourceFile } from "../../session-source.ts";
import { identifyFile } from "./identify-file.ts";
import { addFiles, beginListing, endListing } from "./list-files.ts";

export interface CalibanSourceInput {
  /** Where the sessions of the project are kept. */
  readonly directory: string;
}

const ENDING = ".jsonl";

/** Our own sessions. What the person removes is to be forgotten. */
export function calibanSource({ directory }: CalibanSourceInput): SessionSource {
  return {
    name: "caliban",
    forgetsRemoved: true,
    list: async () => {
      const listing = beginListing();
      addFiles(listing, directory, isSessionFile);
      return endListing(listing);
    },
    identify: async (file) =>
      await identifyFile(transcript(file), {
        id: basename(file.path, ENDING),
        isOurs: () => true,
      }),
    messages: (file) => streamMessages(transcript(file)),
  };
}

function isSessionFile(name: string): boolean {
  return name.endsWith(ENDING) && isSessionId(name.slice(0, -ENDING.length));
}

function transcript({ path }: SourceFile): {
  readonly path: string;
  readonly format: "caliban";
} {
  return { path, format: "caliban" };
}
