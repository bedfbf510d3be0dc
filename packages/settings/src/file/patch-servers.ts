import { isRecord } from "@caliban/common";
import { parse, patch } from "@decimalturn/toml-patch";
import { parse as parseToml, TomlError } from "smol-toml";
import { checkTables } from "../check/check-tables.ts";
import type { CheckContext } from "../check/check-value.ts";
import { type SettingsDiagnostic, SettingsError } from "../diagnostic.ts";
import { type ServerSettings, SERVERS } from "../keys/server-keys.ts";
import { type ParsedFile, parseSettingsFile } from "./parse-file.ts";

export interface PatchServersInput {
  readonly file: ParsedFile;
  readonly name: string;
  readonly context: CheckContext;
}

/** The text with one more server. `warnings` are what settings would warn about, such as a token in an argument. */
export interface AddedServer {
  readonly text: string;
  readonly warnings: readonly SettingsDiagnostic[];
}

/**
 * Appends a table `[mcp.servers.<name>]`; everything else in the file stays as written.
 * @throws SettingsError when the name is taken, or when the name, a value or the file is invalid
 */
export function addServer(
  input: PatchServersInput & { readonly server: ServerSettings },
): AddedServer {
  const { file, name, server, context } = input;
  const { path } = file;
  const checked = checkTables(SERVERS, { [name]: given(server) }, { ...context, path });
  if (checked.errors.length > 0) throw new SettingsError(checked.errors.map(asTyped));
  if (file.errors.length > 0) throw new SettingsError(file.errors);
  if (Object.hasOwn(serversOf(file.text), name)) {
    const message = `mcp.servers.${name} is already in this file. Remove it first, or choose another name.`;
    throw new SettingsError([{ code: "GIVEN_TWICE", path, message }]);
  }
  const text = appended(file.text, name, server) ?? assigned(file, { name, server });
  assertOthersUnchanged(input, text);
  return { text, warnings: checked.warnings.map(asTyped) };
}

/** The text without a server, and what the server was; `undefined` when the file has none of this name. */
export interface RemovedServer {
  readonly text: string;
  readonly server: Readonly<Record<string, unknown>>;
}

/**
 * Removes a table `[mcp.servers.<name>]`, valid or not; everything else in the file stays as written.
 * @throws SettingsError when another part of the file is invalid
 */
export function removeServer(input: PatchServersInput): RemovedServer | undefined {
  const { file, name } = input;
  const own = ["mcp", "servers", name].join("\0");
  const others = file.errors.filter(({ segments = [] }) => segments.slice(0, 3).join("\0") !== own);
  if (others.length > 0) throw new SettingsError(others);
  const servers = serversOf(file.text);
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (!isRecord(server)) return undefined;
  const text = assigned(file, { name, server: undefined });
  assertOthersUnchanged(input, text);
  return { text, server };
}

/** A table as a user would write it. */
export function renderServer(name: string, server: object): string {
  const lines = Object.entries(server).flatMap(([key, value]: [string, unknown]) =>
    value === undefined ? [] : [`${key} = ${inlineValue(value)}`],
  );
  return [`[mcp.servers.${name}]`, ...lines].map((line) => `${line}\n`).join("");
}

/** JSON and TOML spell texts, numbers, switches and lists of them alike. */
function inlineValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineValue).join(", ")}]`;
  if (typeof value === "bigint") return String(value);
  if (!isRecord(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${key} = ${JSON.stringify(item)}`);
  return `{ ${pairs.join(", ")} }`;
}

/** Where the problem is in a file that was not written does not help. */
function asTyped({ code, message }: SettingsDiagnostic): SettingsDiagnostic {
  return { code, message };
}

/** What the file would contain. The checks expect the integers of a file. */
function given(server: ServerSettings): object {
  return Object.fromEntries(
    Object.entries(server).flatMap(([key, value]: [string, unknown]) =>
      value === undefined ? [] : [[key, typeof value === "number" ? BigInt(value) : value]],
    ),
  );
}

function serversOf(text: string): Readonly<Record<string, unknown>> {
  const { mcp } = parseToml(text, { integersAsBigInt: true });
  const servers = isRecord(mcp) ? mcp["servers"] : undefined;
  return isRecord(servers) ? servers : {};
}

/** `undefined` where a header is not allowed, as after an inline table. */
function appended(text: string, name: string, server: ServerSettings): string | undefined {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const end = text === "" || text.endsWith("\n") ? "" : lineEnd;
  const above = text.trim() === "" ? text : `${text}${end}${lineEnd}`;
  const whole = above + renderServer(name, server).replaceAll("\n", lineEnd);
  try {
    parseToml(whole);
    return whole;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return undefined;
  }
}

/** Sets a server, or removes it, wherever the file has its servers. */
function assigned(
  file: ParsedFile,
  { name, server }: { readonly name: string; readonly server: ServerSettings | undefined },
): string {
  try {
    const document: unknown = parse(file.text);
    const mcp: unknown = isRecord(document) ? document["mcp"] : undefined;
    const servers: unknown = isRecord(mcp) ? mcp["servers"] : undefined;
    if (!isRecord(servers)) throw new TypeError("the file has no table of servers");
    if (server === undefined) Reflect.deleteProperty(servers, name);
    else Reflect.set(servers, name, server);
    return patch(file.text, document);
  } catch (cause) {
    const message = "caliban cannot edit a file written like this. Edit it by hand.";
    throw new SettingsError([{ code: "FILE_UNWRITABLE", path: file.path, message }], { cause });
  }
}

/** Reads the new text back first, because losing another value would be worse than not editing at all. */
function assertOthersUnchanged({ file, name, context }: PatchServersInput, text: string): void {
  const after = parseSettingsFile({ path: file.path, text }, context);
  if (after.errors.length > 0) throw new SettingsError(after.errors);
  if (otherValues(file.text, name) === otherValues(text, name)) return;
  throw new Error(
    `editing mcp.servers.${name} would have changed other settings; nothing was written`,
  );
}

/** Everything in a file except one server, as a text to compare. */
function otherValues(text: string, name: string): string {
  const { mcp, ...others } = parseToml(text, { integersAsBigInt: true });
  const { servers, ...ofMcp } = isRecord(mcp) ? mcp : { servers: undefined };
  const kept = Object.entries(isRecord(servers) ? servers : {}).filter(([each]) => each !== name);
  return JSON.stringify([others, ofMcp, kept], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
