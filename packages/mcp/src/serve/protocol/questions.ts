import {
  inputRequired,
  type JSONRPCRequest,
  type Result,
  SdkError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import {
  type Approval,
  APPROVAL_KEY,
  approvalForm,
  type ApprovalRequest,
  readApproval,
} from "../approval.ts";
import { isProtocolError } from "../protocol-error.ts";
import type { ServedMemory } from "../served-memory.ts";
import type { RequestClient } from "./request-client.ts";

/** How the user of a client is asked about one request. */
export interface Questions {
  /** What is known about the user's answer when the request arrives. */
  readonly approval: (memory: Pick<ServedMemory, "tickets">) => Promise<Approval>;
  /** Asks. An answer that comes with the next request is a result that asks for it. */
  readonly ask: (
    question: ApprovalRequest,
    memory: Pick<ServedMemory, "tickets">,
  ) => Promise<"given" | "declined" | Result>;
}

export interface QuestionsInput {
  readonly server: Server;
  readonly client: RequestClient;
  readonly request: JSONRPCRequest;
  readonly context: ServerContext;
}

export function createQuestions(input: QuestionsInput): Questions {
  const { client } = input;
  const first = client.canAsk ? "possible" : "unavailable";
  if (!client.isStateless)
    return { approval: async () => first, ask: async (question) => await askNow(question, input) };
  return {
    approval: async ({ tickets }) => (await answerOf(input, tickets)) ?? first,
    ask: async (question, { tickets }) =>
      inputRequired({
        inputRequests: { [APPROVAL_KEY]: inputRequired.elicit(approvalForm(question)) },
        requestState: await tickets.issue(callOf(input), input.context),
      }),
  };
}

/** The answer that came with this request, if the user was asked about this very call. */
async function answerOf(
  { client, request, context }: QuestionsInput,
  tickets: ServedMemory["tickets"],
): Promise<"given" | "declined" | undefined> {
  const { inputResponses, requestState } = context.mcpReq;
  if (!client.canAsk || inputResponses === undefined) return undefined;
  const isAsked = await tickets.isFor(callOf({ request }), requestState(), context);
  return isAsked ? readApproval(inputResponses[APPROVAL_KEY]) : undefined;
}

/** What the answer counts for: this method with exactly these parameters. */
function callOf({ request: { method, params = {} } }: Pick<QuestionsInput, "request">): unknown {
  return [method, params["name"], params["arguments"]];
}

/** People answer slowly, and some never do. */
const ANSWER_TIMEOUT_MS = 300_000;

/** Before 2026-07-28, the server sends a request of its own and waits. A client that fails to ask has declined. */
async function askNow(
  question: ApprovalRequest,
  { server, context }: QuestionsInput,
): Promise<"given" | "declined"> {
  try {
    const answer = await server.elicitInput(approvalForm(question), {
      timeout: ANSWER_TIMEOUT_MS,
      signal: context.mcpReq.signal,
      relatedRequestId: context.mcpReq.id,
    });
    return readApproval(answer);
  } catch (error) {
    if (error instanceof SdkError || isProtocolError(error)) return "declined";
    throw error;
  }
}
