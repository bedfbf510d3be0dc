import { MemoryError } from "@caliban/memory";
import type { JSONRPCRequest, Result } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { ClientView } from "../../../src/serve/client-view.ts";
import { answerRequest } from "../../../src/serve/protocol/protocol-server.ts";
import { createPathRedactor } from "../../../src/serve/open-memory.ts";
import { createRequestQueue } from "../../../src/serve/protocol/request-queue.ts";

const redactPaths = createPathRedactor([{ name: "home", path: "/home/p" }]);

function failingView(error: Error): ClientView {
  const fail = async (): Promise<never> => {
    throw error;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest is not used
  return { memory: { redactPaths }, callTool: fail } as unknown as ClientView;
}

const CALL: JSONRPCRequest = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "MemorySearch" },
};

describe("the answer to a request", () => {
  it.for([
    [new MemoryError("REFUSED_FILE", "/home/p/notes/a.md cannot be used"), "cannot be used", []],
    [new Error("at /home/p/caliban"), "internal error", ["/home/p/caliban"]],
  ] as const)("reports %s to the client without a path", async ([error, message, lines]) => {
    const reported: string[] = [];
    const answer: Promise<Result> = answerRequest(CALL, {
      view: async () => failingView(error),
      requests: createRequestQueue(),
      report: (line) => void reported.push(line),
      signal: new AbortController().signal,
    });
    const failure = await answer.then(String, String);
    expect(failure).toContain(message);
    expect(failure).not.toContain("/home/p");
    for (const line of lines) expect(reported.join("\n")).toContain(line);
  });

  it("refuses an invalid request before the memory is opened", async () => {
    let isOpened = false;
    const answer = answerRequest(
      { ...CALL, params: {} },
      {
        view: async () => {
          isOpened = true;
          return failingView(new Error("unused"));
        },
        requests: createRequestQueue(),
        report: () => undefined,
        signal: new AbortController().signal,
      },
    );
    await expect(answer).rejects.toMatchObject({ code: -32_602 });
    expect(isOpened).toBe(false);
  });
});
