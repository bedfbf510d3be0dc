import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, type Script, startModelServer } from "../model-server/model-server.ts";
import { CORPUS_ROOT, type Corpus, filesBelow, movedTo, storedName } from "./copy-corpus.ts";
import { BODY, commandLine, EXIT_CODES, type RecordedCommand } from "./recorded-commands.ts";

/** The result of a command, with its JSON output parsed: one value, or one per line. */
export interface Observed {
  readonly command: string;
  readonly exitCode: number | null;
  readonly output: unknown;
}

/** Also returns the text files that the command changed: their new content, or the lines added to a log. */
/** The version that wrote the corpus kept nothing from coming back. */
const TOMBSTONES = "/forgotten.jsonl";

export async function observeChange(
  corpus: Corpus,
  command: RecordedCommand,
): Promise<Observed & { readonly files: Readonly<Record<string, unknown>> }> {
  const before = textFiles(corpus);
  const observed = await observe(corpus, command);
  const after = textFiles(corpus);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names
    .filter((name) => before.get(name) !== after.get(name) && !name.endsWith(TOMBSTONES))
    .toSorted();
  const files = changed.map((name) => [name, changeOf(name, before.get(name), after.get(name))]);
  return { ...observed, files: Object.fromEntries(files) };
}

function textFiles({ root }: Corpus): ReadonlyMap<string, string> {
  const names = filesBelow(root).filter((name) => !/\.(?:idx|sqlite(?:-\w+)?)$/.test(name));
  return new Map(
    names.map((name) => [
      storedName(movedTo(CORPUS_ROOT, name, root)),
      movedTo(CORPUS_ROOT, readFileSync(join(root, name), "utf8"), root),
    ]),
  );
}

function changeOf(name: string, before = "", after?: string): unknown {
  if (after === undefined) return null;
  // The offline rules write text about a session, which a later version may reword.
  if (name.includes("/generations/")) return "a file";
  // The index of a new project explains itself in a comment.
  if (!name.endsWith(".jsonl")) return after.replaceAll(/<!--[\s\S]*?-->/g, "<!-- comment -->");
  return linesOf(after.startsWith(before) ? after.slice(before.length) : after);
}

function linesOf(text: string): readonly unknown[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line): unknown => JSON.parse(line));
}

export async function observe({ run }: Corpus, command: RecordedCommand): Promise<Observed> {
  const { exitCode, stdout, stderr } = await run(command.args, command);
  const isLines = command.args.includes("-p");
  try {
    const output: unknown = isLines ? linesOf(stdout) : JSON.parse(stdout);
    return { command: commandLine(command), exitCode, output };
  } catch (error) {
    throw new Error(`${commandLine(command)} printed no JSON:\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

/** Returns the memory at the start of a prompt. */
export async function observePrefix({ run }: Corpus, command: RecordedCommand): Promise<string> {
  const { stdout, stderr } = await run(command.args, command);
  const end = stdout.indexOf(BODY);
  if (end === -1) throw new Error(`${commandLine(command)} printed no prompt:\n${stdout}${stderr}`);
  return stdout.slice(0, end);
}

export async function observeExitCodes(
  { run }: Corpus,
  commands: readonly RecordedCommand[] = EXIT_CODES,
): Promise<Record<string, number | null>> {
  const codes: Record<string, number | null> = {};
  const remaining = commands.values();
  // Several at a time, because none of them depends on another.
  const worker = async (): Promise<void> => {
    for (const command of remaining) {
      codes[commandLine(command)] = (await run(command.args, command)).exitCode;
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return codes;
}

/** Starts a scripted model as the provider `local` of the corpus. */
export async function startLocalModel({ home }: Corpus, script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  const path = join(home, ".config/caliban/settings.toml");
  const settings = readFileSync(path, "utf8");
  writeFileSync(
    path,
    settings.replace(/(?<=base_url = ")[^"]*/, server.baseUrl("chat-completions")),
  );
  return server;
}

/** Returns the tools as a provider receives them. */
export async function observeModelTools(corpus: Corpus): Promise<unknown> {
  const server = await startLocalModel(corpus, [{ text: "Hello." }]);
  try {
    await corpus.run(["-p", "hi", "--model", "local/m", "--no-save"]);
    const [request] = server.requests;
    if (request === undefined) throw new Error("The model was not asked");
    return (request.body as { readonly tools: unknown }).tools;
  } finally {
    await server.close();
  }
}

const METHODS = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];

/** Returns the answers of `caliban mcp`, by the method of the request. */
export async function observeMcpServer({ run }: Corpus): Promise<Record<string, unknown>> {
  const clientInfo = { name: "corpus", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const messages = [
    { id: "initialize", method: "initialize", params },
    { method: "notifications/initialized" },
    ...METHODS.map((method) => ({ id: method, method, params: {} })),
  ];
  const lines = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  const { stdout } = await run(["mcp"], { stdin: `${lines.join("\n")}\n` });
  const answers = linesOf(stdout) as readonly { readonly id?: string; readonly result?: unknown }[];
  return Object.fromEntries(
    METHODS.map((method) => [method, answers.find(({ id }) => id === method)?.result]),
  );
}
