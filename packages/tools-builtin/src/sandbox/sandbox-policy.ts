/** What a command may do with a path and everything below it. */
export type PathAccess = "hidden" | "read" | "write";

/** One decision about a path. Later rules of a policy take precedence over earlier ones. */
export interface PathRule {
  /** A real path. Only a hidden one has to exist. */
  readonly path: string;
  readonly kind: "file" | "directory";
  readonly access: PathAccess;
}

/** The network that a command sees: none, or a proxy that connects to allowed hosts only. */
export type SandboxNetwork =
  | { readonly kind: "off" }
  | {
      readonly kind: "proxy";
      /** The port on the loopback interface that the command sees. */
      readonly port: number;
      /** The Unix socket behind the port, where the sandbox has a loopback interface of its own. */
      readonly socket?: string | undefined;
      /** Hosts that programs contact without the proxy. */
      readonly directHosts: readonly string[];
    };

/** Everything that a sandbox enforces, as data. A path that no rule names can be read and not changed. */
export interface SandboxPolicy {
  /** Parents come before what is below them. */
  readonly rules: readonly PathRule[];
  /** Below these directories, protected names cannot be created or changed, where the platform can match names. */
  readonly protectedRoots: readonly string[];
  /** The only place outside of the rules that can be written. Commands find it in `TMPDIR`. */
  readonly temporaryDirectory: string;
  /** Where the command starts. */
  readonly directory: string;
  readonly network: SandboxNetwork;
}

/** Sorts rules so that a rule comes after the rules for the directories around it. */
export function sortRules(rules: readonly PathRule[]): readonly PathRule[] {
  // The sort is stable, so the last rule for a path still wins.
  return rules.toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
}

/** What applies to a path: the last rule for it or for a directory around it. */
export function accessTo(path: string, rules: readonly PathRule[]): PathAccess {
  return rules.findLast((rule) => isWithin(rule.path, path))?.access ?? "read";
}

/** Whether a path is the directory or below it. Both are absolute, without `..`. */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

function depthOf(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
