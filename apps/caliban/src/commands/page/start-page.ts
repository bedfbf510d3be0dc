import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import { loadClient, openBrowser, servePage, writeRedirectFile } from "@caliban/page/node";
import type { Invocation } from "../../command.ts";
import { describeError } from "./describe-error.ts";
import { openPageProjects } from "./projects.ts";

export interface StartPageInput {
  /** 0 picks a free port. */
  readonly port: number;
  readonly opensBrowser: boolean;
  /** Every project of the user, instead of one. */
  readonly isAll?: boolean;
  readonly report: (line: string) => void;
  readonly idleMs?: number;
}

/** A page that is being served. */
export interface StartedPage {
  /** Without the token. */
  readonly url: string;
  /** The address with the token, if the user must open it; `undefined` if the browser did. */
  readonly address: string | undefined;
  readonly idle: Promise<void>;
  readonly close: () => Promise<void>;
}

const IDLE_MS = 3_600_000;

/**
 * Serves the page of a project, and opens it in the browser.
 * @throws PageError for a port that is not available
 */
export async function startPage(
  invocation: Invocation,
  { port, opensBrowser, report, isAll = false, idleMs = IDLE_MS }: StartPageInput,
): Promise<StartedPage> {
  const client = await loadClient();
  let onChange: (() => void) | undefined;
  const projects = await openPageProjects(invocation, {
    isAll,
    report,
    onChange: () => onChange?.(),
  });
  const served = await servePage({
    projects,
    client,
    port,
    idleMs,
    describeError: (error) => describeError(error, invocation.host),
    report,
  }).catch((error: unknown) => {
    projects.close();
    throw error;
  });
  onChange = served.changed;
  const address = `${served.url}#token=${served.token}`;
  const opened = opensBrowser ? await open(invocation, address) : undefined;
  return {
    url: served.url,
    address: opened === undefined ? address : undefined,
    idle: served.idle,
    close: async () => {
      projects.close();
      await opened?.remove();
      await served.close();
    },
  };
}

/** Opens an address without naming it in the arguments of a process, which every user of the machine can read. */
async function open(
  { host }: Invocation,
  address: string,
): Promise<{ readonly remove: () => Promise<void> } | undefined> {
  const { state } = userDirectories(host);
  if (state === undefined) return undefined;
  const file = await writeRedirectFile(join(state, "page"), address);
  const { platform, env } = host;
  if (await openBrowser({ platform, env, path: file.path })) return file;
  await file.remove();
  return undefined;
}
