import { realpathSync } from "node:fs";
import { type PathStyle, terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile, type TextFile } from "@caliban/common/node";
import type { Approval } from "../../project/approvals.ts";
import { isSecretPath, isWithin } from "../../prompt/imports.ts";
import type { NotLoaded } from "../../prompt/loaded-file.ts";
import type { ReasonCode } from "../../prompt/receipt.ts";
import { sha256Hex } from "../sha256-hex.ts";

/** A file that may be read into the prompt, with its text; or why it may not. */
export type Admission =
  | { readonly kind: "admitted"; readonly realPath: string; readonly file: AdmittedText }
  | { readonly kind: "refused"; readonly realPath?: string; readonly why: NotLoaded };

export type AdmittedText = TextFile & { readonly kind: "text" };

/** What a person says to one external file: this time, from now on, or no. */
export type ApprovalAnswer = "once" | "always" | "no";

export interface AdmissionRules {
  readonly style: PathStyle;
  readonly workspaceRoot: string;
  /** Real directories whose files need no approval. */
  readonly trustedDirectories: readonly string[];
  /** Whether this content of this file was approved before. */
  readonly isApproved: (approval: Approval) => Promise<boolean>;
  readonly askApproval: (approval: Approval) => Promise<ApprovalAnswer>;
  /** Whether git ignores a file of the workspace. */
  readonly isGitIgnored: (realPath: string) => Promise<boolean>;
}

export interface AdmitInput {
  readonly path: string;
  readonly maxBytes: number;
  /** Asked for by the person's own global file, which needs no approval. */
  readonly isUserOwned: boolean;
  /** Whether its directory is known to be a real path, so that only the file itself could be a link. */
  readonly hasRealParent: boolean;
  /** Instruction files are named by people; what they import must also not be ignored by git. */
  readonly isImport: boolean;
}

/**
 * Opens a file once, by its real path, and checks, hashes and returns what that one handle gave: what was
 * checked is what goes into the prompt.
 */
export async function admitFile(input: AdmitInput, rules: AdmissionRules): Promise<Admission> {
  const { path, maxBytes } = input;
  if (input.hasRealParent) {
    const direct = await readTextFile(path, maxBytes, { isRealPath: true });
    if (direct.kind !== "unreadable")
      return await judge({ ...input, real: path, file: direct }, rules);
    // It may be a link: then its real path decides.
  }
  const real = realPathOf(path);
  if (typeof real !== "string") return { kind: "refused", why: real };
  const early = await forbidden(input, real, rules);
  if (early !== undefined) return early;
  const file = await readTextFile(real, maxBytes, { isRealPath: true });
  return await judge({ ...input, real, file }, rules);
}

async function judge(
  input: AdmitInput & { readonly real: string; readonly file: TextFile },
  rules: AdmissionRules,
): Promise<Admission> {
  const { real, file } = input;
  if (file.kind !== "text") return { kind: "refused", realPath: real, why: unreadable(file) };
  const early = input.hasRealParent ? await forbidden(input, real, rules) : undefined;
  if (early !== undefined) return early;
  const isTrusted = input.isUserOwned || isWithin(rules.style, real, rules.trustedDirectories);
  const denied = isTrusted ? undefined : await denial(real, file, rules);
  return denied ?? { kind: "admitted", realPath: real, file };
}

/** What no approval lets in. A file of one of our own names is no secret, unless it is a link to one. */
async function forbidden(
  input: AdmitInput,
  real: string,
  { style, workspaceRoot, isGitIgnored }: AdmissionRules,
): Promise<Admission | undefined> {
  if (!input.isImport && real === input.path) return undefined;
  // Inside the workspace only what is below its root counts: the root itself may lie anywhere.
  const judged = (path: string): string =>
    path.startsWith(workspaceRoot) ? path.slice(workspaceRoot.length) : path;
  if (isSecretPath(style, judged(real)) || isSecretPath(style, judged(input.path))) {
    return refused(
      real,
      "SECRET_FILE",
      "Keys, passwords and environment files never go into a prompt.",
    );
  }
  if (!isWithin(style, real, [workspaceRoot]) || !(await isGitIgnored(real))) return undefined;
  return refused(real, "GIT_IGNORED", "Git ignores this file, so it is never imported.");
}

function realPathOf(path: string): string | NotLoaded {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const kind = code === "ELOOP" || code === "EACCES" ? "unreadable" : "missing";
    const message = code === "ELOOP" ? "it is a loop of symbolic links" : "permission denied";
    return unreadable({ kind, message });
  }
}

async function denial(
  realPath: string,
  file: AdmittedText,
  rules: AdmissionRules,
): Promise<Admission | undefined> {
  const approval: Approval = {
    workspace: rules.workspaceRoot,
    kind: "import",
    subject: realPath,
    sha256: sha256Hex(file.text),
  };
  if (await rules.isApproved(approval)) return undefined;
  const answer = await rules.askApproval(approval);
  if (answer !== "no") return undefined;
  const shown = terminalSafeLine(realPath);
  const sentence = `It lies outside the workspace (${shown}) and is not approved; \`caliban memory approve FILE\` allows this content, CALIBAN_APPROVE_IMPORTS=1 this run.`;
  return refused(realPath, "NEEDS_APPROVAL", sentence);
}

function refused(realPath: string, reason: ReasonCode, sentence: string): Admission {
  return { kind: "refused", realPath, why: { status: "skipped", reason, message: sentence } };
}

function unreadable({ kind, message }: Exclude<TextFile, { readonly kind: "text" }>): NotLoaded {
  if (kind === "missing") {
    return { status: "missing", reason: "ABSENT", message: "There is no such file." };
  }
  const reason = kind === "not-a-file" ? "NOT_A_FILE" : "UNREADABLE";
  return { status: "skipped", reason, message: `It cannot be read: ${message}.` };
}
