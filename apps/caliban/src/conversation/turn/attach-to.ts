import type { ImageAttachment } from "@caliban/agent-core";
import type { Attached } from "../attach/attach.ts";
import type { ConversationState } from "./state.ts";

interface AttachToInput {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly images: readonly ImageAttachment[] | undefined;
}

const NOTHING: Attached = { attachments: [], notices: [] };

/** Reads what a message names. Nothing is loaded for a message without an `@` and without images. */
export async function attachTo(
  { agent, model, runner }: ConversationState,
  { text, signal, images = [] }: AttachToInput,
): Promise<Attached> {
  if (!text.includes("@") && images.length === 0) return NOTHING;
  const { attach } = await import("../attach/attach.ts");
  const { startDirectory, root } = agent.project.workspace;
  return await attach({
    text,
    images,
    signal,
    acceptsImages: model.acceptsImages ?? true,
    modelName: model.modelName,
    directories: [startDirectory, root],
    runTool: runner.run,
  });
}
