import type { PermissionQuestion } from "@caliban/agent-core";
import type { ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { approvalForm, readApproval, showsForms } from "../../src/serve/approval.ts";
import { createApprovalTickets } from "../../src/serve/approval-tickets.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tickets are bound to the call, not to the context
const CONTEXT = {} as ServerContext;
const CALL = ["tools/call", "WriteMemoryTopic", { name: "pnpm" }];

const question = (input: unknown): { readonly question: PermissionQuestion } => ({
  question: {
    tool: "WriteMemoryTopic",
    permission: "memory.write",
    input,
    reason: "The rule asks.",
    alwaysScope: "",
  },
});

describe("a ticket for an approval", () => {
  it("counts for the call that it was issued for, and for no other", async () => {
    const tickets = createApprovalTickets();
    const ticket = await tickets.issue(CALL, CONTEXT);
    expect(await tickets.isFor(CALL, ticket, CONTEXT)).toBe(true);
    const other = ["tools/call", "WriteMemoryTopic", { name: "other" }];
    expect(await tickets.isFor(other, ticket, CONTEXT)).toBe(false);
  });

  it.for([undefined, 5, "", "v1.e30.e30", "x".repeat(100_000)])(
    "counts for nothing if it is %s",
    async (ticket) => {
      expect(await createApprovalTickets().isFor(CALL, ticket, CONTEXT)).toBe(false);
    },
  );

  it("counts for nothing in another process, or when it was changed", async () => {
    const ticket = await createApprovalTickets().issue(CALL, CONTEXT);
    const tickets = createApprovalTickets();
    expect(await tickets.isFor(CALL, ticket, CONTEXT)).toBe(false);
    const own = await tickets.issue(CALL, CONTEXT);
    expect(await tickets.isFor(CALL, `${own.slice(0, -2)}AA`, CONTEXT)).toBe(false);
  });
});

describe("the question to the user of a client", () => {
  it("names the topic without control characters, and stays short", () => {
    const { message } = approvalForm(
      question({ name: "a\u001B[31m\nb", description: "x".repeat(10_000) }),
    );
    expect(message).toMatch(/^WriteMemoryTopic \(a/);
    expect(message).not.toContain("\u001B");
    expect(message).not.toContain("\n");
    expect(message.length).toBeLessThan(400);
    expect(approvalForm(question(5)).message).toBe(
      "WriteMemoryTopic needs your approval. The rule asks.",
    );
  });

  it.for([
    [{ action: "accept", content: { allow: true } }, "given"],
    [{ action: "accept", content: { allow: "true" } }, "declined"],
    [{ action: "accept", content: {} }, "declined"],
    [{ action: "accept" }, "declined"],
    [{ action: "decline", content: { allow: true } }, "declined"],
    [{ action: "cancel" }, "declined"],
    [undefined, "declined"],
    ["yes", "declined"],
  ] as const)("takes nothing but a clear yes for one: %j", ([answer, approval]) => {
    expect(readApproval(answer)).toBe(approval);
  });

  it.for([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: true }, false],
    [{}, false],
    [undefined, false],
  ] as const)("is asked of a client with %j: %s", ([capabilities, isAsked]) => {
    expect(showsForms(capabilities)).toBe(isAsked);
  });
});
