import { dirname } from "node:path";
import type { Diagnostic } from "@caliban/common";
import type { FilePolicy, TextContent } from "./read-allowed-file.ts";

/** Everything that reading a file depends on besides the file. */
export interface ReadContext {
  readonly policy: FilePolicy;
  readonly home: string | undefined;
  /** The real path of the user's configuration directory. */
  readonly configHome: string | undefined;
  /** Whether a path relative to the workspace root is excluded. */
  readonly isExcluded: (relativePath: string) => boolean;
  /** The same by the user's own patterns alone, for the user's own file. */
  readonly isLocalExcluded: (relativePath: string) => boolean;
  readonly progress: ReadProgress;
}

/** What a session has read so far: nothing gets into the prompt twice, and the limits are per session. */
export interface ReadProgress {
  readonly loaded: LoadedSet;
  imports: number;
  importedBytes: number;
  ruleBytes: number;
}

export function createReadProgress(): ReadProgress {
  return { loaded: createLoadedSet(), imports: 0, importedBytes: 0, ruleBytes: 0 };
}

/** The files that are in the prompt, by real path, by inode, and by content within a directory. */
interface LoadedSet {
  readonly findDuplicate: (realPath: string, file: TextContent) => Duplicate | undefined;
  readonly add: (realPath: string, file: TextContent, shownPath: string) => void;
}

type Duplicate = Diagnostic<"DUPLICATE" | "ALREADY_LOADED">;

function createLoadedSet(): LoadedSet {
  const byFile = new Map<string, string>();
  const byContent = new Map<string, string>();
  return {
    findDuplicate: (realPath, file) => {
      const same = byFile.get(realPath) ?? byFile.get(file.inode);
      if (same !== undefined) {
        return { code: "ALREADY_LOADED", message: `Already in the prompt through ${same}.` };
      }
      const equal = byContent.get(contentKey(realPath, file));
      if (equal === undefined) return undefined;
      return { code: "DUPLICATE", message: `Has the same content as ${equal}.` };
    },
    add: (realPath, file, shownPath) => {
      byFile.set(realPath, shownPath);
      byFile.set(file.inode, shownPath);
      if (file.text.trim() !== "") byContent.set(contentKey(realPath, file), shownPath);
    },
  };
}

function contentKey(realPath: string, { text, fileBytes }: TextContent): string {
  return `${dirname(realPath)}\0${fileBytes}\0${text}`;
}
