import { lstatSync, type Stats } from "node:fs";
import { relative, sep } from "node:path";
import { errorCode } from "@caliban/common/node";
import { normalizeText } from "../../markdown/normalize.ts";
import { stripComments } from "../../markdown/comments.ts";
import { type Candidate, leftOut, type LoadedFile } from "../../prompt/loaded-file.ts";
import { MAX_FILE_BYTES } from "../../prompt/prefix.ts";
import {
  broken,
  MAX_RULE_BYTES,
  parseRule,
  type Rule,
  ruleOf,
  type UnreadHeader,
} from "../../prompt/rules.ts";
import { sanitize } from "../../prompt/sanitize.ts";
import { commentNotice, encodingNotice } from "../../prompt/text-notices.ts";
import { type Admission, admitFile, type AdmittedText } from "./read-allowed-file.ts";
import { createImporter, type Importer, type ImporterInput } from "./read-imports.ts";
import { createLoadedSet, type LoadedSet } from "./loaded-set.ts";

export interface FileLoaderInput extends Omit<ImporterInput, "loaded"> {
  /** Whether a path relative to the workspace root is excluded. */
  readonly isExcluded: (relativePath: string) => boolean;
}

/** A rule that waits for a file it is for. */
export interface PendingRule {
  readonly candidate: Candidate;
  readonly paths: readonly string[];
  readonly activate: () => Promise<LoadedFile>;
}

/** Loads files one after the other and remembers what is in the prompt, so that nothing gets in twice. */
export interface FileLoader {
  /** The files are read at once and taken in order. */
  readonly loadAll: (candidates: readonly Candidate[]) => Promise<readonly LoadedFile[]>;
  /** The rules met so far that are not active yet. */
  readonly pending: readonly PendingRule[];
}

export function createFileLoader(input: FileLoaderInput): FileLoader {
  const loaded = createLoadedSet();
  const run: Run = {
    ...input,
    loaded,
    importer: createImporter({ ...input, loaded }),
    pending: [],
    spent: { ruleBytes: 0 },
  };
  return {
    pending: run.pending,
    loadAll: async (candidates) => {
      const found = await Promise.all(candidates.map((candidate) => admit(run, candidate)));
      const files: LoadedFile[] = [];
      for (const admission of found) {
        // In order: what an earlier file imported, a later one must not repeat.
        // oxlint-disable-next-line no-await-in-loop
        files.push("admission" in admission ? await take(run, admission) : admission);
      }
      return files;
    },
  };
}

interface Run extends FileLoaderInput {
  readonly loaded: LoadedSet;
  readonly importer: Importer;
  readonly pending: PendingRule[];
  readonly spent: { ruleBytes: number };
}

interface Judged {
  readonly candidate: Candidate;
  readonly admission: Admission;
}

async function admit(run: Run, candidate: Candidate): Promise<Judged | LoadedFile> {
  if (candidate.kind === "index" && isLink(candidate.path)) {
    const sentence =
      "It is a symbolic link, and so could bring any file in; put a file in its place.";
    return leftOut(candidate, "NOT_A_FILE", sentence);
  }
  const excluded = exclusion(candidate, run);
  // An exclusion of what is not there is nothing to speak of.
  if (excluded !== undefined && isThere(candidate.path)) return excluded;
  return { candidate, admission: await admitFile(admitInput(candidate), run.rules) };
}

async function take(run: Run, { candidate, admission }: Judged): Promise<LoadedFile> {
  if (admission.kind === "refused") {
    return { candidate, imports: [], notices: [], notLoaded: admission.why };
  }
  const { realPath, file } = admission;
  if (isOverRuleLimit(run, candidate, file)) {
    return leftOut(candidate, "TOO_LARGE", `Rules have ${MAX_RULE_BYTES} bytes together at most.`);
  }
  const double = run.loaded.find(realPath, file);
  if (double !== undefined) return leftOut(candidate, double.reason, double.sentence);
  const rule = await ruleIn(candidate, file.text);
  if (rule.kind === "broken") return leftOut(candidate, "BAD_HEADER", rule.problem);
  const source = { candidate, realPath, file, text: rule.body };
  if (rule.paths === undefined) return await expand(run, source);
  const activate = async (): Promise<LoadedFile> => {
    const twin = run.loaded.find(realPath, file);
    return twin === undefined
      ? await expand(run, source)
      : leftOut(candidate, twin.reason, twin.sentence);
  };
  run.pending.push({ candidate, paths: rule.paths, activate });
  const sentence = `It is for ${rule.paths.join(", ")}, and joins when such a file is touched.`;
  return leftOut(candidate, "NOT_ACTIVE", sentence);
}

function isOverRuleLimit({ spent }: Run, { kind }: Candidate, file: AdmittedText): boolean {
  if (kind === "rule") spent.ruleBytes += file.fileBytes;
  return kind === "rule" && spent.ruleBytes > MAX_RULE_BYTES;
}

interface Source {
  readonly candidate: Candidate;
  readonly realPath: string;
  readonly file: AdmittedText;
  readonly text: string;
}

async function expand(run: Run, source: Source): Promise<LoadedFile> {
  const { candidate, realPath, file } = source;
  run.loaded.add(realPath, file, candidate.path);
  const { text, openCommentLine } = stripComments(source.text);
  const notices = [
    ...encodingNotice(candidate.path, file.invalidAt),
    ...commentNotice(candidate.path, openCommentLine),
  ];
  const size = { fileBytes: file.fileBytes, unreadBytes: file.fileBytes - file.readBytes };
  if (candidate.kind === "index") {
    return { candidate, imports: [], notices, body: sanitize(text), ...size };
  }
  const expanded = await run.importer.expand(text, {
    tier: candidate.tier,
    path: candidate.path,
    chain: [realPath],
    // A file in a directory that a person added is its author's; a rule of the person's own is theirs.
    isUserOwned:
      candidate.tier === "global" || (candidate.kind === "rule" && candidate.isUserOwned === true),
  });
  return {
    candidate,
    body: expanded.body,
    imports: expanded.entries,
    notices: [...notices, ...expanded.notices],
    ...size,
  };
}

function isThere(path: string): boolean {
  return statsOf(path) !== undefined;
}

function isLink(path: string): boolean {
  return statsOf(path)?.isSymbolicLink() === true;
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function admitInput(candidate: Candidate): Parameters<typeof admitFile>[0] {
  return {
    path: candidate.path,
    maxBytes: MAX_FILE_BYTES,
    isUserOwned: candidate.isUserOwned ?? candidate.tier !== "project",
    isImport: false,
    hasRealParent: candidate.hasRealParent ?? false,
  };
}

function exclusion(
  candidate: Candidate,
  { rules, isExcluded }: FileLoaderInput,
): LoadedFile | undefined {
  if (candidate.tier !== "project") return undefined;
  const path = relative(rules.workspaceRoot, candidate.path).split(sep).join("/");
  if (path.startsWith("../") || !isExcluded(path)) return undefined;
  return leftOut(candidate, "EXCLUDED", "A pattern in claude_md_excludes names this file.");
}

/** Anything but a rule is a rule without a header here. */
async function ruleIn({ kind }: Candidate, raw: string): Promise<Rule> {
  const text = normalizeText(raw);
  if (kind !== "rule") return { kind: "rule", body: text, paths: undefined };
  const rule = parseRule(text);
  return rule.kind === "yaml" ? await readYamlHeader(rule) : rule;
}

async function readYamlHeader({ header, body }: UnreadHeader): Promise<Rule> {
  const { parse, YAMLParseError } = await import("yaml");
  try {
    const fields: unknown = parse(header, {
      maxAliasCount: 0,
      logLevel: "error",
      stringKeys: true,
    });
    const paths =
      typeof fields === "object" && fields !== null ? Reflect.get(fields, "paths") : undefined;
    return ruleOf(paths, body);
  } catch (error) {
    if (!(error instanceof YAMLParseError) && !(error instanceof ReferenceError)) throw error;
    return broken(`The header is not valid YAML: ${error.message.split("\n")[0]}`);
  }
}
