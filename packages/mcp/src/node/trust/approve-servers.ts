import { terminalSafeLine } from "@caliban/common";
import { isMemoryError } from "@caliban/memory";
import type { StartableServer } from "../../client/mcp-server.ts";
import type { ServerDiagnostic, ServerDiagnosticCode } from "../../server-diagnostic.ts";
import type {
  ApprovalQuestion,
  AskApproval,
  ExaminedRequest,
} from "../../trust/approval-question.ts";
import type { ResolvedServer, UnusableServer } from "../../trust/server-entry.ts";
import { examineRequest } from "./examine-request.ts";
import type { ConfiguredServers } from "./resolve-servers.ts";
import type { ServerApprovals } from "./server-approvals.ts";

export interface ApproveServersInput extends ConfiguredServers {
  /** Left out when no one can answer. Servers that were not approved before are then not used. */
  readonly ask?: AskApproval | undefined;
  /** How the user approves a server later, such as the command to run. Appended to messages about a missing approval. */
  readonly approveHint?: ((server: string) => string) | undefined;
}

export interface ApprovedServers {
  readonly servers: readonly StartableServer[];
  /** Why a server is not used, and what is missing for one that is. */
  readonly diagnostics: readonly ServerDiagnostic[];
}

/** Returns the user's own servers and the requested ones that the user approves, asking one question at a time. */
export async function approveServers(input: ApproveServersInput): Promise<ApprovedServers> {
  const servers: StartableServer[] = [];
  const diagnostics = input.unusable.flatMap(unusableDiagnostic);
  for (const resolved of input.servers) {
    const { name } = resolved.server;
    const { server, problem } = resolved.isRequested
      ? await checkRequest(resolved, input)
      : { server: ownServer(resolved) };
    if (server !== undefined) {
      servers.push(server);
      diagnostics.push(
        ...resolved.notes.map((note) => diagnostic(name, "SERVER_INCOMPLETE", note)),
      );
    }
    if (problem !== undefined) diagnostics.push(diagnostic(name, ...problem));
  }
  return { servers, diagnostics };
}

/**
 * Finds the question about one server, for a user who wants to approve it now. The refusal says why it cannot be approved;
 * `undefined` means that no server has this name.
 */
export async function findApprovalQuestion(
  name: string,
  { servers, unusable, workspaceRoot, approvals }: ConfiguredServers,
): Promise<ApprovalQuestion | { readonly refusal: string } | undefined> {
  const problem = unusable.find((one) => one.name === name);
  if (problem !== undefined) return { refusal: `cannot approve ${name}: ${problem.reason}` };
  const resolved = servers.find(({ server }) => server.name === name);
  if (resolved === undefined) return undefined;
  if (!resolved.isRequested)
    return { refusal: `${name} is in your own settings and needs no approval` };
  const request = await examineRequest(resolved, workspaceRoot);
  if ("reason" in request) return { refusal: `cannot approve ${name}: ${request.reason}` };
  const { names } = await approvals.list();
  return { request, isChanged: names.includes(name) };
}

type Problem = readonly [code: ServerDiagnosticCode, message: string];

interface Checked {
  readonly server?: StartableServer;
  readonly problem?: Problem;
}

function ownServer({ server, timeoutSeconds }: ResolvedServer): StartableServer {
  return { server, timeoutSeconds };
}

async function checkRequest(request: ResolvedServer, input: ApproveServersInput): Promise<Checked> {
  const { approvals, ask, workspaceRoot } = input;
  const { name, source } = request.server;
  const examined = await examineRequest(request, workspaceRoot);
  if ("reason" in examined) {
    const message = `requested by ${source} but cannot be used: ${examined.reason}`;
    return { problem: ["SERVER_UNUSABLE", message] };
  }
  const { fingerprint } = examined.server;
  if (await approvals.isApproved(name, fingerprint))
    return { server: startable({ request, examined, isSaved: true }, input) };
  const { names } = await approvals.list();
  const isChanged = names.includes(name);
  if (ask === undefined) return { problem: missingApproval(request, isChanged, input) };
  const answer = await ask({ request: examined, isChanged });
  if (answer === "no")
    return {
      problem: ["SERVER_DECLINED", withHint("not used because you declined it", name, input)],
    };
  const problem = answer === "always" ? await saveApproval(approvals, examined) : undefined;
  const isSaved = answer === "always" && problem === undefined;
  const server = startable({ request, examined, isSaved }, input);
  return problem === undefined ? { server } : { server, problem };
}

function missingApproval(
  { server: { name, source } }: ResolvedServer,
  isChanged: boolean,
  input: ApproveServersInput,
): Problem {
  return isChanged
    ? ["SERVER_CHANGED", withHint(`requested by ${source} but ${CHANGED}`, name, input)]
    : ["SERVER_NOT_APPROVED", withHint(`requested by ${source} but not approved`, name, input)];
}

const CHANGED = "changed since you approved it";

function withHint(message: string, name: string, { approveHint }: ApproveServersInput): string {
  return approveHint === undefined ? message : `${message}. ${approveHint(name)}`;
}

/** Saves the approval. One that cannot be saved is valid for this run only. */
async function saveApproval(
  approvals: ServerApprovals,
  { server }: ExaminedRequest,
): Promise<Problem | undefined> {
  try {
    await approvals.approve(server.name, server.fingerprint);
    return undefined;
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return ["APPROVAL_NOT_SAVED", `approved for this run only: ${error.message}`];
  }
}

interface Approved {
  readonly request: ResolvedServer;
  readonly examined: ExaminedRequest;
  readonly isSaved: boolean;
}

function startable(
  { request, examined, isSaved }: Approved,
  input: ApproveServersInput,
): StartableServer {
  const { server, timeoutSeconds } = examined;
  const { name, fingerprint } = server;
  const recheck = async (): Promise<string | undefined> => {
    const now = await examineRequest(request, input.workspaceRoot);
    if ("reason" in now) return now.reason;
    if (now.server.fingerprint !== fingerprint) return withHint(`it ${CHANGED}`, name, input);
    if (isSaved && !(await input.approvals.isApproved(name, fingerprint)))
      return withHint("its approval was withdrawn", name, input);
    return undefined;
  };
  return { server, timeoutSeconds, isRequested: true, recheck };
}

/** A server that is turned off is as the user wants it. */
function unusableDiagnostic({
  name,
  isOff,
  isRequested,
  source,
  reason,
}: UnusableServer): readonly ServerDiagnostic[] {
  if (isOff) return [];
  const message = isRequested ? `requested by ${source} but cannot be used: ${reason}` : reason;
  return [diagnostic(name, "SERVER_UNUSABLE", message)];
}

function diagnostic(server: string, code: ServerDiagnosticCode, message: string): ServerDiagnostic {
  return { server, code, message: terminalSafeLine(message) };
}
