import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { childEnvironment } from "../child-environment.ts";

/** Where the corpus was made. A copy has a path of the same length, because paths count as tokens. */
export const CORPUS_ROOT =
  "/tmp/caliban-corpus/written-by-version-0.0.0/in-a-long-path-so-that-a-temporary-directory-fits";
export const CORPUS: string = join(import.meta.dirname, "../../corpus");
/** Replaced with the name of this machine in the lock of the writer that was killed. */
export const CORPUS_HOST = "corpus-host";

const CLOCK = pathToFileURL(join(import.meta.dirname, "clock.mjs")).href;

interface StoredFile {
  readonly path: string;
  readonly mode: string;
  readonly mtimeMs: number;
  readonly sha256: string;
}

/** Lists the modes and times of the files, which git does not keep. */
export interface Manifest {
  readonly version: string;
  /** The time at which the expectations were recorded. */
  readonly now: string;
  readonly files: readonly StoredFile[];
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(CORPUS, "manifest.json"), "utf8")) as Manifest;
}

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunInput {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The project in the home directory; `app` by default. */
  readonly project?: string;
}

/** A copy of the corpus in which the program is run. */
export interface Corpus {
  readonly root: string;
  readonly home: string;
  /** The directory of a project's memory, history and sessions. */
  readonly projectHome: (project?: string) => string;
  /** Runs the program at the time of the corpus; paths in its output are those of the corpus. */
  readonly run: (args: readonly string[], input?: RunInput) => Promise<Ended>;
}

export interface Program {
  readonly bin: string;
  readonly node: string;
}

/** Copies the corpus into a directory, as if it had been made there. */
export function copyCorpus(directory: string, program: Program): Corpus {
  const { now, files } = readManifest();
  const room = CORPUS_ROOT.length - directory.length - 1;
  if (room < 1) throw new Error(`The path is too long for the corpus: "${directory}"`);
  const root = join(directory, "x".repeat(room));
  for (const file of files) {
    const path = join(root, placedName(file.path, root));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, placedContent(readFileSync(join(CORPUS, "data", file.path)), file, root));
    chmodSync(path, Number.parseInt(file.mode, 8));
    utimesSync(path, file.mtimeMs / 1000, file.mtimeMs / 1000);
  }
  const home = join(root, "home");
  return {
    root,
    home,
    projectHome: (project = "app") =>
      join(home, ".local/share/caliban/projects", `${slugOf(home)}-${project}`),
    run: (args, input) => run(args, { ...input, ...program, root, now }),
  };
}

const slugOf = (path: string): string => path.slice(1).replaceAll("/", "-");

/** The relative paths of all files, without those of the cache. */
export function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((name) => !name.split("/").includes(".cache"))
    .toSorted();
}

/** Replaces names that depend on the path of the corpus with placeholders, and `.git`, which git refuses to add. */
export function storedName(name: string): string {
  return name
    .replace(/(?<=^|\/)\.git(?=\/)/, "dot-git")
    .replace(slugOf(join(CORPUS_ROOT, "home")), "SLUG")
    .replace(pathHash(join(CORPUS_ROOT, "home/app")), "HASH");
}

function placedName(stored: string, root: string): string {
  return stored
    .replace(/(?<=^|\/)dot-git(?=\/)/, ".git")
    .replace("SLUG", slugOf(join(root, "home")))
    .replace("HASH", pathHash(join(root, "home/app")));
}

/** A search snapshot has a checksum, and names no path outside the memory directory. */
function placedContent(content: Buffer, { path }: StoredFile, root: string): Buffer {
  if (path.endsWith(".idx")) return content;
  // One character for each byte, so that binary files come through; the root is ASCII, and as long as before.
  const text = movedTo(root, content.toString("latin1"), CORPUS_ROOT);
  return Buffer.from(text.replaceAll(`"${CORPUS_HOST}"`, JSON.stringify(hostname())), "latin1");
}

/** Returns a text as it would be in a corpus at another path. */
export function movedTo(to: string, text: string, from: string): string {
  return text.replaceAll(from, to).replaceAll(slugOf(from), slugOf(to));
}

/** The names of `<state>/mcp/*.json` end with FNV-1a of the workspace. */
function pathHash(path: string): string {
  let hash = 0x81_1c_9d_c5;
  for (const byte of Buffer.from(path)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

interface RunAt extends RunInput, Program {
  readonly root: string;
  readonly now: string;
}

async function run(args: readonly string[], input: RunAt): Promise<Ended> {
  const { stdin, env = {}, project = "app", bin, node, root, now } = input;
  const home = join(root, "home");
  const child = spawn(
    node,
    [`--import=${CLOCK}`, bin, ...args.map((arg) => arg.replaceAll(CORPUS_ROOT, root))],
    {
      cwd: join(home, project),
      env: { ...childEnvironment(home), CORPUS_CLOCK: now, ...env },
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    },
  );
  child.stdin?.end(stdin);
  const output: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
  child.stdout?.on("data", (chunk: Buffer) => void output.stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => void output.stderr.push(chunk));
  const [exitCode] = (await once(child, "close")) as [number | null];
  const shown = (chunks: readonly Buffer[]): string =>
    movedTo(CORPUS_ROOT, Buffer.concat(chunks).toString(), root);
  return { exitCode, stdout: shown(output.stdout), stderr: shown(output.stderr) };
}
