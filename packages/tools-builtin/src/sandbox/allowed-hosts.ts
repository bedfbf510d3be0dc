/** A host and port that a command wants to reach. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Web traffic. Other services of an allowed host stay out of reach. */
const PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Whether a command may connect to a host. An entry is a host (`registry.npmjs.org`), all hosts below a domain
 * (`*.npmjs.org`), or either with another port (`localhost:8080`).
 */
export function isAllowedHost({ host, port }: Endpoint, allowed: readonly string[]): boolean {
  const name = normalizeHost(host);
  return allowed.map(parseEntry).some((entry) => {
    const matchesPort = entry.port === undefined ? PORTS.has(port) : entry.port === port;
    return matchesPort && matchesHost(entry.host, name);
  });
}

/** Whether an entry names exactly this host, and not just a domain around it. */
export function isNamedHost(host: string, allowed: readonly string[]): boolean {
  return allowed.map(parseEntry).some((entry) => entry.host === normalizeHost(host));
}

// An IPv6 address has colons of its own, and brackets if a port follows.
const ENTRY = /^(\[.*\]|[^:]*|.*:.*:.*)(?::(\d+))?$/;

function parseEntry(entry: string): { readonly host: string; readonly port?: number } {
  const [, host = "", port] = ENTRY.exec(entry) ?? [];
  return port === undefined
    ? { host: normalizeHost(host) }
    : { host: normalizeHost(host), port: Number(port) };
}

// Not an address: the part after the percent sign of an IPv6 address can be any text, such as a domain.
const DOMAIN_NAME = /^[\w.-]+$/;

function matchesHost(pattern: string, name: string): boolean {
  if (pattern === "") return false;
  if (!pattern.startsWith("*.")) return pattern === name;
  if (!DOMAIN_NAME.test(name)) return false;
  return name.endsWith(pattern.slice(1)) && name.length >= pattern.length;
}

/** Without the dot at the end of a name, and without the brackets of an address. */
export function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}
