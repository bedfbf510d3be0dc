import { rm } from "node:fs/promises";
import { join } from "node:path";
import { randomHex, writeFileAtomic } from "@caliban/common/node";

/** A file that sends the browser to the page, so that the token is in no process arguments. */
export interface RedirectFile {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Writes it into a directory that only the user can read. */
export async function writeRedirectFile(directory: string, address: string): Promise<RedirectFile> {
  const path = join(directory, `open-${randomHex(8)}.html`);
  await writeFileAtomic(path, redirectTo(address));
  return { path, remove: async () => await rm(path, { force: true }) };
}

function redirectTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>caliban</title>
`;
}
