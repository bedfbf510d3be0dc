import type { PipelineThread } from "@caliban/autonomous-memory/node";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";

export interface BackgroundInput {
  readonly invocation: Invocation;
  readonly conversation: Pick<Conversation, "id" | "startServers">;
  readonly say: (line: string) => void;
}

/** Starts the MCP servers and learns from past sessions, once, after the first answer. */
export function createSessionBackground({ invocation, conversation, say }: BackgroundInput): {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
} {
  let started: Promise<PipelineThread | undefined> | undefined;
  let isStopped = false;
  const report = (line: string): void => {
    if (!isStopped) say(line);
  };
  const learn = async (): Promise<PipelineThread | undefined> => {
    const { startTeamMemory } = await import("../../../team-background/team-background.ts");
    void startTeamMemory({ invocation, say: report }).catch(() => undefined);
    const { startPipeline } = await import("../../../pipeline/start-pipeline.ts");
    const sessionId = conversation.id();
    return await startPipeline({ invocation, sessionId, say: ({ text }) => report(text) });
  };
  return {
    start: () => {
      if (started !== undefined || isStopped) return;
      conversation.startServers(report);
      started = learn();
      started.catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        report(`memory: cannot read past sessions: ${reason}`);
      });
    },
    stop: async () => {
      isStopped = true;
      const worker = await started?.catch(() => undefined);
      await worker?.stop();
    },
  };
}
