import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createServerApprovals, type KeptServers } from "@caliban/memory/node";
import type { ServerSettings } from "@caliban/settings";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import {
  type ApprovedServers,
  approveServers,
  type ApprovalAnswer,
  type StartableServer,
} from "../../../src/node/trust/approve-servers.ts";
import type { ApprovalQuestion } from "../../../src/trust/approval-question.ts";
import { resolveWishes, workspaceWith } from "./request-place.ts";

const TOOLS = { command: "node", args: ["tools/server.js"] };
const FILES = { "tools/server.js": "serve()" };
const STATE = ".local/state/caliban/approvals.json";

interface Place {
  readonly home: string;
  readonly root: string;
}

async function place(): Promise<Place> {
  return { home: await temporaryDirectory(), root: await workspaceWith(FILES) };
}

function approvalsOf({ home, root }: Place): KeptServers {
  const env = { HOME: home };
  return createServerApprovals({ env, platform: "linux", home, workspaceRoot: root });
}

interface Opened extends ApprovedServers {
  readonly names: readonly string[];
  readonly questions: readonly ApprovalQuestion[];
}

/** Opens the servers of a place; without an answer there is nobody to ask. */
async function open(
  at: Place,
  wishes: Readonly<Record<string, ServerSettings>>,
  answer?: ApprovalAnswer | (() => Promise<ApprovalAnswer>),
): Promise<Opened> {
  const questions: ApprovalQuestion[] = [];
  const ask = async (question: ApprovalQuestion): Promise<ApprovalAnswer> => {
    questions.push(question);
    return typeof answer === "function" ? await answer() : (answer ?? "no");
  };
  const approved = await approveServers({
    ...resolveWishes(wishes, { root: at.root, own: { mine: { command: "x" } } }),
    workspaceRoot: at.root,
    approvals: approvalsOf(at),
    ask: answer === undefined ? undefined : ask,
  });
  const names = approved.servers.map(({ server }) => server.name);
  return { ...approved, names, questions };
}

async function started({ servers }: Opened): Promise<StartableServer> {
  const last = servers.at(-1);
  if (last === undefined) throw new Error("no server");
  return last;
}

describe("a server of the person's own", () => {
  it("is there without a question", async () => {
    const { names, questions, notices } = await open(await place(), {}, "no");
    expect({ names, questions, notices }).toEqual({ names: ["mine"], questions: [], notices: [] });
  });
});

describe("a server that a repository wishes for", () => {
  it("is not there before somebody says yes, and that is said with what to do", async () => {
    const at = await place();
    expect(await open(at, { tools: TOOLS })).toMatchObject({
      names: ["mine"],
      notices: [
        expect.stringMatching(
          /^MCP server tools: not there, though \S+settings\.toml wishes for it: it needs your approval\. caliban mcp approve tools$/,
        ),
      ],
    });
    const asked = await open(at, { tools: TOOLS }, "no");
    expect(asked).toMatchObject({ names: ["mine"], notices: [/you said no/] });
    expect(asked.questions).toHaveLength(1);
  });

  it("is there once after once, and is asked about again", async () => {
    const at = await place();
    expect(await open(at, { tools: TOOLS }, "once")).toMatchObject({
      names: ["mine", "tools"],
      notices: [],
    });
    expect((await open(at, { tools: TOOLS }, "no")).questions).toMatchObject([
      { isChanged: false },
    ]);
  });

  it("is there without another question after always, while nothing changes", async () => {
    const at = await place();
    await open(at, { tools: TOOLS }, "always");
    expect(await open(at, { tools: TOOLS }, "no")).toMatchObject({
      names: ["mine", "tools"],
      questions: [],
    });
    expect((await open(at, { tools: TOOLS })).names).toEqual(["mine", "tools"]);
  });

  it.for<ServerSettings>([
    { command: "deno", args: TOOLS.args },
    { ...TOOLS, args: ["tools/server.js", "--evil"] },
    { ...TOOLS, env: { NODE_OPTIONS: "" } },
    { ...TOOLS, pass_env: ["GITHUB_TOKEN"] },
    { ...TOOLS, cwd: "tools" },
    { url: "https://evil.example" },
  ])("is asked about again when its settings become %j", async (settings) => {
    const at = await place();
    await open(at, { tools: TOOLS }, "always");
    const { names, questions } = await open(at, { tools: settings }, "no");
    expect(names).toEqual(["mine"]);
    expect(questions).toMatchObject([{ isChanged: true }]);
    expect((await open(at, { tools: settings })).notices[0]).toContain(
      "it changed since you approved it. caliban mcp approve tools",
    );
  });

  it("is asked about again when a file changes, in another workspace, and under another name", async () => {
    const at = await place();
    await open(at, { tools: TOOLS }, "always");
    const elsewhere = { ...at, root: await workspaceWith(FILES) };
    expect((await open(elsewhere, { tools: TOOLS })).names).toEqual(["mine"]);
    expect((await open(at, { other: TOOLS })).names).toEqual(["mine"]);
    await writeFile(join(at.root, "tools/server.js"), "evil()");
    expect((await open(at, { tools: TOOLS })).names).toEqual(["mine"]);
  });

  it("is not asked about when it cannot be used, and the reason is said", async () => {
    const wishes = {
      key: { command: "x", pass_env: ["ANTHROPIC_API_KEY"] },
      gone: { command: "x", cwd: "gone" },
      off: { ...TOOLS, enabled: false },
    };
    const { names, questions, notices } = await open(await place(), wishes, "always");
    expect({ names, questions }).toEqual({ names: ["mine"], questions: [] });
    expect(notices).toEqual([
      expect.stringContaining("which no repository gets"),
      expect.stringContaining("is not there"),
    ]);
  });

  it("is there for this time when always cannot be kept, and the file stays", async () => {
    const at = await place();
    await mkdir(dirname(join(at.home, STATE)), { recursive: true });
    await writeFile(join(at.home, STATE), "damaged");
    const { names, notices } = await open(at, { tools: TOOLS }, "always");
    expect(names).toEqual(["mine", "tools"]);
    expect(notices).toMatchObject([/approved for this time only: .*damaged/]);
    expect(await readFile(join(at.home, STATE), "utf8")).toBe("damaged");
    expect((await open(at, { tools: TOOLS })).names).toEqual(["mine"]);
  });

  it("is asked about one at a time, and says what it goes without", async () => {
    let open1 = 0;
    let most = 0;
    const answer = async (): Promise<ApprovalAnswer> => {
      most = Math.max(most, (open1 += 1));
      await new Promise((resolve) => setTimeout(resolve, 1));
      open1 -= 1;
      return "once";
    };
    const wishes = { a: { ...TOOLS, pass_env: ["ABSENT"] }, b: TOOLS };
    const { names, notices } = await open(await place(), wishes, answer);
    expect({ names, most }).toEqual({ names: ["mine", "a", "b"], most: 1 });
    expect(notices).toEqual(["MCP server a: ABSENT is not set, so it goes without."]);
  });
});

describe("right before the start", () => {
  it.for(["once", "always"] as const)("%s holds only for what was shown", async (answer) => {
    const at = await place();
    const { recheck } = await started(await open(at, { tools: TOOLS }, answer));
    expect(await recheck()).toBeUndefined();
    await writeFile(join(at.root, "tools/server.js"), "evil()");
    expect(await recheck()).toContain("it changed since you approved it");
    await writeFile(join(at.root, "tools/server.js"), "serve()");
    expect(await recheck()).toBeUndefined();
  });

  it("holds no more what changed while the question was open", async () => {
    const at = await place();
    const opened = await open(at, { tools: TOOLS }, async () => {
      await writeFile(join(at.root, "tools/server.js"), "evil()");
      return "always";
    });
    expect(await (await started(opened)).recheck()).toContain("it changed");
    expect((await open(at, { tools: TOOLS })).names).toEqual(["mine"]);
  });

  it("holds no more what was taken back", async () => {
    const at = await place();
    const { recheck } = await started(await open(at, { tools: TOOLS }, "always"));
    await approvalsOf(at).forget("tools");
    expect(await recheck()).toContain("its approval was taken back");
  });
});
