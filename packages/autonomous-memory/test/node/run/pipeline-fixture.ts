import { join } from "node:path";
import type { SessionMessage } from "@caliban/sessions";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import type {
  Completion,
  CompletionModel,
  CompletionRequest,
} from "../../../src/model/completion.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import type { RunPipelineInput } from "../../../src/node/run/pipeline-run.ts";
import { runPipeline } from "../../../src/node/run/run-pipeline.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import type { PipelineEvent, PipelineReport } from "../../../src/run/pipeline-report.ts";
import type { SessionSource, SourceFile } from "../../../src/transcript/session-source.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../../src/run/settings.ts";
import { dueQuery } from "../../../src/store/due-query.ts";
import type { DueQuery, PipelineStore } from "../../../src/store/pipeline-store.ts";
import { extractId, mergeLines } from "./scripted-answers.ts";
import { type FakeClock, fakeClock } from "../../fake-clock.ts";

export const DAY_MS = 86_400_000;
export const NOW_MS: number = Date.parse("2026-11-16T12:00:00Z");

/** A session without a file. */
export interface FakeSession {
  readonly id: string;
  messages: readonly SessionMessage[];
  mtimeMs: number;
  isOptedOut?: boolean;
}

/** A session from yesterday with user messages. */
export function sessionWith(id: string, ...texts: readonly string[]): FakeSession {
  return {
    id,
    messages: texts.map((text) => ({ role: "user", text })),
    mtimeMs: NOW_MS - DAY_MS,
  };
}

/** A source of sessions without files, which a test may change between runs. */
export function fakeSource(sessions: FakeSession[]): SessionSource {
  const find = ({ path }: SourceFile): FakeSession | undefined =>
    sessions.find(({ id }) => path === `/sessions/${id}`);
  return {
    name: "caliban",
    forgetsRemoved: true,
    list: async () => ({
      files: sessions.map(({ id, mtimeMs, messages }) => ({
        path: `/sessions/${id}`,
        mtimeMs,
        size: JSON.stringify(messages).length,
      })),
      isComplete: true,
      notices: [],
    }),
    identify: async (file) => {
      const session = find(file);
      if (session === undefined) return { kind: "unreadable", message: "gone" };
      return { kind: session.isOptedOut === true ? "opted-out" : "session", id: session.id };
    },
    messages: async function* (file) {
      yield* find(file)?.messages ?? [];
    },
  };
}

type Script = (request: CompletionRequest) => string | Partial<Completion> | Promise<unknown>;

/** A model that answers by two functions, and records its requests. */
export interface ScriptedModel extends CompletionModel {
  readonly requests: CompletionRequest[];
  readonly asked: (kind: "extract" | "consolidate") => number;
}

export function scriptedModel(
  script: {
    readonly extract?: Script;
    readonly consolidate?: Script;
    readonly window?: number;
    readonly extractor?: CompletionModel["extractor"];
  } = {},
): ScriptedModel {
  const requests: CompletionRequest[] = [];
  return {
    requests,
    asked: (kind) => requests.filter(({ task }) => task.kind === kind).length,
    contextWindow: () => script.window ?? 200_000,
    extractor: script.extractor ?? { id: "model/1", replaces: ["rules/1"] },
    complete: async (request) => {
      requests.push(request);
      const { kind } = request.task;
      const respond =
        kind === "extract" ? (script.extract ?? extractId) : (script.consolidate ?? mergeLines);
      const answer = await respond(request);
      if (typeof answer === "string") return { text: answer };
      return { text: "", ...(answer as object) };
    },
  };
}

export interface PipelineFixture {
  readonly directory: string;
  readonly autonomous: string;
  readonly store: PipelineStore;
  readonly clock: FakeClock;
  readonly sessions: FakeSession[];
  readonly events: PipelineEvent[];
  readonly run: (
    model: CompletionModel,
    changes?: Partial<RunPipelineInput>,
  ) => Promise<PipelineReport>;
}

/** A project with real state and real files in a temporary directory. */
export async function createFixture(sessions: FakeSession[]): Promise<PipelineFixture> {
  const directory = await temporaryDirectory();
  const autonomous = join(directory, "autonomous");
  const store = await openPipelineStore({ path: join(directory, "memories.sqlite") });
  const clock = fakeClock(NOW_MS);
  const events: PipelineEvent[] = [];
  return {
    directory,
    autonomous,
    store,
    clock,
    sessions,
    events,
    run: async (model, changes = {}) =>
      await runPipeline({
        project: "project",
        trigger: "start",
        store,
        generations: createGenerations({ directory: autonomous }),
        sources: [fakeSource(sessions)],
        model,
        clock,
        settings: DEFAULT_PIPELINE_SETTINGS,
        running: [],
        worker: "test",
        onEvent: (event) => events.push(event),
        ...changes,
      }),
  };
}

/** The query for the due sessions of a fixture. */
export function queryOf({ clock }: PipelineFixture, { extractor }: CompletionModel): DueQuery {
  return dueQuery({
    project: "project",
    sources: ["caliban"],
    nowMs: clock.nowMs(),
    running: [],
    extractor,
    settings: DEFAULT_PIPELINE_SETTINGS,
  });
}
