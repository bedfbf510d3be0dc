import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Which directory a client's roots name, or why they name none. */
export type RootChoice =
  | { readonly kind: "directory"; readonly directory: string }
  | { readonly kind: "none" }
  | { readonly kind: "problem"; readonly sentence: string };

const USE_THE_FLAG = "start `caliban mcp` with --workspace DIR to say which directory is meant";

/** A memory belongs to one project, so there must be one root; none at all leaves the choice to whoever started the server. */
export function chooseRoot(uris: readonly string[]): RootChoice {
  const directories = uris.map(directoryOf);
  const known = new Set(directories.flatMap((directory) => directory ?? []));
  if (directories.includes(undefined)) {
    return problem(`the client has a root that is no directory of this machine; ${USE_THE_FLAG}`);
  }
  const [directory] = known;
  if (known.size > 1) {
    return problem(`the client has ${known.size} roots, and a memory is of one; ${USE_THE_FLAG}`);
  }
  return directory === undefined ? { kind: "none" } : { kind: "directory", directory };
}

function directoryOf(uri: string): string | undefined {
  try {
    const path = fileURLToPath(new URL(uri));
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : undefined;
  } catch (error) {
    // No URL, not one of a file, one of another machine, or one that may not be looked at.
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

function problem(sentence: string): RootChoice {
  return { kind: "problem", sentence };
}
