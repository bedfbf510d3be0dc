import { join } from "node:path";
import type { SessionMessage } from "@caliban/sessions";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import type { Completion, CompletionModel, CompletionRequest } from "../../../src/completion.ts";
import { createGenerations } from "../../../src/node/generations/create-generations.ts";
import { runPipeline, type RunPipelineInput } from "../../../src/node/run/run-pipeline.ts";
import { openPipelineStore } from "../../../src/node/store/open-pipeline-store.ts";
import type { PipelineEvent, PipelineReport } from "../../../src/pipeline-report.ts";
import type { SessionSource, SourceFile } from "../../../src/session-source.ts";
import { DEFAULT_PIPELINE_SETTINGS } from "../../../src/settings.ts";
import { dueQuery } from "../../../src/store/due-query.ts";
import type { DueQuery, PipelineStore } from "../../../src/store/pipeline-store.ts";
import { learned, merged } from "./scripted-answers.ts";
import { type FakeClock, fakeClock } from "../../fake-clock.ts";

export const DAY_MS = 86_400_000;
export const NOW_MS: number = Date.parse("2026-11-16T12:00:00Z");

/** A session that is only in memory. */
export interface HeldSession {
  readonly id: string;
  messages: readonly SessionMessage[];
  mtimeMs: number;
  isOptedOut?: boolean;
}

/** A session of a day ago in which a person said something. */
export function said(id: string, ...texts: readonly string[]): HeldSession {
  return {
    id,
    messages: texts.map((text) => ({ role: "user", text })),
    mtimeMs: NOW_MS - DAY_MS,
  };
}

/** A source over sessions in memory, which a test may change between runs. */
export function heldSource(sessions: HeldSession[]): SessionSource {
  const find = ({ path }: SourceFile): HeldSession | undefined =>
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
      problems: [],
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

type Answerer = (request: CompletionRequest) => string | Partial<Completion> | Promise<unknown>;

/** A model that answers by two functions, and remembers what it was asked. */
export interface ScriptedModel extends CompletionModel {
  readonly requests: CompletionRequest[];
  readonly asked: (kind: "extract" | "consolidate") => number;
}

export function scriptedModel(
  script: {
    readonly extract?: Answerer;
    readonly consolidate?: Answerer;
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
      const answerer =
        kind === "extract" ? (script.extract ?? learned) : (script.consolidate ?? merged);
      const answer = await answerer(request);
      if (typeof answer === "string") return { text: answer };
      return { text: "", ...(answer as object) };
    },
  };
}

export interface PipelinePlace {
  readonly directory: string;
  readonly autonomous: string;
  readonly store: PipelineStore;
  readonly clock: FakeClock;
  readonly sessions: HeldSession[];
  readonly events: PipelineEvent[];
  readonly run: (
    model: CompletionModel,
    changes?: Partial<RunPipelineInput>,
  ) => Promise<PipelineReport>;
}

/** A project with real state and real files in a directory of its own. */
export async function pipelinePlace(sessions: HeldSession[]): Promise<PipelinePlace> {
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
        sources: [heldSource(sessions)],
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

/** What the store is asked about a place, by whoever looks. */
export function queryOf({ clock }: PipelinePlace, { extractor }: CompletionModel): DueQuery {
  return dueQuery({
    project: "project",
    sources: ["caliban"],
    nowMs: clock.nowMs(),
    running: [],
    extractor,
    settings: DEFAULT_PIPELINE_SETTINGS,
  });
}
