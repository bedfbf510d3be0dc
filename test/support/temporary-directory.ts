import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A real directory that is gone when the test is. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await createDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The same for a whole file, called at its top: gone when every test of the file is done. */
export async function temporaryDirectoryOfFile(): Promise<string> {
  const directory = await createDirectory();
  afterAll(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function createDirectory(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), "caliban-")));
}
