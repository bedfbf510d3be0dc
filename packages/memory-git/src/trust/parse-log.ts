import { printable } from "../git/printable.ts";

/** A commit of the shared history, and the files that it changed. */
export interface LoggedCommit {
  readonly id: string;
  readonly at: string;
  readonly name: string;
  readonly email: string;
  /** What git says about the signature: `G` for a key that the user approved, `U` for another one. */
  readonly signature: string;
  readonly key: string;
  readonly files: readonly { readonly status: string; readonly path: string }[];
}

const FIELDS = 6;
// None of the fields can contain a NUL character, so a forged name cannot pose as the next field.
export const LOG_FORMAT = "--format=%H%x00%G?%x00%GF%x00%an%x00%ae%x00%at%x00";
const COMMIT_ID = /^[0-9a-f]{40,64}$/;
const STATUS = /^[A-Z]\d*$/;

/** Reads the output of `git log -z --name-status`; `undefined` if it is not such a log. */
export function parseLog(output: string): readonly LoggedCommit[] | undefined {
  // git puts a line end before the files, and a NUL character after each commit.
  const tokens = output.split("\0").map((token) => token.replace(/^\n/, ""));
  const commits: LoggedCommit[] = [];
  let at = skipEmpty(tokens, 0);
  while (at < tokens.length) {
    const commit = parseCommit(tokens.slice(at, at + FIELDS));
    if (commit === undefined) return undefined;
    const files = readFiles(tokens, at + FIELDS);
    if (files === undefined) return undefined;
    commits.push({ ...commit, files: files.found });
    at = files.next;
  }
  return commits;
}

function parseCommit(fields: readonly string[]): Omit<LoggedCommit, "files"> | undefined {
  const [id = "", signature = "", key = "", name = "", email = "", seconds = ""] = fields;
  if (!COMMIT_ID.test(id) || fields.length < FIELDS) return undefined;
  const author = { name: printable(name, 100), email: printable(email, 100) };
  return { id, signature, key, ...author, at: timeOf(seconds) };
}

/** Pairs of a status and a path, up to the next commit. */
function readFiles(
  tokens: readonly string[],
  from: number,
): { readonly found: LoggedCommit["files"]; readonly next: number } | undefined {
  const found: LoggedCommit["files"][number][] = [];
  let at = skipEmpty(tokens, from);
  while (at < tokens.length && !COMMIT_ID.test(tokens[at] ?? "")) {
    const [status = "", path = ""] = [tokens[at], tokens[at + 1]];
    if (!STATUS.test(status)) return undefined;
    found.push({ status, path });
    at = skipEmpty(tokens, at + 2);
  }
  return { found, next: at };
}

function skipEmpty(tokens: readonly string[], from: number): number {
  let at = from;
  while (at < tokens.length && tokens[at] === "") at++;
  return at;
}

const LAST_TIME = Date.UTC(9999, 0);

function timeOf(seconds: string): string {
  const milliseconds = Number(seconds) * 1000;
  const isValid = Number.isFinite(milliseconds) && Math.abs(milliseconds) < LAST_TIME;
  return new Date(isValid ? milliseconds : 0).toISOString();
}
