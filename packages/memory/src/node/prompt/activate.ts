import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { estimateTokens, joinPath, type PathStyle } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { INSTRUCTION_FILES } from "../../prompt/candidates.ts";
import { isWithin, escapeName } from "../../prompt/imports.ts";

import type { Candidate, LoadedFile, NotLoaded } from "../../prompt/loaded-file.ts";
import type { MemoryNotice } from "../../prompt/receipt.ts";
import { renderBlock } from "../../prompt/splice.ts";
import type { FileLoader, PendingRule } from "./read-candidates.ts";

const MAX_SESSION_TOKENS = 4_000;

/** What joins the conversation because a tool touched a file. */
export interface Activation {
  /** Goes beside the tool's result; empty when nothing new applies. */
  readonly text: string;
  /** The files in it, or named in it, and what they import. */
  readonly paths: readonly string[];
  readonly notices: readonly MemoryNotice[];
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
  const render = createRenderer();
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

  async function activate(touched: string): Promise<Activation> {
    const path = realFile(resolve(input.startDirectory, touched));
    if (!input.walk || !isWithin(style, path, [workspaceRoot])) return NOTHING;
    const files = [...(await loader.loadAll(nestedFiles(path)))];
    const name = relative(workspaceRoot, path).split(sep).join("/");
    for (const rule of await matchingRules(name)) {
      active.add(rule);
      // In order: two rules may import one file, and the first gets it.
      files.push(await rule.activate()); // oxlint-disable-line no-await-in-loop
    }
    const used = files
      .map((file) => ({ file, text: render(file) }))
      .filter(({ text }) => text !== "");
    return {
      text: used.map(({ text }) => text).join(""),
      paths: used.flatMap(({ file }) =>
        [file.candidate, ...file.imports].map((brought) => brought.path),
      ),
      notices: files.flatMap(({ notices }) => notices),
    };
  }

  // One after the other: tools run at once, and what each file brings is brought once.
  let last: Promise<unknown> = Promise.resolve();
  return async (touched) => {
    const next = last.then(() => activate(touched));
    last = next.catch(() => undefined);
    return await next;
  };
}

/** Renders files as blocks until the session's tokens are spent, and only names them after that. */
function createRenderer(): (file: LoadedFile) => string {
  let spentTokens = 0;
  return (file) => {
    if ("notLoaded" in file) return refusal(file.candidate.path, file.notLoaded);
    if (file.body.trim() === "") return "";
    const { tier, kind, path } = file.candidate;
    const block = renderBlock({
      tier,
      kind,
      path,
      body: file.body,
      removedBytes: file.unreadBytes,
    });
    const tokens = estimateTokens(block);
    if (spentTokens + tokens > MAX_SESSION_TOKENS) {
      return `[not shown, over ${MAX_SESSION_TOKENS} tokens in this session; read it if you need it: ${escapeName(path)}]\n`;
    }
    spentTokens += tokens;
    return block;
  };
}

const NOTHING: Activation = { text: "", paths: [], notices: [] };

/** A file that is there under a linked directory has its real name; one that is to be made, its directory's. */
function realFile(path: string): string {
  const directory = realPathIfExists(dirname(path));
  return (
    realPathIfExists(path) ?? (directory === undefined ? path : join(directory, basename(path)))
  );
}

/** What a person or the model can act on; an absent file, or one that is there already, is nothing to say. */
function refusal(path: string, { status, reason, message: sentence }: NotLoaded): string {
  const isExpected =
    status === "missing" || ["DUPLICATE", "ALREADY_LOADED", "EXCLUDED"].includes(reason);
  return isExpected ? "" : `[not loaded: ${escapeName(path)}: ${escapeName(sentence)}]\n`;
}

/** Globs are compiled on the first touch: most sessions touch few files, and some none. */
async function compileRules(
  rules: readonly PendingRule[],
): Promise<(path: string) => readonly PendingRule[]> {
  const { default: picomatch } = await import("picomatch");
  const options = { dot: true, noextglob: true };
  const globs = rules.flatMap((rule) =>
    rule.paths.map((written) => {
      // Rooted and directory globs are written as in .gitignore; paths here have neither slash.
      const path = written.replace(/^\.?\//, "").replace(/\/$/, "/**");
      const { base, negated } = picomatch.scan(path);
      // The plain part before the first star rules most globs out without a regular expression.
      const isPlain = !negated && !path.includes("\\");
      return { rule, base: isPlain ? base : "", matches: picomatch(path, options) };
    }),
  );
  return (path) => {
    const found = globs.filter(({ base, matches }) => path.startsWith(base) && matches(path));
    return [...new Set(found.map(({ rule }) => rule))];
  };
}
