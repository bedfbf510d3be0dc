import { readFile } from "node:fs/promises";
import { errorCode } from "@caliban/common/node";
import type { PageClient } from "../safety/page-document.ts";
import { PageError } from "./page-error.ts";

/** The files that `pnpm build` of this package writes. The build of the program replaces this module with their text. */
export async function loadClient(): Promise<PageClient> {
  const [script, style] = await Promise.all([read("client.js"), read("client.css")]);
  return { script, style };
}

async function read(name: string): Promise<string> {
  try {
    return await readFile(new URL(`../../dist/${name}`, import.meta.url), "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    const message = `the page is not built: ${name} is missing. Run: pnpm --filter @caliban/page build`;
    throw new PageError("CLIENT_NOT_BUILT", message, { cause: error });
  }
}
