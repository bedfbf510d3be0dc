import { symlinkSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { seenInMessages } from "@caliban/agent-core";
import {
  call,
  finish,
  type ScriptedAnswer,
  text,
} from "../../../../packages/agent-core/test/support/scripted-model.ts";
import type { Invocation } from "../../src/command.ts";
import { machine, type Machine } from "../fake-host.ts";
import { openScriptedConversation } from "./open-scripted-conversation.ts";

/** A PNG of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const DONE = [...text("Done."), finish()];

async function put(here: Machine, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(here.home, "app", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

interface OpenInput {
  readonly script?: readonly ScriptedAnswer[];
  readonly acceptsImages?: boolean;
  readonly permissions?: Partial<Invocation["permissions"]>;
}

async function open(
  here: Machine,
  { script = [DONE, DONE], acceptsImages = true, permissions }: OpenInput = {},
) {
  const flags = { permissions: { allow: [], ask: [], deny: [], ...permissions } };
  const opened = await openScriptedConversation(here, { script, acceptsImages, flags });
  onTestFinished(opened.conversation.close);
  const reported = (): readonly string[] =>
    opened.events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
  return { ...opened, reported };
}

const userParts = (prompt: readonly { readonly role: string; readonly content: unknown }[]) =>
  JSON.stringify(prompt.filter(({ role }) => role === "user").map(({ content }) => content));

describe("files after an @ in a message", () => {
  it("attaches files with line numbers, which can be edited without another Read", async () => {
    const here = await machine();
    await put(here, { "src/a.ts": "const a = 1;\nconst b = 2;\n", "my notes.md": "quoted\n" });
    const edit = { file_path: "src/a.ts", old_string: "a = 1", new_string: "a = 3" };
    const { conversation, requests, events } = await open(here, {
      script: [[call("c1", "Edit", edit), finish("tool-calls")], DONE],
      permissions: { allow: ["fs.write"] },
    });
    await conversation.send('look at @src/a.ts, and @"my notes.md"');
    const sent = userParts(requests[0]?.prompt ?? []);
    expect(sent).toContain(
      String.raw`<attached-file path=\"src/a.ts\" tool=\"Read\">\n1\tconst a = 1;\n2\tconst b = 2;\n</attached-file>`,
    );
    expect(sent).toContain(String.raw`<attached-file path=\"my notes.md\"`);
    const results = events.filter((event) => event.type === "tool-result");
    expect(results).toMatchObject([{ name: "Edit", isError: false }]);
    expect(conversation.messages()[0]).toMatchObject({
      attachments: [
        { path: "src/a.ts", size: "2 lines" },
        { path: "my notes.md", size: "1 line" },
      ],
    });
  });

  it("sends the same to the model after the session is resumed", async () => {
    const here = await machine();
    await put(here, { "a.md": "one\n", "logo.png": PNG });
    const first = await open(here);
    await first.conversation.send("see @a.md and @logo.png");
    await first.conversation.close();
    await put(here, { "a.md": "changed\n" });
    const second = await open(here);
    await second.conversation.resume(first.conversation.id());
    expect(second.conversation.messages()).toEqual(first.conversation.messages());
    await second.conversation.send("and?");
    const [before, after] = [first, second].map(({ requests }) => requests[0]?.prompt[1]);
    expect(after).toEqual(before);
    expect(JSON.stringify(after)).toContain(PNG.toString("base64"));
  });

  it("ignores words that are no paths, and reports quoted ones", async () => {
    const here = await machine();
    await put(here, { "dir/x.ts": "x\n" });
    const { conversation, reported } = await open(here);
    await conversation.send('mail me@example.org, use @Injectable or @types/node; see @"gone.ts"');
    expect(conversation.messages()[0]).not.toHaveProperty("attachments");
    expect(reported()).toEqual(["not attached: gone.ts: no such file"]);
  });

  it("attaches no files that only the input after a prompt names", async () => {
    const here = await machine();
    await put(here, { "a.ts": "a\n", "b.ts": "b\n" });
    const { conversation } = await open(here);
    await conversation.send("review @a.ts\n\n<stdin>\n+ see @b.ts\n</stdin>");
    expect(conversation.messages()[0]).toMatchObject({ attachments: [{ path: "a.ts" }] });
    expect(JSON.stringify(conversation.messages()[0])).not.toContain('"path":"b.ts"');
  });

  it("lists a directory, with the rules that its files have", async () => {
    const here = await machine();
    await put(here, { "dir/x.ts": "x\n", "dir/deep/y.ts": "y\n", "dir/secret.env": "KEY\n" });
    const { conversation } = await open(here, {
      permissions: { deny: ["fs.read(dir/secret.env)"] },
    });
    await conversation.send("what is in @dir/ ?");
    const [message] = conversation.messages();
    expect(message).toMatchObject({
      attachments: [{ path: "dir/", size: "2 files", tool: "Glob" }],
    });
    expect(JSON.stringify(message)).toContain("dir/deep/y.ts");
    expect(JSON.stringify(message)).not.toContain("secret.env");
  });

  it.each([
    ["@bin.dat", "not attached: bin.dat: not a UTF-8 text file"],
    ["@link", "not attached: link: outside the workspace. Add its directory with --add-dir"],
    [
      "@denied.txt",
      "not attached: denied.txt: Read was not run. The rule fs.read(denied.txt) (from --deny) denies it.",
    ],
  ])("does not attach %s, and says why", async (mention, expected) => {
    const here = await machine();
    await put(here, { "bin.dat": Buffer.from([1, 0, 2]), "denied.txt": "no\n" });
    await writeFile(join(here.home, "outside.txt"), "outside\n");
    symlinkSync(join(here.home, "outside.txt"), join(here.home, "app/link"));
    const { conversation, reported } = await open(here, {
      permissions: { deny: ["fs.read(denied.txt)"] },
    });
    await conversation.send(`read ${mention}`);
    expect(conversation.messages()[0]).not.toHaveProperty("attachments");
    expect(reported().join("\n")).toContain(expected);
  });

  it("cuts a long file at whole lines, says how many follow, and limits the total", async () => {
    const here = await machine();
    const line = `${"x".repeat(99)}\n`;
    const names = ["1", "2", "3", "4"].map((name) => `${name}.txt`);
    await put(here, Object.fromEntries(names.map((name) => [name, line.repeat(3_000)])));
    const { conversation, reported } = await open(here);
    await conversation.send(names.map((name) => `@${name}`).join(" "));
    const [message] = conversation.messages();
    const attachments = message?.role === "user" ? (message.attachments ?? []) : [];
    const texts = attachments.map((item) => (item.type === "text" ? item : undefined));
    const kept = Number(/^(\d+) of 3000 lines$/.exec(texts[0]?.size ?? "")?.[1]);
    expect(kept).toBeGreaterThan(300);
    expect(texts[0]?.text).toContain(
      `\n\n[${3_000 - kept} more lines follow: Read shows them from offset ${kept + 1}]`,
    );
    const total = texts.reduce((sum, item) => sum + (item?.text.length ?? 0), 0);
    expect(total).toBeLessThan(121_000);
    expect(reported().join("\n")).toContain("not attached: 4.txt:");
  });

  it("counts attached text as text of others, also after a resume", async () => {
    const here = await machine();
    await put(here, { "a.md": "Always deploy on Fridays.\n" });
    const { conversation } = await open(here);
    await conversation.send("see @a.md");
    const seen = seenInMessages(conversation.messages(), conversation.tools());
    expect(seen.userTexts).toEqual(["see @a.md"]);
    expect(seen.results).toMatchObject([
      { tool: "Read", permission: "fs.read", text: expect.stringContaining("Fridays") as string },
    ]);
  });
});

describe("images after an @ in a message", () => {
  it("sends no image to a model that accepts none, and keeps the message out of the conversation", async () => {
    const here = await machine();
    await put(here, { "logo.png": PNG });
    const { conversation, requests } = await open(here, { acceptsImages: false });
    expect(await conversation.send("see @logo.png")).toEqual({
      kind: "not-sent",
      message:
        "Not sent: test/scripted accepts no images. Remove logo.png from the message, or choose another model (see docs/providers.md).",
    });
    expect(requests).toEqual([]);
    expect(conversation.messages()).toEqual([]);
    expect(await conversation.send("then without")).toEqual({ kind: "done" });
  });

  it.each([
    ["broken.png", PNG.subarray(0, 40), "broken.png is a damaged PNG image"],
    ["text.png", Buffer.from("hello\n"), "text.png is not a PNG, JPEG, GIF or WebP image"],
    ["other.jpg", Buffer.from([0, 1, 2, 0]), "other.jpg is not a PNG, JPEG, GIF or WebP image"],
    ["huge.png", Buffer.concat([PNG, Buffer.alloc(4_000_000)]), "huge.png has 4.00 MB"],
  ])("keeps a message with %s from being sent", async (name, content, expected) => {
    const here = await machine();
    await put(here, { [name]: content });
    const { conversation, requests } = await open(here);
    const outcome = await conversation.send(`see @${name}`);
    expect(outcome).toMatchObject({
      kind: "not-sent",
      message: expect.stringContaining(expected) as string,
    });
    expect(requests).toEqual([]);
  });

  it("shows an image file to the model that reads it", async () => {
    const here = await machine();
    await put(here, { "logo.bin": PNG });
    const script = [[call("c1", "Read", { file_path: "logo.bin" }), finish("tool-calls")], DONE];
    const { conversation, requests } = await open(here, { script });
    await conversation.send("look at the logo");
    const sent = JSON.stringify(requests[1]?.prompt);
    expect(sent).toContain("logo.bin is a PNG image of 1 × 1 pixels.");
    expect(sent).toContain(PNG.toString("base64"));
  });
});
