import { execFile, spawn } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { arch } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { Writable } from "node:stream";
import { type Environment, terminalSafeLine } from "@caliban/common";
import { errorCode, realPathIfExists } from "@caliban/common/node";
import {
  bubblewrapArguments,
  FILTER_DESCRIPTOR,
  type BubblewrapFeatures,
  parseBubblewrapVersion,
} from "../../sandbox/bubblewrap.ts";
import { isWithin, type SandboxPolicy } from "../../sandbox/sandbox-policy.ts";
import { seccompFilter } from "../../sandbox/seccomp-filter.ts";
import { seatbeltProfile } from "../../sandbox/seatbelt.ts";

/** A sandbox that works here. */
export type AvailableSandbox =
  | {
      readonly kind: "bubblewrap";
      readonly path: string;
      readonly version: string;
      readonly features: BubblewrapFeatures;
      /** Only looked for if there is a proxy to connect to. */
      readonly socat: string | undefined;
    }
  | { readonly kind: "seatbelt"; readonly path: string; readonly version: string };

/** The sandbox of this machine, or why there is none and what to do about it. */
export type FoundSandbox =
  | AvailableSandbox
  | { readonly kind: "none"; readonly reason: string; readonly remedy: string };

export interface FindSandboxInput {
  readonly env: Environment;
  readonly platform: string;
  /** Directories whose programs are never used: a repository may contain one called bwrap. */
  readonly untrustedDirectories: readonly string[];
  /** Whether commands get a network, which requires socat on Linux. */
  readonly needsProxy: boolean;
}

const SEATBELT = "/usr/bin/sandbox-exec";
const TIME_LIMIT_MS = 5_000;

/** Looks for a sandbox and tries it: many containers and some distributions do not allow one. */
export async function findSandbox(input: FindSandboxInput): Promise<FoundSandbox> {
  if (input.platform === "linux") return await findBubblewrap(input);
  if (input.platform === "darwin") return await findSeatbelt();
  const reason = "there is no sandbox for this platform";
  return { kind: "none", reason, remedy: "Run caliban in a container or a virtual machine." };
}

const INSTALL =
  "Install it: apt install bubblewrap socat (Debian, Ubuntu), dnf install bubblewrap socat (Fedora), pacman -S bubblewrap socat (Arch).";

async function findBubblewrap(input: FindSandboxInput): Promise<FoundSandbox> {
  const path = findTrustedProgram("bwrap", input);
  if (path === undefined) {
    return { kind: "none", reason: "bubblewrap is not installed", remedy: INSTALL };
  }
  const version = await versionOf(path);
  const features = parseBubblewrapVersion(version);
  if (features === undefined) {
    return { kind: "none", reason: `${path} has no version`, remedy: INSTALL };
  }
  const socat = input.needsProxy ? findTrustedProgram("socat", input) : undefined;
  if (input.needsProxy && socat === undefined) {
    return {
      kind: "none",
      reason: "socat is not installed, which sandbox.allowed_hosts requires",
      remedy: INSTALL,
    };
  }
  const filter = seccompFilter(arch());
  const args = bubblewrapArguments({
    policy: EMPTY_POLICY,
    features,
    filterDescriptor: filter === undefined ? undefined : FILTER_DESCRIPTOR,
    unreadableFile: "/dev/null",
    reportsStatus: true,
    runDirectories: [],
  });
  const problem = await tryProgram(path, [...args, ...DO_NOTHING], filter);
  if (problem !== undefined) return { kind: "none", ...explainFailure(problem) };
  return { kind: "bubblewrap", path, version, features, socat };
}

async function findSeatbelt(): Promise<FoundSandbox> {
  const profile = seatbeltProfile(EMPTY_POLICY);
  const problem = existsSync(SEATBELT)
    ? await tryProgram(SEATBELT, ["-p", profile, ...DO_NOTHING])
    : `${SEATBELT} does not exist`;
  if (problem === undefined) return { kind: "seatbelt", path: SEATBELT, version: "Seatbelt" };
  return { kind: "none", ...explainFailure(problem) };
}

const DO_NOTHING = ["/bin/sh", "-c", ":"];

const EMPTY_POLICY: SandboxPolicy = {
  rules: [],
  protectedRoots: [],
  temporaryDirectory: "/tmp",
  directory: "/",
  network: { kind: "off" },
};

const NAMESPACES = /namespace|uid map|operation not permitted|permission denied|RTM_NEWADDR/i;

function explainFailure(problem: string): { readonly reason: string; readonly remedy: string } {
  const shown = terminalSafeLine(problem.slice(0, 200));
  if (!NAMESPACES.test(problem)) {
    return { reason: `the sandbox does not start (${shown})`, remedy: "See docs/sandbox.md." };
  }
  return {
    reason: `this system does not allow user namespaces (${shown})`,
    remedy:
      "Allow them for bwrap (AppArmor on Ubuntu 24.04 and later), or run the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined.",
  };
}

/** Finds a program in PATH, outside of the workspace and of packages. */
function findTrustedProgram(
  name: string,
  { env, untrustedDirectories }: FindSandboxInput,
): string | undefined {
  const untrusted = untrustedDirectories.map((path) => realPathIfExists(path) ?? path);
  for (const directory of (env["PATH"] ?? "").split(delimiter)) {
    const real = isAbsolute(directory) ? realPathIfExists(join(directory, name)) : undefined;
    if (real === undefined || !isExecutable(real)) continue;
    const isUntrusted = untrusted.some((path) => isWithin(path, real) || isWithin(path, directory));
    if (!isUntrusted && !real.includes("/node_modules/")) return join(directory, name);
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

async function versionOf(path: string): Promise<string> {
  return await new Promise((resolve) => {
    const options = { timeout: TIME_LIMIT_MS, env: {} };
    execFile(path, ["--version"], options, (error, stdout) =>
      resolve(error === null ? stdout.trim() : ""),
    );
  });
}

/** Returns what the program printed if it failed. */
async function tryProgram(
  path: string,
  args: readonly string[],
  filter: Uint8Array = new Uint8Array(),
): Promise<string | undefined> {
  // The last two descriptors are for the status and the filter.
  const child = spawn(path, args, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], env: {} });
  const filterPipe = child.stdio[FILTER_DESCRIPTOR];
  // A program that ends early does not read it.
  filterPipe?.on("error", () => undefined);
  if (filterPipe instanceof Writable) filterPipe.end(filter);
  const timer = setTimeout(() => child.kill("SIGKILL"), TIME_LIMIT_MS);
  let printed = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
  });
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
    child.once("error", () => resolve(null));
  });
  clearTimeout(timer);
  for (const stream of child.stdio) stream?.destroy();
  return exitCode === 0 ? undefined : printed.trim() || `exit code ${exitCode}`;
}
