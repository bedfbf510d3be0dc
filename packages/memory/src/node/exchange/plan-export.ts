import type { Diagnostic } from "@caliban/common";
import { realPathIfExists } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { createMemoryJson, type MemoryJson } from "../../exchange/memory-json.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import { findSecretsLazily } from "../find-secrets.ts";
import type { OpenedTopicStore } from "../open-topic-store.ts";
import { claudeMemoryDirectory } from "../project/claude-directory.ts";
import { sha256Hex } from "../sha256-hex.ts";
import { readStoreFiles, type StoreFiles } from "../../store/stored-files.ts";
import { renderAgentsMd, type UpdatedAgentsMd, updateAgentsMd } from "./export/agents-md.ts";
import { type DirectoryExport, planDirectoryExport } from "./export/directory.ts";
import { toExportFiles } from "./export/export-file.ts";
import { packTar } from "./export/tar.ts";

interface ExportedTopics extends Pick<
  OpenedTopicStore,
  "environment" | "projectPath" | "workspaceRoot"
> {
  readonly store: Pick<TopicStore, "list" | "read" | "readMany" | "storedIndex" | "log">;
  /** The directory of the topics, if they are in files. */
  readonly directory?: string | undefined;
}

/** The files of a store, ready to be exported in one of several formats. */
export interface ExportPlan {
  readonly isEmpty: boolean;
  /** About files that cannot be read. They are left out. */
  readonly problems: StoreFiles["problems"];
  /** What looks like a secret: the kind, the file and the line, never the value. */
  readonly secrets: readonly Diagnostic<"SECRET">[];
  /** The directory of Claude Code for this project; `undefined` when no home directory is known. */
  readonly claudeDirectory: string | undefined;
  /** The topics as Markdown that other agents read. */
  readonly toAgentsMd: () => string;
  /**
   * Writes the topics into a document, between two marker lines. The rest of the document is kept. A link in the
   * workspace that leads out of it is refused.
   */
  readonly updateAgentsMd: (file: string) => Promise<UpdatedAgentsMd>;
  /** Everything with its provenance, for other programs. `planImport` reads it back from a `.json` file. */
  readonly toJson: (nowMs?: number) => Promise<MemoryJson>;
  /** A tar archive. The same memory results in the same bytes. */
  readonly toTar: () => Promise<Uint8Array>;
  /**
   * Plans to copy the files, unchanged, into a directory: the layout of caliban and Claude Code. `undefined` for the
   * directory that they are in. Nothing is written before `write` is called. Files are refused if a link in the workspace
   * leads out of it, unless the directory is Claude Code's.
   */
  readonly toDirectory: (
    directory: string,
    options?: { readonly replace?: boolean },
  ) => DirectoryExport | undefined;
}

/**
 * Reads all topics and the index, for other agents and programs. Nothing is written.
 *
 * @example
 * import { planExport } from "@caliban/memory/exchange";
 * import { openTopicStore } from "@caliban/memory/node";
 *
 * const topics = await openTopicStore({ workspace: process.cwd(), env: { HOME: process.cwd() } });
 * const plan = await planExport(topics);
 * if (plan.secrets.length === 0) console.log(plan.toAgentsMd());
 */
export async function planExport(topics: ExportedTopics): Promise<ExportPlan> {
  checkArguments("planExport", topics, { store: "object", environment: "object" });
  const { store, directory, environment, projectPath, workspaceRoot } = topics;
  const claudeDirectory = claudeMemoryDirectory(environment, projectPath);
  const files = await readStoreFiles(store);
  return {
    isEmpty: files.topics.length === 0 && files.index === null,
    problems: files.problems,
    secrets: await findSecrets(files),
    claudeDirectory,
    toAgentsMd: () => renderAgentsMd(files),
    updateAgentsMd: async (file) => await updateAgentsMd({ file, files, workspaceRoot }),
    // oxlint-disable-next-line no-restricted-properties -- the default of an argument
    toJson: async (nowMs = Date.now()) => {
      const changes = await store.log();
      return createMemoryJson({ files, changes, projectPath, nowMs }, sha256Hex);
    },
    toTar: async () => await packTar(files),
    toDirectory: (target, { replace = false } = {}) =>
      directory !== undefined && realPathIfExists(target) === realPathIfExists(directory)
        ? undefined
        : planDirectoryExport({
            directory: target,
            files,
            replace,
            workspaceRoot: target === claudeDirectory ? undefined : workspaceRoot,
          }),
  };
}

async function findSecrets(files: StoreFiles): Promise<readonly Diagnostic<"SECRET">[]> {
  const found = await Promise.all(
    toExportFiles(files).map(async ({ name, text }) =>
      (await findSecretsLazily(text)).map(({ kind, line }) => ({
        code: "SECRET" as const,
        path: name,
        line,
        message: `looks like a secret: ${kind}`,
      })),
    ),
  );
  return found.flat();
}
