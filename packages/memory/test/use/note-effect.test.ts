import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NoteEffect, noteEffect, type NoteStep } from "../../src/use/note-effect.ts";

const run = (command: string): NoteStep => ({ kind: "command", command });
const change = (before: string, after: string): NoteStep => ({ kind: "change", before, after });

interface Case {
  readonly note: string;
  readonly before?: readonly NoteStep[];
  readonly after: readonly NoteStep[];
  readonly effect: NoteEffect;
}

const DEPLOY = "Deploy with pnpm ship, never npm publish.";
const POOL = "The pool has max: 20 connections, not 50, because the proxy drops more.";
const CASES: readonly Case[] = [
  { note: DEPLOY, after: [run("pnpm ship --prod")], effect: "followed" },
  { note: DEPLOY, after: [run("cd app && NODE_ENV=x pnpm ship")], effect: "followed" },
  { note: DEPLOY, after: [run("npm publish")], effect: "ignored" },
  { note: DEPLOY, after: [run("npm publish"), run("pnpm ship")], effect: "followed" },
  { note: DEPLOY, after: [run("pnpm ship"), run("npm publish")], effect: "ignored" },
  { note: DEPLOY, before: [run("pnpm ship")], after: [run("pnpm ship")], effect: "unknown" },
  { note: DEPLOY, after: [run("pnpm test"), run("ls")], effect: "unknown" },
  { note: DEPLOY, after: [], effect: "unknown" },
  { note: POOL, after: [change("max: 10", "max: 20")], effect: "followed" },
  { note: POOL, after: [change("max: 10", "max: 50")], effect: "ignored" },
  { note: POOL, after: [change("max: 20", "max: 20, min: 1")], effect: "unknown" },
  { note: POOL, after: [change("max: 10", "max: 200")], effect: "unknown" },
  {
    note: "Use `formatDate` from src/time.ts.",
    after: [change("", "formatDate(now)")],
    effect: "followed",
  },
  {
    note: "moment.js is deprecated; use date-fns.",
    after: [change("", 'from "moment.js"')],
    effect: "ignored",
  },
  {
    note: "Decided on 2026-08-10: ask Ana first.",
    after: [change("", "2026-08-10")],
    effect: "unknown",
  },
  { note: "Names are in the plural.", after: [change("", "Names are plural")], effect: "unknown" },
];

describe("whether the next steps followed a note", () => {
  it.each(CASES)(
    "says $effect about $after after: $note",
    ({ note, before = [], after, effect }) => {
      expect(noteEffect({ text: note, before, after })).toBe(effect);
    },
  );

  it("says unknown about steps that share nothing with the note", () => {
    const step = fc.oneof(
      fc.constantFrom("ls", "git status", "").map(run),
      fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("a", "c")).map(([a, b]) => change(a, b)),
    );
    const steps = fc.array(step, { maxLength: 4 });
    fc.assert(
      fc.property(steps, steps, fc.constantFrom(DEPLOY, POOL), (before, after, text) => {
        expect(noteEffect({ text, before, after })).toBe("unknown");
      }),
    );
  });

  it("handles any text without failing", () => {
    const text = fc.string({
      maxLength: 30,
      unit: fc.constantFrom("`", "a", "1", ".", " ", "not ", "\n"),
    });
    fc.assert(
      fc.property(text, text, text, (note, before, after) => {
        const steps = [run(before), change(before, after)];
        expect(["followed", "ignored", "unknown"]).toContain(
          noteEffect({ text: note, before: steps, after: steps }),
        );
      }),
    );
  });
});
