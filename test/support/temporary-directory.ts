import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** Creates a directory that is removed when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await createDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Creates a directory that is removed after the last test of the file. Call it at the top of the file. */
export async function temporaryDirectoryOfFile(): Promise<string> {
  const directory = await createDirectory();
  afterAll(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function createDirectory(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), "caliban-")));
}
