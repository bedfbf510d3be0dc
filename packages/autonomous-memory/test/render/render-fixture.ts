import type { MemoryCommands } from "../../src/render/format.ts";
import type { DueCounts } from "../../src/store/pipeline-store.ts";

export const COMMANDS: MemoryCommands = {
  view: "mem view",
  stats: "mem stats",
  retry: "mem retry",
  clear: "mem clear",
  inbox: "mem inbox",
  exclude: "--private",
  recent: "--recent",
};

export const NO_SESSIONS: DueCounts = {
  due: 0,
  upToDate: 0,
  tooRecent: 0,
  tooOld: 0,
  optedOut: 0,
  cleared: 0,
  running: 0,
  waiting: 0,
  failed: 0,
};
