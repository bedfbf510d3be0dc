import { isIP } from "node:net";
import { normalizeHost } from "../../sandbox/allowed-hosts.ts";
import { FileToolError } from "../file-tool-error.ts";
import { addressKind } from "../sandbox/address-kind.ts";
import { resolveBySystem } from "../sandbox/resolve-host.ts";
import type { WebAccess } from "../tool-workspace.ts";

/** Parses an address of the web. */
export function parseWebUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) {
    throw new FileToolError("BAD_URL", `${quoted(text)} is not a valid URL.`);
  }
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FileToolError(
      "BAD_URL",
      `WebFetch only fetches http and https, not ${quoted(url.protocol)}. Use Read for files.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new FileToolError(
      "BAD_URL",
      "The URL contains a user name or password, which would be sent. Remove it.",
    );
  }
  return url;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

/**
 * Returns the public addresses of a host. The caller connects to one of these, so that what a name server answers to
 * a second question does not matter.
 */
export async function publicAddresses(
  { hostname }: URL,
  { resolveHost = resolveBySystem }: WebAccess,
): Promise<readonly string[]> {
  const host = normalizeHost(hostname);
  const addresses = isIP(host) === 0 ? await resolveHost(host) : [host];
  if (addresses.length === 0) {
    throw new FileToolError("UNREACHABLE", `The host ${host} was not found. Check the URL.`);
  }
  const allowed = addresses.filter((address) => addressKind(address) === "public");
  if (allowed.length > 0) return allowed;
  throw new FileToolError(
    "PRIVATE_ADDRESS",
    `${host} is not on the public internet, and WebFetch reaches nothing else. For a server of this machine, use curl in Bash: the user is asked.`,
  );
}
