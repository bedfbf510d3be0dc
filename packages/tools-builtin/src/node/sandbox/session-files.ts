import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { realPathIfExists, statIfExists } from "@caliban/common/node";
import { seccompFilter } from "../../sandbox/seccomp-filter.ts";
import type { SandboxSettings } from "../tool-workspace.ts";

/** The files that the commands of a session share. */
export interface SessionFiles {
  /** Commands see it as their temporary directory. */
  readonly temporary: string;
  /** An empty file without permissions, which covers hidden files. */
  readonly unreadable: string;
  /** The filter for system calls. `undefined` if there is none for this processor. */
  readonly filter: string | undefined;
  /** Where the proxy listens. */
  readonly proxySocket: string;
}

/** Returns the files of a session, which are created with the first command. */
export function createSessionFiles({ temporaryDirectory }: SandboxSettings): () => SessionFiles {
  let created: SessionFiles | undefined;
  return () => {
    if (created !== undefined && statIfExists(created.temporary) !== undefined) return created;
    const directory = temporaryDirectory?.() ?? mkdtempSync(join(tmpdir(), "caliban-"));
    const real = realPathIfExists(directory) ?? directory;
    const filter = seccompFilter(arch());
    created = {
      filter: filter && join(real, "filter"),
      temporary: join(real, "tmp"),
      unreadable: join(real, "unreadable"),
      proxySocket: join(real, "proxy.sock"),
    };
    mkdirSync(created.temporary, { recursive: true, mode: 0o700 });
    if (statIfExists(created.unreadable) === undefined) {
      writeFileSync(created.unreadable, "", { mode: 0 });
    }
    if (filter !== undefined && created.filter !== undefined) writeFileSync(created.filter, filter);
    return created;
  };
}
