import * as fs from "node:fs";
import { promisify } from "node:util";

/**
 * The system calls that a durable write is made of, one method each: whoever writes takes them as an argument, so
 * that a test can record their order, let one of them fail, or end the process between two of them.
 */
export interface Disk {
  /** Creates a private file that must not be there yet, and opens it for writing. */
  readonly create: (path: string) => Promise<number>;
  /** Opens a private file for appending, and creates it when it is not there. A symbolic link is refused. */
  readonly openToAppend: (path: string) => Promise<number>;
  readonly write: (descriptor: number, text: string) => Promise<void>;
  readonly sync: (descriptor: number) => Promise<void>;
  readonly truncate: (descriptor: number, bytes: number) => Promise<void>;
  readonly close: (descriptor: number) => Promise<void>;
  /** Makes what happened to the names in a directory durable. */
  readonly syncDirectory: (path: string) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly link: (existing: string, name: string) => Promise<void>;
  readonly unlink: (path: string) => Promise<void>;
  /** Makes a private directory, and those above it that are missing. */
  readonly makeDirectory: (path: string) => Promise<void>;
  /** Sets the time of a file to now. */
  readonly touch: (path: string) => Promise<void>;
}

const [open, writeFile, fsync, ftruncate, close, rename, link, unlink, mkdir, utimes] = [
  promisify(fs.open),
  promisify(fs.writeFile),
  promisify(fs.fsync),
  promisify(fs.ftruncate),
  promisify(fs.close),
  promisify(fs.rename),
  promisify(fs.link),
  promisify(fs.unlink),
  promisify(fs.mkdir),
  promisify(fs.utimes),
];

const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND } = fs.constants;
// Windows has no links to refuse.
const NO_LINKS = fs.constants.O_NOFOLLOW ?? 0;
const CANNOT_SYNC = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL"]);

/** The real ones. They do not block: a slow disk must not stop the screen. */
export const nodeDisk: Disk = {
  create: (path) => open(path, O_WRONLY | O_CREAT | O_EXCL | NO_LINKS, 0o600),
  openToAppend: (path) => open(path, O_WRONLY | O_CREAT | O_APPEND | NO_LINKS, 0o600),
  // Writes on until all of it is written.
  write: (descriptor, text) => writeFile(descriptor, text),
  sync: (descriptor) => fsync(descriptor),
  truncate: (descriptor, bytes) => ftruncate(descriptor, bytes),
  close: (descriptor) => close(descriptor),
  syncDirectory,
  rename: (from, to) => rename(from, to),
  link: (existing, name) => link(existing, name),
  unlink: (path) => unlink(path),
  makeDirectory: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  touch: async (path) => {
    const now = new Date();
    await utimes(path, now, now);
  },
};

/** Windows cannot open directories, and needs no sync. */
async function syncDirectory(path: string): Promise<void> {
  let descriptor: number | undefined;
  try {
    descriptor = await open(path, fs.constants.O_RDONLY);
    await fsync(descriptor);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && CANNOT_SYNC.has(String(error.code))))
      throw error;
  } finally {
    if (descriptor !== undefined) await close(descriptor);
  }
}
