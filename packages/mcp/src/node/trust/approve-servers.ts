import { terminalSafeLine } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import type { KeptServers } from "@caliban/memory/node";
import type { McpServer } from "../../client/mcp-server.ts";
import { type ExaminedRequest, examineRequest } from "./examine-request.ts";
import type { ResolvedServers } from "./resolve-servers.ts";
import type { ResolvedServer, UnusableServer } from "../../trust/resolved-server.ts";
import type { ApprovalQuestion } from "../../trust/approval-question.ts";

/** What a person says to a server that a repository wishes for. */
export type ApprovalAnswer = "once" | "always" | "no";

export type AskApproval = (question: ApprovalQuestion) => Promise<ApprovalAnswer>;

/** A server that may be started. */
export interface StartableServer {
  readonly server: McpServer;
  readonly timeoutSeconds: number;
  /**
   * To be asked right before the start, each time: why it may not be started any more, in a sentence; `undefined` when
   * it is still what was approved.
   */
  readonly recheck: () => Promise<string | undefined>;
}

export interface ApproveServersInput extends ResolvedServers {
  /** A real path. */
  readonly workspaceRoot: string;
  readonly approvals: KeptServers;
  /** Left out where nobody can answer: then what was not approved before is not there. */
  readonly ask?: AskApproval | undefined;
}

export interface ApprovedServers {
  readonly servers: readonly StartableServer[];
  /** What has to be said, one a line, in harmless text: what is not there and why, and what is missing. */
  readonly notices: readonly string[];
}

/** The person's own servers, and of the repository's those that they approve of. One question after the other. */
export async function approveServers(input: ApproveServersInput): Promise<ApprovedServers> {
  const servers: StartableServer[] = [];
  const notices = input.unusable.flatMap(unusableNotice);
  for (const resolved of input.servers) {
    const { name } = resolved.server;
    // One question at a time.
    // oxlint-disable-next-line no-await-in-loop
    const judged = resolved.isRequested ? await judgeWish(resolved, input) : { server: own(resolved) };
    if (judged.server !== undefined) {
      servers.push(judged.server);
      notices.push(...resolved.notes.map((note) => notice(name, `${note}.`)));
    }
    if (judged.sentence !== undefined) notices.push(notice(name, judged.sentence));
  }
  return { servers, notices };
}

interface Judged {
  readonly server?: StartableServer;
  readonly sentence?: string;
}

function own({ server, timeoutSeconds }: ResolvedServer): StartableServer {
  return { server, timeoutSeconds, recheck: async () => undefined };
}

async function judgeWish(wish: ResolvedServer, input: ApproveServersInput): Promise<Judged> {
  const { approvals, ask, workspaceRoot } = input;
  const { name, source } = wish.server;
  const examined = await examineRequest(wish, workspaceRoot);
  if ("reason" in examined)
    return { sentence: `not there, though ${source} wishes for it: ${examined.reason}.` };
  const { fingerprint } = examined.server;
  if (await approvals.isApproved(name, fingerprint))
    return { server: startable({ wish, examined, isKept: true }, input) };
  const { names } = await approvals.list();
  const isChanged = names.includes(name);
  if (ask === undefined) return { sentence: waiting(source, { name, isChanged }) };
  const answer = await ask({ request: examined, isChanged });
  if (answer === "no")
    return {
      sentence: `not there, because you said no. caliban mcp approve ${name} changes that.`,
    };
  const unkept = answer === "always" ? await whyNotKept(approvals, examined) : undefined;
  const isKept = answer === "always" && unkept === undefined;
  const server = startable({ wish, examined, isKept }, input);
  return unkept === undefined ? { server } : { server, sentence: unkept };
}

/** What is said of a wish that nobody answered to. */
function waiting(
  source: string,
  { name, isChanged }: { readonly name: string; readonly isChanged: boolean },
): string {
  const why = isChanged ? "it changed since you approved it" : "it needs your approval";
  return `not there, though ${source} wishes for it: ${why}. caliban mcp approve ${name}`;
}

/** An approval that cannot be kept holds for this time. */
async function whyNotKept(
  approvals: KeptServers,
  { server }: ExaminedRequest,
): Promise<string | undefined> {
  try {
    await approvals.approve(server.name, server.fingerprint);
    return undefined;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return `approved for this time only: ${error.message}.`;
  }
}

function startable(
  approved: {
    readonly wish: ResolvedServer;
    readonly examined: ExaminedRequest;
    readonly isKept: boolean;
  },
  { approvals, workspaceRoot }: ApproveServersInput,
): StartableServer {
  const { wish, examined, isKept } = approved;
  const { server, timeoutSeconds } = examined;
  const { name, fingerprint } = server;
  const recheck = async (): Promise<string | undefined> => {
    const now = await examineRequest(wish, workspaceRoot);
    if ("reason" in now) return `${now.reason}.`;
    if (now.server.fingerprint !== fingerprint)
      return `it changed since you approved it. caliban mcp approve ${name}`;
    if (isKept && !(await approvals.isApproved(name, fingerprint)))
      return `its approval was taken back. caliban mcp approve ${name}`;
    return undefined;
  };
  return { server, timeoutSeconds, recheck };
}

/** What is turned off is as the person wants it. */
function unusableNotice({
  name,
  isOff,
  isRequested: isWish,
  source,
  reason,
}: UnusableServer): readonly string[] {
  if (isOff) return [];
  const wished = isWish ? `not there, though ${source} wishes for it: ` : "";
  return [notice(name, `${wished}${reason}.`)];
}

function notice(name: string, sentence: string): string {
  return terminalSafeLine(`MCP server ${name}: ${sentence}`);
}
