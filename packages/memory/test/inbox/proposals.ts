import type { ProposalRequest } from "../../src/inbox/proposal.ts";

/** A proposal of a new topic. Processes that tests start import this file, so it does not import vitest. */
export function proposalOf(
  name: string,
  changes: Partial<Extract<ProposalRequest, { readonly action: "write" | "edit" }>> = {},
): ProposalRequest {
  return {
    action: "write",
    topic: { name, description: `what ${name} is`, type: "project", body: `About ${name}.` },
    scope: "project",
    origin: "tool",
    reason: "INSTRUCTION",
    session: "20261118-080000-abcd",
    after: ["Read"],
    ...changes,
  };
}
