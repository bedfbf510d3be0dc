import * as fs from "node:fs";
import { promisify } from "node:util";
import { hasCode } from "./error-code.ts";

/**
 * The system calls that make up a durable write, one method each. Writers take them as an argument, so that a test can
 * record their order, make one of them fail, or end the process between two of them.
 */
export interface Disk {
  /** Creates a private file that must not exist yet, and opens it for writing. */
  readonly create: (path: string) => Promise<number>;
  /** Opens a private file for appending, and creates it if it is missing. Rejects a symbolic link. */
  readonly openToAppend: (path: string) => Promise<number>;
  readonly write: (descriptor: number, content: string | Uint8Array) => Promise<void>;
  readonly sync: (descriptor: number) => Promise<void>;
  readonly truncate: (descriptor: number, bytes: number) => Promise<void>;
  readonly close: (descriptor: number) => Promise<void>;
  /** Makes created, renamed and removed names in a directory durable. */
  readonly syncDirectory: (path: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly link: (existing: string, name: string) => Promise<void>;
  readonly unlink: (path: string) => Promise<void>;
  /** Makes a private directory and its missing parents. */
  readonly makeDirectory: (path: string) => Promise<void>;
  /** Sets the modification time of a file to now. */
  readonly touch: (path: string) => Promise<void>;
}

const [writeFile, fsync] = [promisify(fs.writeFile), promisify(fs.fsync)];

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_RDONLY } = fs.constants;
// Windows does not have this flag.
const NO_FOLLOW = fs.constants.O_NOFOLLOW ?? 0;

/**
 * The real system calls. Those that wait for the disk itself do not block the process. Those that only change names and
 * descriptors are synchronous, because a round trip through the thread pool takes several times as long as the call.
 */
export const nodeDisk: Disk = {
  create: async (path) => fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, 0o600),
  openToAppend: async (path) => fs.openSync(path, O_WRONLY | O_CREAT | O_APPEND | NO_FOLLOW, 0o600),
  // Continues after a short write until everything is written.
  write: (descriptor, content) => writeFile(descriptor, content),
  sync: (descriptor) => fsync(descriptor),
  truncate: async (descriptor, bytes) => fs.ftruncateSync(descriptor, bytes),
  close: async (descriptor) => fs.closeSync(descriptor),
  syncDirectory,
  rename: async (from, to) => fs.renameSync(from, to),
  link: async (existing, name) => fs.linkSync(existing, name),
  unlink: async (path) => fs.unlinkSync(path),
  makeDirectory: async (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  touch: async (path) => {
    const now = new Date();
    fs.utimesSync(path, now, now);
  },
};

/** Windows cannot open directories and does not need this. */
async function syncDirectory(path: string): Promise<void> {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(path, O_RDONLY);
    await fsync(descriptor);
  } catch (error) {
    if (!hasCode(error, "EISDIR", "EPERM", "EACCES", "EINVAL")) throw error;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
