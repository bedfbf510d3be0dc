import { relative, sep } from "node:path";
import { isSymlink, lstatIfExists } from "@caliban/common/node";
import { stripComments } from "../../markdown/comments.ts";
import { normalizeText } from "../../markdown/normalize.ts";
import type { Candidate } from "../../prompt/candidates.ts";
import { MAX_FILE_BYTES } from "../../prompt/prefix.ts";
import { type ReadFile, splitSource } from "../../prompt/prepare.ts";
import type { NotLoaded, ReasonCode } from "../../prompt/receipt.ts";
import { MAX_RULE_BYTES, parseRule, type Rule } from "../../prompt/rules.ts";
import { type AllowedFile, readAllowedFile, type TextContent } from "./read-allowed-file.ts";
import type { ReadContext } from "./read-context.ts";
import {
  encodingNotices,
  type ImportingFile,
  openCommentNotices,
  readImports,
  type ReadSource,
} from "./read-imports.ts";

/** A rule that waits for a file matching one of its globs. */
export interface PendingRule extends OpenFile {
  readonly paths: readonly string[];
}

/** A file that may go into the prompt, with its own text and nothing of what it imports. */
interface OpenFile {
  readonly candidate: Candidate;
  readonly realPath: string;
  readonly file: TextContent;
  /** The normalized text, without the header of a rule. */
  readonly text: string;
}

export interface ReadCandidates {
  readonly files: readonly ReadFile[];
  readonly pendingRules: readonly PendingRule[];
}

/** Reads candidates and what they import. A bad file never affects the others. */
export async function readCandidates(
  context: ReadContext,
  candidates: readonly Candidate[],
): Promise<ReadCandidates> {
  const opened = await Promise.all(
    candidates.map(async (candidate) => ({ candidate, found: await open(context, candidate) })),
  );
  const results: ReadResult[] = [];
  for (const { candidate, found } of opened) {
    // In order: a later file must not repeat what an earlier one imported.
    results.push(await readOpened(context, candidate, found));
  }
  return {
    files: results.map(({ file }) => file),
    pendingRules: results.flatMap(({ pendingRule }) => pendingRule ?? []),
  };
}

/** Reads a rule once a file matches it. */
export async function readPendingRule(context: ReadContext, rule: PendingRule): Promise<ReadFile> {
  const duplicate = context.progress.loaded.findDuplicate(rule.realPath, rule.file);
  if (duplicate !== undefined) return skipped(rule.candidate, duplicate.code, duplicate.message);
  return await readSource(context, rule);
}

async function open(context: ReadContext, candidate: Candidate): Promise<AllowedFile> {
  if (candidate.isTurnedOff === true) {
    const what = SCOPE_NAMES[candidate.scope ?? "project"];
    return notLoaded("TURNED_OFF", `${what} is turned off.`);
  }
  if (candidate.kind === "index" && isSymlink(candidate.path)) {
    const message =
      "A symbolic link could bring any file into the prompt. Replace it with a regular file.";
    return notLoaded("NOT_A_FILE", message);
  }
  // Excluding a file that does not exist is not worth reporting.
  if (isExcluded(context, candidate) && lstatIfExists(candidate.path) !== undefined) {
    return notLoaded("EXCLUDED", "Excluded by a pattern in claude_md_excludes.");
  }
  return await readAllowedFile(
    {
      path: candidate.path,
      maxBytes: MAX_FILE_BYTES,
      isUserOwned: candidate.isUserOwned ?? candidate.tier !== "project",
      isImport: false,
      hasRealParent: candidate.hasRealParent ?? false,
    },
    context.policy,
  );
}

const SCOPE_NAMES = { project: "Auto-memory", user: "User memory", team: "Team memory" };

function isExcluded(context: ReadContext, candidate: Candidate): boolean {
  if (candidate.tier !== "project") return false;
  const { policy } = context;
  const matches = candidate.isLocal === true ? context.isLocalExcluded : context.isExcluded;
  const path = relative(policy.workspaceRoot, candidate.path).split(sep).join("/");
  return !path.startsWith("../") && matches(path);
}

interface ReadResult {
  readonly file: ReadFile;
  readonly pendingRule?: PendingRule;
}

async function readOpened(
  context: ReadContext,
  candidate: Candidate,
  found: AllowedFile,
): Promise<ReadResult> {
  if ("notLoaded" in found) return { file: { candidate, notices: [], ...found } };
  const { realPath, file } = found;
  if (isOverRuleLimit(context, candidate, file)) {
    const message = `All rules together can have at most ${MAX_RULE_BYTES} bytes.`;
    return { file: skipped(candidate, "TOO_LARGE", message) };
  }
  const duplicate = context.progress.loaded.findDuplicate(realPath, file);
  if (duplicate !== undefined) {
    return { file: skipped(candidate, duplicate.code, duplicate.message) };
  }
  const rule = await readRule(candidate, normalizeText(file.text));
  if (rule.kind === "broken") return { file: skipped(candidate, "BAD_HEADER", rule.message) };
  const opened: OpenFile = { candidate, realPath, file, text: rule.body };
  if (rule.paths === undefined) return { file: await readSource(context, opened) };
  const message = `Applies to ${rule.paths.join(", ")}; loaded when a matching file is used.`;
  return {
    file: skipped(candidate, "NOT_ACTIVE", message),
    pendingRule: { ...opened, paths: rule.paths },
  };
}

function isOverRuleLimit(
  { progress }: ReadContext,
  { kind }: Candidate,
  file: TextContent,
): boolean {
  if (kind !== "rule") return false;
  progress.ruleBytes += file.fileBytes;
  return progress.ruleBytes > MAX_RULE_BYTES;
}

/** Any other file is treated as a rule without a header. */
async function readRule({ kind }: Candidate, text: string): Promise<Rule> {
  return kind === "rule" ? await parseRule(text) : { kind: "rule", body: text, paths: undefined };
}

async function readSource(context: ReadContext, opened: OpenFile): Promise<ReadFile> {
  const { candidate, realPath, file } = opened;
  context.progress.loaded.add(realPath, file, candidate.path);
  const { source, notices } =
    candidate.kind === "index"
      ? readIndex(opened)
      : await readImports(context, splitSource(opened.text), toImporter(opened));
  return {
    candidate,
    source,
    notices: [...encodingNotices(candidate.path, file), ...notices],
    fileBytes: file.fileBytes,
    unreadBytes: file.fileBytes - file.readBytes,
  };
}

function toImporter({ candidate, realPath }: OpenFile): ImportingFile {
  const { tier, kind, path } = candidate;
  // A file in a directory that the user added belongs to its author; a rule of the user's own is theirs.
  const isUserOwned = tier === "global" || (kind === "rule" && candidate.isUserOwned === true);
  return { path, chain: [realPath], isUserOwned };
}

/** The index imports nothing: the agent writes it, and could otherwise bring any file into the prompt. */
function readIndex({ candidate, text }: OpenFile): ReadSource {
  const stripped = stripComments(text);
  return {
    source: stripped.text,
    notices: openCommentNotices(candidate.path, stripped.openCommentLine),
  };
}

function skipped(candidate: Candidate, code: ReasonCode, message: string): ReadFile {
  return { candidate, notices: [], ...notLoaded(code, message) };
}

function notLoaded(code: ReasonCode, message: string): { readonly notLoaded: NotLoaded } {
  return { notLoaded: { status: "skipped", code, message } };
}
