import { command, withCommands } from "@caliban/common";
import {
  createTopicStore,
  isMemoryError,
  lazyTopicStore,
  MemoryError,
  type TopicBackend,
} from "@caliban/memory";
import { findSecrets, sharedProjectNames } from "@caliban/memory/node";
import type { Project } from "./project.ts";
import type { ProjectTopics } from "./topics.ts";

type DatabaseProject = Pick<Project, "host" | "environment" | "workspace" | "settings">;

/** A server that is farther away than this is too slow for every message. */
const CONNECT_TIMEOUT_MS = 2_000;
/** Less than the limit of the store, whose message says less. */
const STATEMENT_TIMEOUT_MS = 8_000;

/** The topics of a project in PostgreSQL. The first use finds out which project it is, and connects. */
export function openPostgresTopics(
  project: DatabaseProject,
): Pick<ProjectTopics, "store" | "database"> {
  let opening: Promise<OpenPostgres> | undefined;
  const open = (): Promise<OpenPostgres> =>
    (opening ??= openPostgresBackend(project).catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  return {
    store: lazyTopicStore(async () =>
      createTopicStore({ backend: (await open()).backend, findSecrets }),
    ),
    database: {
      projectName: async () => (await open()).projectName,
      history: async (request) => await (await open()).backend.history(request),
      watch: async (onChange) => {
        const { watch } = (await open()).backend;
        return (await watch?.(onChange)) ?? (async () => undefined);
      },
    },
  };
}

/** The part of the database that belongs to a project. */
export interface OpenPostgres {
  readonly backend: TopicBackend;
  readonly projectName: string;
}

/**
 * Finds out which project it is, and connects if that depends on what the database has.
 * @throws MemoryError `INVALID_SETTINGS` or `UNKNOWN_PROJECT`
 */
export async function openPostgresBackend(project: DatabaseProject): Promise<OpenPostgres> {
  const { host, environment, workspace, settings } = project;
  const url = postgresUrl(project);
  const names = await sharedProjectNames({
    ...environment,
    workspace,
    project: settings.trusted["memory.project"],
  });
  const [{ createPostgresBackend }, { createPool }] = await Promise.all([
    import("@caliban/memory-postgres"),
    import("./postgres-pool.ts"),
  ]);
  const { pool, stop } = createPool(url, CONNECT_TIMEOUT_MS);
  host.onEnd(stop);
  const openProject = (projectName: string): OpenPostgres => {
    const backend = createPostgresBackend({
      pool,
      project: projectName,
      scope: "project",
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    return { backend: explainErrors(backend), projectName };
  };
  const [best, ...others] = names;
  const first = openProject(best);
  if (others.length === 0 || (await hasMemory(first))) return first;
  for (const other of others.map(openProject)) if (await hasMemory(other)) return other;
  return first;
}

async function hasMemory({ backend }: OpenPostgres): Promise<boolean> {
  if ((await backend.list({ limit: 1 })).entries.length > 0) return true;
  return (await backend.history({ limit: 1 })).changes.length > 0;
}

/** Creates the tables, or brings them up to date. */
export async function migratePostgres(project: DatabaseProject): Promise<void> {
  const url = postgresUrl(project);
  const { migrate } = await import("@caliban/memory-postgres");
  await migrate({ url });
}

/**
 * The URL of the server, from the variable that the user's settings name.
 * @throws MemoryError `INVALID_SETTINGS`, which never contains the URL
 */
function postgresUrl({ environment, settings }: DatabaseProject): string {
  const variable = settings.trusted["memory.postgres_url_variable"];
  if (variable === undefined) {
    throw new MemoryError(
      "INVALID_SETTINGS",
      withCommands`PostgreSQL needs the name of the variable with its URL. Set it with: ${command("settings set memory.postgres_url_variable DATABASE_URL")}`,
    );
  }
  const url = environment.env[variable]?.trim() ?? "";
  if (/^postgres(?:ql)?:\/\//.test(url)) return url;
  const problem = url === "" ? "is not set" : "does not contain a URL";
  throw new MemoryError(
    "INVALID_SETTINGS",
    `the variable ${variable} ${problem}. Set it to postgres://USER:PASSWORD@HOST/DATABASE`,
  );
}

/** Adds the command that creates or updates the tables to errors about them. */
function explainErrors(backend: TopicBackend): TopicBackend {
  const { watch } = backend;
  return {
    list: (request) => explain(backend.list(request)),
    read: (names) => explain(backend.read(names)),
    commit: (request) => explain(backend.commit(request)),
    history: (request) => explain(backend.history(request)),
    ...(watch === undefined ? {} : { watch: (onChange) => explain(watch(onChange)) }),
  };
}

async function explain<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (!isMemoryError(error) || error.code !== "STORE_INCOMPATIBLE") throw error;
    const message = withCommands`the tables in PostgreSQL are missing, or of another version. Create or update them with: ${command("memory migrate")}`;
    throw new MemoryError("STORE_INCOMPATIBLE", message, { cause: error });
  }
}
