import type { PermissionQuestion } from "@caliban/agent-core";
import { isRecord, terminalSafeLine } from "@caliban/common";

/** What is known about the user's answer to a question about one call. */
export type Approval =
  /** The client cannot ask its user. */
  | "unavailable"
  /** The client can ask its user, and has not yet. */
  | "possible"
  | "given"
  | "declined";

/** A call that only the user can allow. */
export interface ApprovalRequest {
  readonly question: PermissionQuestion;
}

/** Whether the answer to a request is a question to the user. */
export function isApprovalRequest(answer: object): answer is ApprovalRequest {
  return "question" in answer && isRecord(answer.question);
}

/** The name of the question among the inputs that a client is asked for. */
export const APPROVAL_KEY = "approval";

const MAX_SUBJECT_CHARACTERS = 200;

/** The question as a form that a client shows to its user. */
export function approvalForm({ question }: ApprovalRequest): {
  message: string;
  requestedSchema: {
    type: "object";
    properties: { allow: { type: "boolean"; title: string; default: boolean } };
    required: string[];
  };
} {
  const { tool, input, reason } = question;
  const about = isRecord(input) ? [input["name"], input["description"]] : [];
  const texts = about.filter((text) => typeof text === "string" && text !== "");
  const shown = terminalSafeLine(texts.join(": ").slice(0, MAX_SUBJECT_CHARACTERS));
  return {
    message: `${tool}${shown === "" ? "" : ` (${shown})`} needs your approval. ${terminalSafeLine(reason)}`,
    requestedSchema: {
      type: "object",
      properties: { allow: { type: "boolean", title: "Allow this call once", default: false } },
      required: ["allow"],
    },
  };
}

/** Reads the answer of a user. Everything but an explicit yes is a no. */
export function readApproval(answer: unknown): "given" | "declined" {
  const content = isRecord(answer) && answer["action"] === "accept" ? answer["content"] : undefined;
  return isRecord(content) && content["allow"] === true ? "given" : "declined";
}

/** Whether the capabilities of a client say that it shows forms to its user. */
export function showsForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities["elicitation"] : undefined;
  // Before there was a choice, an empty object meant forms.
  return isRecord(elicitation) && ("form" in elicitation || Object.keys(elicitation).length === 0);
}
