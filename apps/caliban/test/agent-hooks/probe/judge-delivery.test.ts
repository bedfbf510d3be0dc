import { expect, it } from "vitest";
import { judgeDelivery } from "../../../src/agent-hooks/probe/judge-delivery.ts";
import { probeText } from "../../../src/agent-hooks/probe/probe-event.ts";

const NONCE = "00112233445566778899aabbccddeeff";
const text = (event: string): string => probeText(NONCE, event);
const input = {
  recipe: { before: ["UserPromptSubmit"], after: "PostToolUse" },
  nonce: NONCE,
  installed: ["UserPromptSubmit", "PostToolUse", "PreCompress"],
  log: "UserPromptSubmit 40\nPostToolUse 50\n",
};
const kinds = (
  changed: Partial<typeof input> & { readonly requests: readonly string[] },
): readonly string[] =>
  judgeDelivery({ ...input, ...changed }).map(({ delivery }) => delivery.kind);

it("tells what arrived in time from what came too late or was dropped", () => {
  const message = text("UserPromptSubmit");
  const call = text("PostToolUse");
  expect(kinds({ requests: [message, message + call, message + call] })).toEqual([
    "arrived",
    "arrived",
    "not-tried",
  ]);
  expect(kinds({ requests: ["", message, message + call] })).toEqual(["late", "late", "not-tried"]);
  expect(kinds({ requests: [message, message, message] })).toEqual([
    "arrived",
    "dropped",
    "not-tried",
  ]);
  expect(kinds({ requests: [message, ""], log: "UserPromptSubmit 40\n" })).toEqual([
    "arrived",
    "not-called",
    "not-tried",
  ]);
});

it("ignores the nonce of another run", () => {
  const other = probeText("ffeeddccbbaa99887766554433221100", "UserPromptSubmit");
  expect(kinds({ requests: [other, other] })[0]).toBe("dropped");
});
