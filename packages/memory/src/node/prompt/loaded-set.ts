import { dirname } from "node:path";
import type { AdmittedText } from "./read-allowed-file.ts";

/** What is in the prompt already, by real path, by inode, and by content within a directory. */
export interface LoadedSet {
  readonly find: (
    realPath: string,
    file: AdmittedText,
  ) => { readonly reason: "DUPLICATE" | "ALREADY_LOADED"; readonly sentence: string } | undefined;
  readonly add: (realPath: string, file: AdmittedText, shown: string) => void;
}

export function createLoadedSet(): LoadedSet {
  const byFile = new Map<string, string>();
  const byContent = new Map<string, string>();
  return {
    find: (realPath, file) => {
      const same = byFile.get(realPath) ?? byFile.get(file.inode);
      if (same !== undefined) {
        return {
          reason: "ALREADY_LOADED",
          sentence: `It is in the prompt already, through ${same}.`,
        };
      }
      const twin = byContent.get(contentKey(realPath, file));
      if (twin === undefined) return undefined;
      return { reason: "DUPLICATE", sentence: `It says word for word the same as ${twin}.` };
    },
    add: (realPath, file, shown) => {
      byFile.set(realPath, shown);
      byFile.set(file.inode, shown);
      if (file.text.trim() !== "") byContent.set(contentKey(realPath, file), shown);
    },
  };
}

function contentKey(realPath: string, { text, fileBytes }: AdmittedText): string {
  return `${dirname(realPath)}\0${fileBytes}\0${text}`;
}
