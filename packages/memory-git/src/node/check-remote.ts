import { isAbsolute } from "node:path";
import { TeamError } from "../errors.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
// As in git: user@host:path, where nothing before the colon has a slash.
const SCP_FORM = /^(?:[\w.+-]+@)?[\w.-]+:(?!\/\/|:)\S+$/;

/**
 * Checks the address of a remote and returns it.
 * @throws TeamError `INVALID_REMOTE`
 */
export function checkRemote(text: string): string {
  const remote = text.trim();
  const problem = findProblem(remote);
  if (problem === undefined) return remote;
  throw new TeamError("INVALID_REMOTE", `invalid remote: ${problem}`);
}

function findProblem(remote: string): string | undefined {
  if (remote === "") return "it is empty";
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(remote)) return "it contains control characters";
  if (remote.startsWith("-")) return "it starts with a hyphen";
  if (isAbsolute(remote)) return undefined;
  if (/^[\w+.-]*::/.test(remote)) return "git remote helpers such as ext:: are not used";
  if (remote.includes("://")) return findUrlProblem(remote);
  if (SCP_FORM.test(remote)) return undefined;
  return "use an https or ssh URL, git@host:path, or an absolute path";
}

function findUrlProblem(remote: string): string | undefined {
  const url = URL.parse(remote);
  if (url === null) return "it is not a valid URL";
  if (url.password !== "" || (url.protocol === "https:" && url.username !== "")) {
    return "it contains a user or a password; leave them out, and git asks your credential helper";
  }
  if ([url.hostname, decodeURIComponent(url.username)].some((part) => part.startsWith("-"))) {
    return "its host or user starts with a hyphen";
  }
  if (["https:", "ssh:", "file:"].includes(url.protocol)) return undefined;
  if (!["http:", "git:"].includes(url.protocol)) {
    return `${JSON.stringify(url.protocol.slice(0, -1))} is not supported; use https or ssh`;
  }
  if (LOOPBACK.test(url.hostname)) return undefined;
  return `${url.protocol}// sends memory unencrypted; use https or ssh`;
}
