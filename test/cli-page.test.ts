import { expect, it } from "vitest";
import type { StreamLine } from "../apps/caliban/src/commands/chat/headless/output/json.ts";
import { HEADLESS_SECTION } from "../scripts/docs/headless-section.ts";

/** The compiler reports a missing kind. */
const KINDS: Readonly<Record<StreamLine["type"], true>> = {
  init: true,
  "step-start": true,
  "text-delta": true,
  "reasoning-delta": true,
  "tool-call": true,
  "tool-result": true,
  message: true,
  usage: true,
  retry: true,
  notice: true,
  compacted: true,
  "input-error": true,
  result: true,
};

it("shows a line of every kind that a stream can have, and no other", () => {
  const blocks = HEADLESS_SECTION.matchAll(/```jsonl\n(.*?)```/gs);
  const lines = [...blocks].flatMap(([, block = ""]) => block.trimEnd().split("\n"));
  const shown = new Set(lines.map((line) => (JSON.parse(line) as { type: string }).type));
  expect([...shown].toSorted()).toEqual([...Object.keys(KINDS), "user"].toSorted());
});
