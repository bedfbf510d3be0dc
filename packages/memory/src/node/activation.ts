import { dirname, relative, resolve, sep } from "node:path";
import { estimateTokens, joinPath, type PathStyle } from "@caliban/common";
import { INSTRUCTION_FILES } from "../discover.ts";
import { isWithin } from "../import-policy.ts";
import { harmlessName } from "../imports.ts";
import type { Candidate, LoadedFile } from "../loaded-file.ts";
import { renderBlock } from "../splice.ts";
import type { FileLoader, PendingRule } from "./file-loader.ts";

const MAX_SESSION_TOKENS = 4_000;

/** What joins the conversation because a tool touched a file. */
export interface Activation {
  /** Goes beside the tool's result; empty when nothing new applies. */
  readonly text: string;
  /** The files in it, or named in it. */
  readonly paths: readonly string[];
}

export interface ActivationInput {
  readonly loader: FileLoader;
  readonly workspaceRoot: string;
  readonly startDirectory: string;
  readonly walkedDirectories: readonly string[];
  readonly style: PathStyle;
  readonly walk: boolean;
}

/** Tells, once per session and file, which rules and nested instructions a touched file brings with it. */
export function createActivation(input: ActivationInput): (path: string) => Promise<Activation> {
  const { loader, workspaceRoot, style } = input;
  const walked = new Set(input.walkedDirectories);
  const active = new Set<PendingRule>();
  let spentTokens = 0;
  let rulesFor: ((path: string) => readonly PendingRule[]) | undefined;

  async function matchingRules(path: string): Promise<readonly PendingRule[]> {
    if (loader.pending.length === 0) return [];
    rulesFor ??= await compileRules(loader.pending);
    return rulesFor(path).filter((rule) => !active.has(rule));
  }

  function nestedFiles(path: string): readonly Candidate[] {
    const directories: string[] = [];
    for (let current = dirname(path); !walked.has(current); current = dirname(current)) {
      if (!isWithin(style, current, [workspaceRoot]) || current === dirname(current)) break;
      directories.unshift(current);
    }
    for (const directory of directories) walked.add(directory);
    return directories.flatMap((directory) =>
      INSTRUCTION_FILES.map((name) => ({
        tier: "project",
        kind: "instructions",
        path: joinPath(style, directory, name),
      })),
    );
  }

  function render(file: LoadedFile): string {
    if ("notLoaded" in file || file.body.trim() === "") return "";
    const block = renderBlock({
      ...file.candidate,
      body: file.body,
      removedBytes: file.unreadBytes,
    });
    const tokens = estimateTokens(block);
    if (spentTokens + tokens > MAX_SESSION_TOKENS) {
      return `[not shown, over ${MAX_SESSION_TOKENS} tokens in this session; read it if you need it: ${harmlessName(file.candidate.path)}]\n`;
    }
    spentTokens += tokens;
    return block;
  }

  return async (touched) => {
    const path = resolve(input.startDirectory, touched);
    if (!input.walk || !isWithin(style, path, [workspaceRoot])) return { text: "", paths: [] };
    const nested = await loader.loadAll(nestedFiles(path));
    const rules = await matchingRules(relative(workspaceRoot, path).split(sep).join("/"));
    for (const rule of rules) active.add(rule);
    const activated = await Promise.all(rules.map((rule) => rule.activate()));
    const shown = [...nested, ...activated].map((file) => ({ file, text: render(file) }));
    const used = shown.filter(({ text }) => text !== "");
    return {
      text: used.map(({ text }) => text).join(""),
      paths: used.map(({ file }) => file.candidate.path),
    };
  };
}

/** Globs are compiled on the first touch: most sessions touch few files, and some none. */
async function compileRules(
  rules: readonly PendingRule[],
): Promise<(path: string) => readonly PendingRule[]> {
  const { default: picomatch } = await import("picomatch");
  const options = { dot: true, noextglob: true };
  const globs = rules.flatMap((rule) =>
    rule.paths.map((path) => ({
      rule,
      // The part before the first star rules most globs out without a regular expression.
      base: picomatch.scan(path).base,
      matches: picomatch(path, options),
    })),
  );
  return (path) => {
    const found = globs.filter(({ base, matches }) => path.startsWith(base) && matches(path));
    return [...new Set(found.map(({ rule }) => rule))];
  };
}
