import { realpathSync } from "node:fs";
import {
  isSecretPath,
  command,
  type CommandMessage,
  type PathStyle,
  terminalSafeLine,
  withCommands,
} from "@caliban/common";
import { errorCode, readTextFile, type TextFile } from "@caliban/common/node";
import type { Approval } from "../../project/approvals.ts";
import { isWithin } from "../../prompt/imports.ts";
import type { NotLoaded, ReasonCode } from "../../prompt/receipt.ts";
import { sha256Hex } from "../sha256-hex.ts";

/** A file that may go into the prompt, with its text; or the reason why it may not. */
export type AllowedFile =
  | { readonly realPath: string; readonly file: TextContent }
  | { readonly notLoaded: NotLoaded };

export type TextContent = TextFile & { readonly kind: "text" };

/** Decides which files may be read into the prompt. */
export interface FilePolicy {
  readonly style: PathStyle;
  readonly workspaceRoot: string;
  /** Real directories whose files need no approval. */
  readonly trustedDirectories: readonly string[];
  /** Whether this content of an external file may be used. */
  readonly isApproved: (approval: Approval) => Promise<boolean>;
  /** Whether git ignores a file of the workspace. */
  readonly isGitIgnored: (realPath: string) => Promise<boolean>;
}

export interface FileRequest {
  readonly path: string;
  readonly maxBytes: number;
  /** Whether a file of the user's names it, so that it needs no approval. */
  readonly isUserOwned: boolean;
  /** Whether its directory is known to be a real path, so that only the file itself can be a link. */
  readonly hasRealParent: boolean;
  /** Users choose instruction files; what those import must not be a secret or ignored by git. */
  readonly isImport: boolean;
}

/**
 * Opens a file once, by its real path, and checks, hashes and returns what that one handle gave: what was checked is
 * what goes into the prompt.
 */
export async function readAllowedFile(
  request: FileRequest,
  policy: FilePolicy,
): Promise<AllowedFile> {
  const { path, maxBytes } = request;
  if (request.hasRealParent && !request.isImport) {
    const file = readTextFile(path, maxBytes, { isRealPath: true });
    // An unreadable file may be a link, and then its real path decides.
    if (file.kind !== "unreadable")
      return await checkApproval(request, { realPath: path, file }, policy);
  }
  const realPath = resolveRealPath(path);
  if (typeof realPath !== "string") return { notLoaded: realPath };
  const forbidden = await checkForbidden(request, realPath, policy);
  if (forbidden !== undefined) return forbidden;
  const file = readTextFile(realPath, maxBytes, { isRealPath: true });
  return await checkApproval(request, { realPath, file }, policy);
}

/** Checks what no approval can allow. A file with one of our own names is not a secret, unless it links to one. */
async function checkForbidden(
  request: FileRequest,
  realPath: string,
  { style, workspaceRoot, isGitIgnored }: FilePolicy,
): Promise<AllowedFile | undefined> {
  if (!request.isImport && realPath === request.path) return undefined;
  // Inside the workspace only the part below its root is checked: the root itself may be anywhere.
  const checkedPart = (path: string): string =>
    path.startsWith(workspaceRoot) ? path.slice(workspaceRoot.length) : path;
  if ([realPath, request.path].some((path) => isSecretPath(style, checkedPart(path)))) {
    return skipped("SECRET_FILE", "Keys, passwords and environment files never go into a prompt.");
  }
  if (!isWithin(style, realPath, [workspaceRoot]) || !(await isGitIgnored(realPath))) {
    return undefined;
  }
  return skipped("GIT_IGNORED", "Git ignores this file, so it is never imported.");
}

async function checkApproval(
  request: FileRequest,
  { realPath, file }: { readonly realPath: string; readonly file: TextFile },
  policy: FilePolicy,
): Promise<AllowedFile> {
  if (file.kind !== "text") return { notLoaded: unreadable(file) };
  const isTrusted =
    request.isUserOwned || isWithin(policy.style, realPath, policy.trustedDirectories);
  if (isTrusted || (await policy.isApproved(approvalOf(realPath, file, policy)))) {
    return { realPath, file };
  }
  const path = terminalSafeLine(realPath);
  const message = withCommands`Outside the workspace and not approved. To allow this content, run: ${command(`memory approve ${quoted(path)}`)}. To allow it for one run, set CALIBAN_APPROVE_IMPORTS=1.`;
  return skipped("NEEDS_APPROVAL", message);
}

/** Quotes a path for a command line where it must be quoted. */
function quoted(path: string): string {
  return /^[\w./@-]+$/.test(path) ? path : `"${path}"`;
}

function approvalOf(
  realPath: string,
  { text }: TextContent,
  { workspaceRoot }: FilePolicy,
): Approval {
  return {
    workspace: workspaceRoot,
    kind: "import",
    subject: realPath,
    sha256: sha256Hex(text),
  };
}

function resolveRealPath(path: string): string | NotLoaded {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const kind = code === "ELOOP" || code === "EACCES" ? "unreadable" : "missing";
    const message = code === "ELOOP" ? "too many symbolic links" : "permission denied";
    return unreadable({ kind, message });
  }
}

function skipped(code: ReasonCode, message: string | CommandMessage): AllowedFile {
  const text = typeof message === "string" ? { message } : message;
  return { notLoaded: { status: "skipped", code, ...text } };
}

function unreadable({ kind, message }: Exclude<TextFile, { readonly kind: "text" }>): NotLoaded {
  if (kind === "missing") return { status: "missing", code: "ABSENT", message: "No such file." };
  const code = kind === "not-a-file" ? "NOT_A_FILE" : "UNREADABLE";
  return { status: "skipped", code, message: `Cannot read the file: ${message}.` };
}
