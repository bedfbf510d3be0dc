import type { PermissionPolicy } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import {
  createConversationServers,
  type ConversationServersInput,
  type OpenedServers,
} from "../../../src/node/client/conversation-servers.ts";
import type { ApprovalQuestion } from "../../../src/trust/approval-question.ts";
import { names, type PoolFixture, poolFixture, started, until } from "./pool-fixture.ts";

const RULES: PermissionPolicy = { allow: [], ask: [], deny: [], mode: "default" };

const opened = (fixture: PoolFixture, mode = "plain"): OpenedServers => ({
  servers: [fixture.server(mode)],
  diagnostics: [],
  createPool: () => fixture.pool(),
});

function create(input: Partial<ConversationServersInput> = {}) {
  const servers = createConversationServers({
    format: ({ server, message }) => `${server}: ${message}`,
    notify: () => undefined,
    ...input,
  });
  const offer = (open: OpenedServers | undefined, policy = RULES) =>
    servers.offer({ policy, hasTiers: true, open: async () => open });
  return { servers, offer };
}

describe("the servers of a conversation", () => {
  it("offers nothing as long as no server is configured, and ends those that no longer are", async () => {
    const fixture = await poolFixture();
    await started(fixture, "plain");
    const { servers, offer } = create();
    expect(await offer(undefined)).toEqual({
      tools: [],
      skills: [],
      warnings: [],
      permissions: [],
    });
    const { tools, permissions } = await offer(opened(fixture));
    expect(names(tools)).toContain("mcp__x__echo");
    expect(permissions).toEqual(["mcp.x"]);
    expect((await offer(undefined)).tools).toEqual([]);
    expect(servers.statuses()).toEqual([]);
    await servers.close();
  });

  it("neither offers nor starts a server whose tools are all denied", async () => {
    const fixture = await poolFixture();
    const { servers, offer } = create();
    const deny = [{ name: "mcp.x", text: "mcp.x", source: "test" }];
    servers.start(() => undefined);
    const { tools, permissions } = await offer(opened(fixture), { ...RULES, deny });
    expect([tools, permissions]).toEqual([[], ["mcp.x"]]);
    expect(servers.statuses()).toEqual([]);
    await servers.close();
    expect(fixture.recorded()).toEqual([]);
  });

  it("asks once about a server, however often the prompt is rebuilt", async () => {
    let asked = 0;
    const { servers } = create({
      ask: async () => {
        asked += 1;
        return "no";
      },
    });
    const question = { request: { server: { fingerprint: "f" } }, isChanged: false };
    for (let offers = 0; offers < 2; offers++)
      await servers.offer({
        policy: RULES,
        hasTiers: true,
        open: async (ask) => {
          expect(await ask?.(question as ApprovalQuestion)).toBe("no");
          return undefined;
        },
      });
    expect(asked).toBe(1);
  });

  it.for([
    ["stops waiting for a server that hangs on request", true, []],
    [
      "waits for a server that hangs for a limited time, and records that it did not answer",
      false,
      ["x: unavailable: did not answer during this run"],
    ],
  ] as const)("%s", async ([, isHurried, expected]) => {
    const fixture = await poolFixture();
    // Without the hurry, this test would time out.
    const { servers, offer } = create({ lingerMs: isHurried ? 600_000 : 50 });
    await offer(opened(fixture, "no-initialize"));
    servers.startUnknown();
    await until(() => fixture.recorded().some((line) => line.startsWith("start")));
    if (isHurried) servers.stopWaiting();
    await servers.close();
    expect(fixture.reported).toEqual(expected);
  });
});
