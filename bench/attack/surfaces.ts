import type { Surface } from "./surface.ts";
import { allowedOptions, hiddenCommands } from "./surfaces/allow-rules.ts";
import { damagedFiles } from "./surfaces/damaged-files.ts";
import { denySpellings } from "./surfaces/deny-rules.ts";
import { filePaths } from "./surfaces/file-paths.ts";
import { hostileClone } from "./surfaces/hostile-clone.ts";
import { hookFrames, instructionFrames, toolFrames } from "./surfaces/injection.ts";
import { mcpRequests } from "./surfaces/mcp-requests.ts";
import { memoryRules } from "./surfaces/memory-rules.ts";
import { repositoryCommands } from "./surfaces/repository-commands.ts";
import { sandboxEscapes } from "./surfaces/sandbox-escapes.ts";
import { secretWrites } from "./surfaces/secret-writes.ts";
import { topicNames } from "./surfaces/topic-names.ts";
import { wordsOfOthers } from "./surfaces/words-of-others.ts";

/** Every surface that is attacked. The table of a new one goes to `test/attack/`, so that the tests use it as well. */
export const SURFACES: readonly Surface[] = [
  topicNames,
  filePaths,
  secretWrites,
  instructionFrames,
  toolFrames,
  hookFrames,
  wordsOfOthers,
  hiddenCommands,
  allowedOptions,
  denySpellings,
  memoryRules,
  sandboxEscapes,
  hostileClone,
  repositoryCommands,
  mcpRequests,
  damagedFiles,
];
