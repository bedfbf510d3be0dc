import { accessTo, isWithin, type PathRule, type SandboxPolicy } from "./sandbox-policy.ts";

/** What the installed bubblewrap can do beyond its first versions. */
export interface BubblewrapFeatures {
  /** `--perms`, from 0.5. */
  readonly permissions: boolean;
  /** `--disable-userns`, from 0.8. */
  readonly disableUserNamespaces: boolean;
}

/** A policy and what the arguments refer to outside of it. */
export interface BubblewrapInput {
  readonly policy: SandboxPolicy;
  readonly features: BubblewrapFeatures;
  /** An empty file that no one can read, which covers hidden files. */
  readonly unreadableFile: string;
  /** Whether bubblewrap reports its status on a descriptor of its own. */
  readonly reportsStatus: boolean;
  /** The descriptor of a seccomp filter. Omitted if there is none for this processor. */
  readonly filterDescriptor?: number | undefined;
  /** Variables that are set for the command only, and not for bubblewrap itself. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Directories below `/run` that programs are started from, on systems that have such. */
  readonly runDirectories: readonly string[];
  /** The absolute path of socat, which a network with a proxy requires. */
  readonly socat?: string | undefined;
}

/** Where a command finds the proxy's socket. */
const PROXY_SOCKET = "/run/caliban-proxy.sock";

/** The status of the sandbox is reported on this descriptor. */
export const STATUS_DESCRIPTOR = 3;

/** The filter for system calls is read from this descriptor. */
export const FILTER_DESCRIPTOR = 4;

/** Turns the output of `bwrap --version` into features. */
export function parseBubblewrapVersion(output: string): BubblewrapFeatures | undefined {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(output) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  const version = Number(major) * 1000 + Number(minor);
  return { permissions: version >= 5, disableUserNamespaces: version >= 8 };
}

/** The arguments of bubblewrap that enforce a policy. The command and its arguments follow them. */
export function bubblewrapArguments(input: BubblewrapInput): readonly string[] {
  const { policy, features, reportsStatus, filterDescriptor, runDirectories } = input;
  const options: readonly (readonly string[])[] = [
    // The user namespace gives no privileges: all capabilities are dropped, and no further namespace can be created.
    ["--unshare-all", "--unshare-user", "--cap-drop", "ALL"],
    features.disableUserNamespaces ? ["--disable-userns"] : [],
    // Everything that a command started ends with it.
    ["--die-with-parent"],
    reportsStatus ? ["--json-status-fd", String(STATUS_DESCRIPTOR)] : [],
    // Refuses what namespaces do not cover.
    filterDescriptor === undefined ? [] : ["--seccomp", String(filterDescriptor)],
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Root could otherwise change the kernel's settings, such as the program that handles a crash.
    ["--remount-ro", "/proc"],
    // Sockets of services can be used on a read-only file system, so they must not be visible.
    ["--tmpfs", "/run"],
    ...runDirectories.map((path) => ["--ro-bind", path, path]),
    ["--bind", policy.temporaryDirectory, "/tmp"],
    ...neededRules(policy.rules).map((rule) => ruleArguments(rule, input)),
    networkArguments(input),
    ...Object.entries(input.variables ?? {}).map(([name, value]) => ["--setenv", name, value]),
    ["--chdir", policy.directory, "--"],
    proxyCommand(input),
  ];
  return options.flat();
}

/** What a command sees of these directories is empty or its own. */
const COVERED: readonly PathRule[] = ["/tmp", "/run"].map((path) => ({
  path,
  kind: "directory",
  access: "hidden",
}));

/** Leaves out rules that change nothing. Writable directories stay: as mounts of their own, they cannot be moved. */
function neededRules(rules: readonly PathRule[]): readonly PathRule[] {
  return rules.filter(
    ({ path, access }, index) =>
      access === "write" || accessTo(path, [...COVERED, ...rules.slice(0, index)]) !== access,
  );
}

function ruleArguments(
  { path, kind, access }: PathRule,
  { policy, features, unreadableFile }: BubblewrapInput,
): readonly string[] {
  if (access === "write") return ["--bind-try", path, path];
  if (access === "read") return ["--ro-bind-try", path, path];
  if (kind === "file") return ["--ro-bind", unreadableFile, path];
  // What is visible below a hidden directory can only be reached through it.
  const isPassage = policy.rules.some(
    (rule) => rule.access !== "hidden" && rule.path !== path && isWithin(path, rule.path),
  );
  const permissions = features.permissions ? ["--perms", isPassage ? "0111" : "0000"] : [];
  return [...permissions, "--tmpfs", path];
}

function networkArguments({ policy: { network } }: BubblewrapInput): readonly string[] {
  if (network.kind === "off" || network.socket === undefined) return [];
  return ["--ro-bind", network.socket, PROXY_SOCKET];
}

// Waits until the port answers, because a command must not start without its network.
const PROXY_SCRIPT = `"$1" TCP-LISTEN:"$2",bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${PROXY_SOCKET} </dev/null >/dev/null 2>&1 &
until grep -q "$3" /proc/net/tcp; do sleep 0.002; done
shift 3
exec "$@"`;

function proxyCommand({ policy: { network }, socat }: BubblewrapInput): readonly string[] {
  if (network.kind === "off" || socat === undefined) return [];
  const port = String(network.port);
  const listening = `:${network.port.toString(16).toUpperCase().padStart(4, "0")} .* 0A `;
  return ["/bin/sh", "-c", PROXY_SCRIPT, "sh", socat, port, listening];
}
