import { printable } from "./printable.ts";

/** Why talking to a remote failed. */
export interface RemoteFailure {
  readonly kind: "no-ref" | "offline" | "denied" | "stale" | "damaged" | "failed";
  readonly message: string;
}

type Row = readonly [RemoteFailure["kind"], RegExp];

// What git and ssh say with LC_ALL=C. The first match counts.
const ROWS: readonly Row[] = [
  ["no-ref", /couldn't find remote ref/],
  [
    "stale",
    /stale info|\[rejected\]|fetch first|non-fast-forward|cannot lock ref|failed to update ref|reference already exists|incorrect old value/,
  ],
  [
    "denied",
    /permission denied|authentication failed|could not read (?:username|password)|terminal prompts disabled|access denied|not authorized|403|401|dubious ownership|host key verification failed|no matching host key|repository not found|not found$|does not appear to be a git repository|does not exist|pre-receive hook declined|protected|prohibited|remote rejected|unable to access .*: the requested url returned error: 4/m,
  ],
  [
    "offline",
    /could not resolve|couldn't resolve|connection refused|connection timed out|connection reset|network is unreachable|no route to host|operation timed out|failed to connect|could not connect|unable to connect|unable to look up|unable to access|connection closed|the remote end hung up|broken pipe|early eof|temporary failure/,
  ],
  [
    "damaged",
    /fsck|bogus|corrupt|bad tree|bad object|malformed|inflate|index-pack failed|invalid index-pack|unpack-objects|mismatched algorithms|did not receive expected object/,
  ],
];

/** Reads what git reported. `isTimeout` when it was stopped. */
export function classifyFailure(stderr: string, isTimeout: boolean): RemoteFailure {
  const message = reasonOf(stderr);
  if (isTimeout) return { kind: "offline", message: "the remote did not answer in time" };
  const text = stderr.toLowerCase();
  const kind = ROWS.find(([, pattern]) => pattern.test(text))?.[0] ?? "failed";
  return { kind, message };
}

/** The last line that names a cause. Lines of the server are left out, because anything can be in them. */
export function reasonOf(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:remote:|hint:|warning:)/.test(line));
  const cause = lines.find((line) => /^(?:fatal|error|ssh):/.test(line)) ?? lines[0] ?? "";
  return printable(cause.replace(/^(?:fatal|error): /, "")) || "git failed without a message";
}
