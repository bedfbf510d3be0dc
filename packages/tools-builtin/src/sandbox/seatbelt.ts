import { PROTECTED_GROUPS } from "../protection/protected-names.ts";
import { isWithin, type PathRule, type SandboxPolicy } from "./sandbox-policy.ts";

/** What every program needs. Nothing here reaches another process or lets one be started outside of the sandbox. */
const BASE = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow user-preference-read)
(allow pseudo-tty)
(allow ipc-posix-sem)
(allow ipc-posix-shm)
(allow file-read*)
(allow file-ioctl)
(allow file-write-data
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/tty")
  (literal "/dev/dtracehelper"))
(allow mach-lookup
  (global-name "com.apple.FSEvents")
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.bsd.dirhelper")
  (global-name "com.apple.cfprefsd.agent")
  (global-name "com.apple.cfprefsd.daemon")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.trustd.agent"))`;

/** The text of a Seatbelt profile that enforces a policy. In a profile, too, the last matching rule wins. */
export function seatbeltProfile(policy: SandboxPolicy): string {
  const { rules, protectedRoots, temporaryDirectory } = policy;
  return [
    BASE,
    ...rules.flatMap((rule) => ruleLines(rule, rules)),
    ...protectedRoots.flatMap(nameLines),
    `(allow file-write* ${subpath(temporaryDirectory)})`,
    ...networkLines(policy),
    "",
  ].join("\n");
}

function ruleLines({ path, access }: PathRule, rules: readonly PathRule[]): readonly string[] {
  const target = subpath(path);
  const passages = directoriesAbove(path);
  if (access === "write") {
    return [`(allow file-read* file-write* ${target})`, ...passageLines(passages, rules)];
  }
  if (access === "hidden") return [`(deny file-read* file-write* ${target})`];
  const writable = passages.filter((directory) => isWritable(directory, rules));
  return [
    `(allow file-read* ${target})`,
    `(deny file-write* ${target})`,
    // Moving a directory away would make room for another file of the same name.
    ...writable.map((directory) => `(deny file-write-unlink ${literal(directory)})`),
    ...passageLines(passages, rules),
  ];
}

/** A path below a hidden directory can only be used if the directories above it can be looked up. */
function passageLines(passages: readonly string[], rules: readonly PathRule[]): readonly string[] {
  return passages
    .filter((directory) =>
      rules.some((rule) => rule.access === "hidden" && isWithin(rule.path, directory)),
    )
    .map((directory) => `(allow file-read-metadata ${literal(directory)})`);
}

function isWritable(directory: string, rules: readonly PathRule[]): boolean {
  return rules.findLast((rule) => isWithin(rule.path, directory))?.access === "write";
}

function directoriesAbove(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join("/"));
}

const PROTECTED_FILES = PROTECTED_GROUPS.flatMap(({ files }) => files);
const PROTECTED_DIRECTORIES = PROTECTED_GROUPS.flatMap(({ directories }) => directories);

/** Protected names at any depth. The Git directory of the root itself has rules of its own. */
function nameLines(root: string): readonly string[] {
  const below = `^${escapePattern(root === "/" ? "" : root)}/`;
  const patterns = [
    ...PROTECTED_FILES.map((name) => `${below}(.*/)?${caseless(name)}$`),
    ...PROTECTED_DIRECTORIES.map(
      (name) => `${below}${name === ".git" ? ".+/" : "(.*/)?"}${caseless(name)}(/.*)?$`,
    ),
  ];
  // A quote cannot be written in a pattern. Any character in its place is the safe side.
  return patterns.map((pattern) => `(deny file-write* (regex #"${pattern.replaceAll('"', ".")}"))`);
}

function networkLines({ network, rules, temporaryDirectory }: SandboxPolicy): readonly string[] {
  const writable = rules.filter(({ access }) => access === "write").map(({ path }) => path);
  // Processes of one command may talk to each other through sockets that they create.
  const sockets = [temporaryDirectory, ...writable].flatMap((path) => [
    `(allow network-bind (local unix-socket ${subpath(path)}))`,
    `(allow network-outbound (remote unix-socket ${subpath(path)}))`,
  ]);
  if (network.kind === "off") return sockets;
  return [...sockets, `(allow network-outbound (remote ip "localhost:${network.port}"))`];
}

function subpath(path: string): string {
  return `(subpath ${JSON.stringify(path)})`;
}

function literal(path: string): string {
  return `(literal ${JSON.stringify(path)})`;
}

/** The usual file system ignores case, and patterns do not. */
function caseless(name: string): string {
  return escapePattern(name).replace(
    /[a-z]/gi,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
