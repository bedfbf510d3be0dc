import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { hostSpellings } from "@caliban/common/http";

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** Whether a Host header names this server on this machine. */
export function isLoopbackHost(host: string, port: number): boolean {
  return hostSpellings(LOOPBACK_NAMES, { port, defaultPort: 80 }).includes(host.toLowerCase());
}

/** Whether a Host header has a name of the certificate. Its port may be another one, such as that of a container. */
export function createCertifiedHosts(certificate: string): (host: string) => boolean {
  const parsed = new X509Certificate(certificate);
  return (host) => {
    const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(host);
    const address = name?.[1] ?? name?.[2] ?? "";
    const found = isIP(address) === 0 ? parsed.checkHost(address) : parsed.checkIP(address);
    return found !== undefined;
  };
}
