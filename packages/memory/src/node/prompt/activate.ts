import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createQueue, estimateTokens, type PathStyle } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { type Candidate, instructionFiles } from "../../prompt/candidates.ts";
import { escapeName, isWithin } from "../../prompt/imports.ts";
import { prepareFile, type PreparedFile, type ReadFile } from "../../prompt/prepare.ts";
import type { MemoryNotice } from "../../notice.ts";
import type { NotLoaded } from "../../prompt/receipt.ts";
import { renderBlock } from "../../prompt/splice.ts";
import { type PendingRule, readCandidates, readPendingRule } from "./read-candidates.ts";
import type { ReadContext } from "./read-context.ts";

const MAX_SESSION_TOKENS = 4_000;

/** What joins the conversation because a tool used a file. */
export interface Activation {
  /** Goes next to the tool's result; empty when nothing new applies. */
  readonly text: string;
  /** The files that the text contains or names, and what they import. */
  readonly paths: readonly string[];
  readonly notices: readonly MemoryNotice[];
}

export interface ActivationInput {
  readonly context: ReadContext;
  readonly pendingRules: readonly PendingRule[];
  readonly startDirectory: string;
  readonly walkedDirectories: readonly string[];
  readonly walk: boolean;
  /** In every frame, so that no file, command or file name can forge one. */
  readonly nonce: () => string;
}

/** Returns the rules and nested instructions that apply to a file a tool uses, each once per session. */
export function createActivation(input: ActivationInput): (path: string) => Promise<Activation> {
  const { context, pendingRules } = input;
  const { workspaceRoot, style } = context.policy;
  const walked = new Set(input.walkedDirectories);
  const active = new Set<PendingRule>();
  const render = createRenderer(input.nonce);
  let rulesFor: ((path: string) => readonly PendingRule[]) | undefined;

  async function matchingRules(path: string): Promise<readonly PendingRule[]> {
    if (pendingRules.length === 0) return [];
    rulesFor ??= await compileRules(pendingRules);
    return rulesFor(path).filter((rule) => !active.has(rule));
  }

  async function readActivated(path: string): Promise<readonly ReadFile[]> {
    const directories = nestedDirectories(path, { walked, workspaceRoot, style });
    for (const directory of directories) walked.add(directory);
    const candidates: readonly Candidate[] = directories.flatMap((directory) =>
      instructionFiles(style, directory),
    );
    const files = [...(await readCandidates(context, candidates)).files];
    for (const rule of await matchingRules(relative(workspaceRoot, path).split(sep).join("/"))) {
      active.add(rule);
      // In order: two rules may import the same file, and the first gets it.
      files.push(await readPendingRule(context, rule));
    }
    return files;
  }

  async function activate(usedPath: string): Promise<Activation> {
    const path = resolveUsedFile(resolve(input.startDirectory, usedPath));
    if (!input.walk || !isWithin(style, path, [workspaceRoot])) return NOTHING;
    const files = (await readActivated(path)).map(prepareFile);
    const shown = files
      .map((file) => ({ file, text: render(file) }))
      .filter(({ text }) => text !== "");
    return {
      text: shown.map(({ text }) => text).join(""),
      paths: shown.flatMap(({ file }) =>
        [file.candidate, ...file.imports].map((source) => source.path),
      ),
      notices: files.flatMap(({ notices }) => notices),
    };
  }

  // One at a time: tools run concurrently, and each file is brought in once.
  const enqueue = createQueue();
  return async (path) => await enqueue(async () => await activate(path));
}

/** The directories between the workspace root and a file that were not walked yet, broadest first. */
function nestedDirectories(
  path: string,
  {
    walked,
    workspaceRoot,
    style,
  }: {
    readonly walked: ReadonlySet<string>;
    readonly workspaceRoot: string;
    readonly style: PathStyle;
  },
): readonly string[] {
  const directories: string[] = [];
  for (let current = dirname(path); !walked.has(current); current = dirname(current)) {
    if (!isWithin(style, current, [workspaceRoot]) || current === dirname(current)) break;
    directories.unshift(current);
  }
  return directories;
}

/** Renders files as blocks until the session's tokens are spent, and only names them after that. */
function createRenderer(createNonce: () => string): (file: PreparedFile) => string {
  let spentTokens = 0;
  return (file) => {
    const nonce = createNonce();
    if ("notLoaded" in file) return renderNotLoaded(file.candidate.path, file.notLoaded, nonce);
    if (file.body.trim() === "") return "";
    const { tier, kind, path } = file.candidate;
    const { body, unreadBytes: removedBytes } = file;
    const block = renderBlock({ tier, kind, path, body, removedBytes }, nonce);
    const tokens = estimateTokens(block);
    if (spentTokens + tokens > MAX_SESSION_TOKENS) {
      return `[not shown, over ${MAX_SESSION_TOKENS} tokens in this session; read it if you need it: ${escapeName(path)}; nonce ${nonce}]\n`;
    }
    spentTokens += tokens;
    return block;
  };
}

const NOTHING: Activation = { text: "", paths: [], notices: [] };

/** The real path of a file below a linked directory; a file that is yet to be created gets that of its directory. */
function resolveUsedFile(path: string): string {
  const directory = realPathIfExists(dirname(path));
  return (
    realPathIfExists(path) ?? (directory === undefined ? path : join(directory, basename(path)))
  );
}

/** Reports only what the user or the model can act on: not a missing file, nor one that is already loaded. */
function renderNotLoaded(
  path: string,
  { status, code, message }: NotLoaded,
  nonce: string,
): string {
  const isExpected =
    status === "missing" || ["DUPLICATE", "ALREADY_LOADED", "EXCLUDED"].includes(code);
  return isExpected
    ? ""
    : `[not loaded: ${escapeName(path)}: ${escapeName(message)}; nonce ${nonce}]\n`;
}

/** Globs are compiled when the first file is used: most sessions use few files, and some none. */
async function compileRules(
  rules: readonly PendingRule[],
): Promise<(path: string) => readonly PendingRule[]> {
  const { default: picomatch } = await import("picomatch");
  const options = { dot: true, noextglob: true };
  const globs = rules.flatMap((rule) =>
    rule.paths.map((written) => {
      // Rooted and directory globs are written as in .gitignore; the paths here have neither slash.
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
