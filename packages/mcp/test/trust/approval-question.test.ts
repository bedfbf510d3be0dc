import { describe, expect, it } from "vitest";
import { examineRequest } from "../../src/node/trust/examine-request.ts";
import { type ApprovalQuestion, renderQuestion } from "../../src/trust/approval-question.ts";
import type { ServerConfig } from "../../src/trust/server-entry.ts";
import { requestFor, workspaceWith } from "../node/trust/request-fixture.ts";

async function questionOf(config: ServerConfig, isChanged: boolean): Promise<ApprovalQuestion> {
  const root = await workspaceWith({ "tools/server.js": "serve()", "data/x": "" });
  const request = await examineRequest(requestFor(config, { root }), root);
  if ("reason" in request) throw new Error(request.reason);
  return { request, isChanged };
}

/** The question as text, with the workspace shown as `~`. */
async function textOf(config: ServerConfig, isChanged = false): Promise<string> {
  const question = await questionOf(config, isChanged);
  const { transport } = question.request.server;
  const text = renderQuestion(question, { platform: "linux", home: undefined });
  return transport.kind === "stdio" ? text.replaceAll(transport.cwd, "~") : text;
}

describe("the question about a requested server", () => {
  it("shows the command, its directory, its variables, who requests it, and what is covered", async () => {
    const config = {
      command: "node",
      args: ["./tools/server.js", "two words", "", "data"],
      env: { LOG: "off" },
      pass_env: ["GITHUB_TOKEN"],
      tier: "memory",
    } as const;
    expect(await textOf(config)).toBe(`\
This repository wants to start the MCP server tools.
  runs          node ./tools/server.js "two words" "" data
  in            ~
  sets          LOG=off
  gets your     GITHUB_TOKEN
  is            a tier of memory, consulted on demand
  requested by  ~/.caliban/settings.toml
  covers        ~/tools/server.js
  excludes      other files in ~/data: they may change without a question
  note          GITHUB_TOKEN is not set, so the server runs without it
It runs as a program, in the sandbox if there is one and with your permissions otherwise. Its answers become part of the conversation.
`);
  });

  it.for([
    ["https://api.g\u0456thub.com/mcp", "https://api.xn--gthub-n2e.com/mcp"],
    ["https://g\uFF49thub.com/mcp", "https://github.com/mcp"],
    ["https://2130706433/mcp", "https://127.0.0.1/mcp"],
  ])("shows the real address of %s", async ([url, reached]) => {
    expect(await textOf({ url })).toContain(`sends to      ${reached}\n`);
  });

  it("shows the address of a changed server, and which token is sent there", async () => {
    const config = { url: "https://x.example/mcp?a=b", token_env: "GITHUB_TOKEN" };
    const text = await textOf(config, true);
    expect(text).toMatch(
      /^This repository wants to use the MCP server tools\. It has changed since you approved it\./,
    );
    expect(text).toMatch(/^ {2}sends to +https:\/\/x\.example\/mcp\?a=b$/m);
    expect(text).toMatch(/^ {2}sends your +GITHUB_TOKEN$/m);
  });
});
