import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseProposal,
  type Proposal,
  PROPOSAL_REASONS,
  renderProposal,
} from "../../src/inbox/proposal.ts";
import { proposalOf } from "./proposals.ts";

const PROPOSAL: Proposal = {
  ...proposalOf("deploy"),
  id: "0123abcd",
  at: "2026-11-18T08:00:00.000Z",
  times: 1,
};

const text = fc.string({ minLength: 1, maxLength: 8 }).filter((value) => value.trim() !== "");
const texts = fc.array(text, { minLength: 1, maxLength: 2 });
const topic = fc.record(
  {
    name: text,
    description: text,
    type: fc.constantFrom("user" as const, "feedback" as const, "project" as const),
    body: text,
    ifMatch: text,
    supersedes: texts,
    applies: fc.record({ paths: texts, commands: texts }),
  },
  { requiredKeys: ["name", "description", "type", "body"] },
);

describe("parseProposal", () => {
  it("reads back every proposal that was rendered", () => {
    const proposals = fc.record({
      action: fc.constantFrom("write" as const, "edit" as const),
      topic,
      reason: fc.constantFrom(...PROPOSAL_REASONS),
      enforce: fc.option(fc.record({ level: fc.constant("ask" as const), rules: texts }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(proposals, ({ enforce, ...changes }) => {
        const proposal = { ...PROPOSAL, ...changes, ...(enforce === undefined ? {} : { enforce }) };
        expect(parseProposal(PROPOSAL.id, renderProposal(proposal))).toEqual(proposal);
      }),
    );
  });

  it.for([
    ["no JSON", "{"],
    ["another value", "[]"],
    ["no topic", JSON.stringify({ ...PROPOSAL, topic: undefined })],
    ["an unknown action", JSON.stringify({ ...PROPOSAL, action: "run" })],
    ["an unknown reason", JSON.stringify({ ...PROPOSAL, reason: "BECAUSE" })],
    ["an unknown origin", JSON.stringify({ ...PROPOSAL, origin: "oracle" })],
    ["a body that is not text", JSON.stringify({ ...PROPOSAL, topic: { name: "a", body: 1 } })],
  ])("rejects a file with %s", ([, damaged = ""]) => {
    expect(parseProposal(PROPOSAL.id, damaged)).toBeUndefined();
  });

  it("takes the id from the file name, whatever the file says", () => {
    const other = JSON.stringify({ ...PROPOSAL, id: "../../evil" });
    expect(parseProposal("0123abcd", other)?.id).toBe("0123abcd");
  });
});
