import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { type ApprovedServers, approveServers } from "../../../src/node/trust/approve-servers.ts";
import {
  createServerApprovals,
  type ServerApprovals,
} from "../../../src/node/trust/server-approvals.ts";
import type { ApprovalAnswer, ApprovalQuestion } from "../../../src/trust/approval-question.ts";
import type { ServerConfig } from "../../../src/trust/server-entry.ts";
import { resolveRequests, workspaceWith } from "./request-fixture.ts";

const TOOLS = { command: "node", args: ["tools/server.js"] };
const FILES = { "tools/server.js": "serve()" };
const STATE = ".local/state/caliban/approvals.json";

interface Fixture {
  readonly home: string;
  readonly root: string;
}

async function createFixture(): Promise<Fixture> {
  return { home: await temporaryDirectory(), root: await workspaceWith(FILES) };
}

function approvalsOf({ home, root }: Fixture): ServerApprovals {
  const env = { HOME: home };
  return createServerApprovals({ env, platform: "linux", home, workspaceRoot: root });
}

interface Opened extends ApprovedServers {
  readonly names: readonly string[];
  readonly questions: readonly ApprovalQuestion[];
}

/** Approves the servers of a workspace. Without an answer, no one can be asked. */
async function open(
  fixture: Fixture,
  requests: Readonly<Record<string, ServerConfig>>,
  answer?: ApprovalAnswer | (() => Promise<ApprovalAnswer>),
): Promise<Opened> {
  const questions: ApprovalQuestion[] = [];
  const ask = async (question: ApprovalQuestion): Promise<ApprovalAnswer> => {
    questions.push(question);
    return typeof answer === "function" ? await answer() : (answer ?? "no");
  };
  const approved = await approveServers({
    ...resolveRequests(requests, { root: fixture.root, own: { mine: { command: "x" } } }),
    workspaceRoot: fixture.root,
    approvals: approvalsOf(fixture),
    approveHint: (name) => `Run: approve ${name}`,
    ask: answer === undefined ? undefined : ask,
  });
  const names = approved.servers.map(({ server }) => server.name);
  return { ...approved, names, questions };
}

/** The recheck of the last server. */
function recheckOf({ servers }: Opened): () => Promise<string | undefined> {
  const recheck = servers.at(-1)?.recheck;
  if (recheck === undefined) throw new Error("no recheck");
  return recheck;
}

const messages = ({ diagnostics }: Opened): readonly string[] =>
  diagnostics.map(({ server, message }) => `${server}: ${message}`);

it("uses the user's own servers without a question", async () => {
  const { names, questions, diagnostics } = await open(await createFixture(), {}, "no");
  expect({ names, questions, diagnostics }).toEqual({
    names: ["mine"],
    questions: [],
    diagnostics: [],
  });
});

describe("a server that a repository requests", () => {
  it("uses no requested server before the user approves it, and says how to", async () => {
    const fixture = await createFixture();
    const unattended = await open(fixture, { tools: TOOLS });
    expect(unattended).toMatchObject({
      names: ["mine"],
      diagnostics: [{ server: "tools", code: "SERVER_NOT_APPROVED" }],
    });
    expect(messages(unattended)[0]).toMatch(
      /^tools: requested by \S+settings\.toml but not approved\. Run: approve tools$/,
    );
    const declined = await open(fixture, { tools: TOOLS }, "no");
    expect(declined).toMatchObject({
      names: ["mine"],
      diagnostics: [{ code: "SERVER_DECLINED" }],
    });
    expect(declined.questions).toHaveLength(1);
  });

  it("asks again about a server that was approved once", async () => {
    const fixture = await createFixture();
    expect(await open(fixture, { tools: TOOLS }, "once")).toMatchObject({
      names: ["mine", "tools"],
      diagnostics: [],
    });
    const { questions } = await open(fixture, { tools: TOOLS }, "no");
    expect(questions).toMatchObject([{ isChanged: false }]);
  });

  it("asks no more about a server that was approved for good, while nothing changes", async () => {
    const fixture = await createFixture();
    await open(fixture, { tools: TOOLS }, "always");
    expect(await open(fixture, { tools: TOOLS }, "no")).toMatchObject({
      names: ["mine", "tools"],
      questions: [],
    });
    expect((await open(fixture, { tools: TOOLS })).names).toEqual(["mine", "tools"]);
  });

  it.for<ServerConfig>([
    { command: "deno", args: TOOLS.args },
    { ...TOOLS, args: ["tools/server.js", "--evil"] },
    { ...TOOLS, env: { NODE_OPTIONS: "" } },
    { ...TOOLS, pass_env: ["GITHUB_TOKEN"] },
    { ...TOOLS, cwd: "tools" },
    { url: "https://evil.example" },
  ])("asks again about an approved server whose settings change to %j", async (config) => {
    const fixture = await createFixture();
    await open(fixture, { tools: TOOLS }, "always");
    const { names, questions } = await open(fixture, { tools: config }, "no");
    expect(names).toEqual(["mine"]);
    expect(questions).toMatchObject([{ isChanged: true }]);
    const unattended = await open(fixture, { tools: config });
    expect(unattended.diagnostics).toMatchObject([{ code: "SERVER_CHANGED" }]);
    expect(messages(unattended)[0]).toContain("changed since you approved it. Run: approve tools");
  });

  it("asks again when a file changes, in another workspace, and under another name", async () => {
    const fixture = await createFixture();
    await open(fixture, { tools: TOOLS }, "always");
    const elsewhere = { ...fixture, root: await workspaceWith(FILES) };
    expect((await open(elsewhere, { tools: TOOLS })).names).toEqual(["mine"]);
    expect((await open(fixture, { other: TOOLS })).names).toEqual(["mine"]);
    await writeFile(join(fixture.root, "tools/server.js"), "evil()");
    expect((await open(fixture, { tools: TOOLS })).names).toEqual(["mine"]);
  });

  it("reports a server that cannot be used instead of asking, unless it is turned off", async () => {
    const requests = {
      key: { command: "x", pass_env: ["ANTHROPIC_API_KEY"] },
      gone: { command: "x", cwd: "gone" },
      off: { ...TOOLS, enabled: false },
    };
    const opened = await open(await createFixture(), requests, "always");
    expect(opened).toMatchObject({
      names: ["mine"],
      questions: [],
      diagnostics: [{ code: "SERVER_UNUSABLE" }, { code: "SERVER_UNUSABLE" }],
    });
    expect(messages(opened)).toEqual([
      expect.stringContaining("which no repository gets"),
      expect.stringContaining("does not exist"),
    ]);
  });

  it("uses a server for this run if its approval cannot be saved, and leaves the damaged file alone", async () => {
    const fixture = await createFixture();
    await mkdir(dirname(join(fixture.home, STATE)), { recursive: true });
    await writeFile(join(fixture.home, STATE), "damaged");
    const opened = await open(fixture, { tools: TOOLS }, "always");
    expect(opened.names).toEqual(["mine", "tools"]);
    expect(opened.diagnostics).toMatchObject([{ code: "APPROVAL_NOT_SAVED" }]);
    expect(messages(opened)[0]).toContain("approved for this run only");
    expect(await readFile(join(fixture.home, STATE), "utf8")).toBe("damaged");
    expect((await open(fixture, { tools: TOOLS })).names).toEqual(["mine"]);
  });

  it("asks one question at a time, and reports missing variables", async () => {
    let openQuestions = 0;
    let maxOpen = 0;
    const answer = async (): Promise<ApprovalAnswer> => {
      maxOpen = Math.max(maxOpen, (openQuestions += 1));
      await new Promise((resolve) => setTimeout(resolve, 1));
      openQuestions -= 1;
      return "once";
    };
    const requests = { a: { ...TOOLS, pass_env: ["ABSENT"] }, b: TOOLS };
    const { names, diagnostics } = await open(await createFixture(), requests, answer);
    expect({ names, maxOpen }).toEqual({ names: ["mine", "a", "b"], maxOpen: 1 });
    expect(diagnostics).toEqual([
      {
        server: "a",
        code: "SERVER_INCOMPLETE",
        message: "ABSENT is not set, so the server runs without it",
      },
    ]);
  });
});

describe("the recheck before a start", () => {
  it.for(["once", "always"] as const)(
    "allows only what was shown when the answer was %s",
    async (answer) => {
      const fixture = await createFixture();
      const recheck = recheckOf(await open(fixture, { tools: TOOLS }, answer));
      expect(await recheck()).toBeUndefined();
      await writeFile(join(fixture.root, "tools/server.js"), "evil()");
      expect(await recheck()).toBe("it changed since you approved it. Run: approve tools");
      await writeFile(join(fixture.root, "tools/server.js"), "serve()");
      expect(await recheck()).toBeUndefined();
    },
  );

  it("refuses a server that changed while the question was open", async () => {
    const fixture = await createFixture();
    const opened = await open(fixture, { tools: TOOLS }, async () => {
      await writeFile(join(fixture.root, "tools/server.js"), "evil()");
      return "always";
    });
    expect(await recheckOf(opened)()).toContain("it changed");
    expect((await open(fixture, { tools: TOOLS })).names).toEqual(["mine"]);
  });

  it("refuses a server whose approval was withdrawn", async () => {
    const fixture = await createFixture();
    const recheck = recheckOf(await open(fixture, { tools: TOOLS }, "always"));
    await approvalsOf(fixture).forget("tools");
    expect(await recheck()).toContain("its approval was withdrawn");
  });
});
