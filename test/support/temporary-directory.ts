import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** Work in the background, such as storing a search index, may still write a file meanwhile. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 10 } as const;

/** Creates a directory that is removed when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await createDirectory();
  onTestFinished(() => rm(directory, REMOVAL));
  return directory;
}

/** Creates a directory that is removed after the last test of the file. Call it at the top of the file. */
export async function temporaryDirectoryOfFile(): Promise<string> {
  const directory = await createDirectory();
  afterAll(() => rm(directory, REMOVAL));
  return directory;
}

async function createDirectory(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), "caliban-")));
}
