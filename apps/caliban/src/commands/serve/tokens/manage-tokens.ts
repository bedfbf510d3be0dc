import { randomBytes } from "node:crypto";
import { terminalSafeJson, terminalSafeLine, timeAgo } from "@caliban/common";
import { type CommandResult, type Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { abbreviatePath } from "../../user-paths.ts";
import { identifyStores } from "../served-stores.ts";
import { hashToken, openTokenFile, type TokenRecord } from "./token-file.ts";

/** `caliban serve token [add|list|remove] [NAME]`: who may use the served stores. */
export async function manageTokens(invocation: Invocation): Promise<CommandResult> {
  const [action = "list", name, ...more] = invocation.operands;
  if (more.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(more[0])}`);
  if (action === "list" && name === undefined) return listTokens(invocation);
  if (action === "add") return await addToken(invocation, requireName(action, name));
  if (action === "remove" || action === "rm")
    return await removeToken(invocation, requireName("remove", name));
  throw new UsageError(
    `unknown action ${JSON.stringify(action)}; use one of list, add NAME, remove NAME`,
  );
}

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const TOKEN_BYTES = 32;

function requireName(action: string, name: string | undefined): string {
  if (name === undefined) throw new UsageError(`${action} requires the name of a client`);
  if (NAME.test(name)) return name;
  throw new UsageError(
    `invalid name ${JSON.stringify(name)}: use up to 64 letters, digits, dots, hyphens and underscores`,
  );
}

async function addToken(invocation: Invocation, name: string): Promise<CommandResult> {
  const { host, options, json } = invocation;
  const [read, write] = [options["read"] === true, options["write"] === true];
  if (read === write) throw new UsageError("pass either --read or --write");
  const stores = await identifyStores(invocation);
  // The prefix says what it is where it is found by accident.
  const token = `caliban_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  const record: TokenRecord = {
    name,
    sha256: hashToken(token),
    stores,
    access: write ? "write" : "read",
    mayRedact: options["redact"] === true,
    createdAt: new Date(host.now()).toISOString(),
  };
  await openTokenFile(host).change((tokens) => {
    if (tokens.some((other) => other.name === name))
      throw new UsageError(
        `a token for ${name} exists; remove it first: caliban serve token remove ${name}`,
      );
    return [...tokens, record];
  });
  const shown = stores.map(({ id, path }) => `${abbreviatePath(host, path)} (${id})`).join(", ");
  const rest = withoutHash(record);
  return {
    stdout: json ? `${terminalSafeJson({ kind: "added", token, ...rest })}\n` : `${token}\n`,
    stderr: json ? [] : [`${name} may ${describeAccess(record)} ${shown}. ${SHOWN_ONCE}`],
    exitCode: EXIT.done,
  };
}

const SHOWN_ONCE = "The token is shown only this time";

function withoutHash({ sha256: _hash, ...rest }: TokenRecord): Omit<TokenRecord, "sha256"> {
  return rest;
}

function describeAccess({ access, mayRedact }: TokenRecord): string {
  const text = access === "write" ? "read and write" : "read";
  return mayRedact ? `${text}, and redact old versions of,` : text;
}

function listTokens({ host, json }: Invocation): CommandResult {
  const tokens = openTokenFile(host).read();
  if (json) {
    const shown = tokens.map(withoutHash);
    return {
      stdout: `${terminalSafeJson({ tokens: shown })}\n`,
      exitCode: EXIT.done,
    };
  }
  const rows = tokens.map((token) => [
    terminalSafeLine(token.name),
    `${token.access}${token.mayRedact ? ", redact" : ""}`,
    timeAgo(Date.parse(token.createdAt), host.now()),
    token.stores
      .map(({ id, path }) => `${terminalSafeLine(abbreviatePath(host, path))} ${id}`)
      .join(", "),
  ]);
  const stderr = rows.length === 0 ? [`no tokens; add one with: ${ADD_HINT}`] : [];
  return { stdout: renderNamedRows(rows, host).join(""), stderr, exitCode: EXIT.done };
}

export const ADD_HINT = "caliban serve token add NAME --read";

async function removeToken({ host, json }: Invocation, name: string): Promise<CommandResult> {
  let isFound = false;
  await openTokenFile(host).change((tokens) => {
    const left = tokens.filter((token) => token.name !== name);
    isFound = left.length < tokens.length;
    return left;
  });
  if (!isFound) {
    const stderr = [`no token for ${name}; list all with: caliban serve token`];
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  return {
    stdout: json
      ? `${terminalSafeJson({ kind: "removed", name })}\n`
      : `removed the token of ${name}; running servers refuse it from now on\n`,
    exitCode: EXIT.done,
  };
}
