import { readFileSync } from "node:fs";
import { join } from "node:path";

const MODULE = /[\\/]packages[\\/]page[\\/]src[\\/]node[\\/]load-client\.ts$/;

interface Context {
  readonly addWatchFile: (path: string) => void;
}

/** Puts the built client of the memory page into the program, in place of the module that reads it from disk. */
export function pageClient(distribution: string) {
  return {
    name: "page-client",
    load(this: Context, id: string): string | undefined {
      if (!MODULE.test(id)) return undefined;
      const text = (name: string): string => {
        const path = join(distribution, name);
        this.addWatchFile(path);
        return JSON.stringify(readFileSync(path, "utf8"));
      };
      const client = `{ script: ${text("client.js")}, style: ${text("client.css")} }`;
      return `export async function loadClient() { return ${client}; }`;
    },
  };
}
