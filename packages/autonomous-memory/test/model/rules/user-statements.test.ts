import { describe, expect, it } from "vitest";
import { classifyStatement, userSentences } from "../../../src/model/rules/user-statements.ts";

describe("userSentences", () => {
  it.for([
    ["two on a line", "Use pnpm. Never npm!", ["Use pnpm.", "Never npm!"]],
    ["one a line", "use pnpm\nnever npm", ["use pnpm", "never npm"]],
    [
      "one over two lines",
      "Always write the tests before the code that they are the tests\nof. Then commit.",
      ["Always write the tests before the code that they are the tests of.", "Then commit."],
    ],
    [
      "items of a list",
      "- one thing\n* two things\n3. three things",
      ["one thing", "two things", "three things"],
    ],
    ["abbreviations", "Use a map, e.g. for names. Done.", ["Use a map, e.g. for names.", "Done."]],
    [
      "code within a sentence",
      "Always run `pnpm -r exec tsc --noEmit`.",
      ["Always run `pnpm -r exec tsc --noEmit`."],
    ],
  ] as const)("finds %s", ([, text, sentences]) => {
    expect(userSentences(text)).toEqual(sentences);
  });

  it.for([
    ["a fence", "```\nAlways use npm.\n```"],
    ["a fence that does not end", "~~~\nAlways use npm."],
    ["code by its indent", "    Always use npm."],
    ["a quotation", "> Always use npm."],
    ["a line in quotes", '"Always use npm."'],
    ["a line in curly quotes", "“Always use npm.”"],
    ["a heading", "# Always use npm"],
    ["a table", "| Always | use npm |"],
    ["a log with times", "2026-11-02T10:00:00Z Always use npm."],
    ["a log with levels", "ERROR Always use npm."],
    ["a stack", "  at always (use/npm.js:1:2)"],
    ["an error", "TypeError: Always use npm."],
    ["a prompt of a shell", "$ always use npm"],
    ["a path", "/usr/lib/node_modules/npm/bin/npm-cli.js:12:34"],
  ] as const)("ignores %s", ([, text]) => {
    expect(userSentences(text)).toEqual([]);
    expect(userSentences(`Look:\n\n${text}`)).toEqual(["Look:"]);
  });

  it("reads both ends of a long text and ignores the pasted middle", () => {
    const pasted = Array.from(
      { length: 200 },
      (_, at) => `Pasted words number ${"x".repeat(at % 9)}`,
    );
    const sentences = userSentences(
      ["Always read this.", ...pasted, "Never forget it."].join("\n"),
    );
    expect(sentences[0]).toBe("Always read this.");
    expect(sentences.at(-1)).toBe("Never forget it.");
    expect(sentences).toHaveLength(40);
  });
});

const kindOf = (sentence: string): string =>
  classifyStatement(sentence, { isReply: true }) ?? "nothing";

describe("classifyStatement: rules", () => {
  it.for([
    "Remember that the staging database is shared.",
    "remember: we release on Tuesdays",
    "Please remember to run the formatter.",
    "Don't forget to bump the schema version.",
    "Keep in mind that CI has two cores.",
    "Always use pnpm here.",
    "always run the linter before you commit",
    "You should always ask before deleting files.",
    "Never push to main.",
    "Please never squash.",
    "And also, never edit generated files.",
    "I want you to never touch the lock file.",
    "When you write tests, always use vitest.",
    "We use pnpm, not npm.",
    "In this repo we use tabs.",
    "We don’t mock modules.",
    "We're using Node 24.",
    "We never rebase shared branches.",
    "Please don't add dependencies.",
    "Do not commit to main.",
    "Avoid default exports.",
    "I prefer small commits.",
    "I'd prefer named exports over default exports.",
    "Prefer composition over inheritance.",
    "From now on, write tests first.",
    "Use tabs from now on.",
    "Going forward, answer in German.",
    "Make sure the changelog is updated.",
    "Important: never log tokens.",
    "Merk dir: wir deployen nur dienstags.",
    "Bitte immer pnpm verwenden.",
    "Verwende nie npm in diesem Projekt.",
    "Wir verwenden Tabs.",
    "Ab jetzt bitte auf Deutsch antworten.",
    "Utilise toujours pnpm.",
    "N'utilise jamais npm.",
    "Nous utilisons Postgres 16.",
    "Désormais, réponds en français.",
    "Recuerda que usamos pnpm.",
    "Siempre usa pnpm.",
    "Nunca hagas push a main.",
    "A partir de ahora, responde en español.",
  ])("recognizes: %s", (sentence) => {
    expect(kindOf(sentence)).toBe("preference");
    expect(classifyStatement(sentence, { isReply: false })).toBe("preference");
  });
});

describe("classifyStatement: a no at the very beginning", () => {
  it.for([
    "no, don't use jest; we use vitest for tests",
    "No. We use pnpm.",
    "No, please always run the tests.",
    "Nein, wir verwenden Tabs.",
  ])("recognizes the rule after a no: %s", (sentence) => {
    expect(classifyStatement(sentence, { isReply: false })).toBe("preference");
    expect(kindOf(sentence)).toBe("correction");
  });

  it.for(["No, thanks.", "no, don't worry", "No, the other one."])("ignores: %s", (sentence) => {
    expect(classifyStatement(sentence, { isReply: false })).toBeUndefined();
  });
});

describe("classifyStatement: corrections", () => {
  it.for([
    "No, use the other table.",
    "no, it's in the src folder",
    "Nope, the port is 8080.",
    "That's wrong, the flag is called --force.",
    "That is not what I asked for.",
    "That’s not how we deploy.",
    "Actually, the limit is 100.",
    "I meant the second file.",
    "I said tabs.",
    "Use fetch instead.",
    "Please use the map instead of the list.",
    "Not the test file, but the fixture.",
    "Wrong: the config lives in .config.",
    "Nein, nimm die andere Datei.",
    "Das ist falsch, es heißt foo.",
    "Non, utilise l'autre table.",
    "No, usa la otra tabla.",
  ])("recognizes: %s", (sentence) => {
    expect(kindOf(sentence)).toBe("correction");
  });

  it.for(["Actually, the limit is 100.", "No, use the other table.", "I meant the second file."])(
    "treats it as a correction only in a reply: %s",
    (sentence) => {
      expect(classifyStatement(sentence, { isReply: false })).toBeUndefined();
    },
  );
});

describe("classifyStatement: anything else", () => {
  it.for([
    "Should we always use pnpm?",
    "Do we use pnpm?",
    "can you always run the tests",
    "Why do you never ask?",
    "Remember when it worked?",
    "Fix the parser.",
    "Add a test for the empty file.",
    "The tests always fail on CI.",
    "It never works.",
    "I never saw this error.",
    "Never mind.",
    "Never mind that one.",
    "Don't worry about it.",
    "Don't commit yet.",
    "We don't need this today.",
    "We don't know why it fails.",
    "No, thanks.",
    "No problem at all.",
    "no",
    "No.",
    "Actually, can you look at the logs",
    "Actually, let's stop here.",
    "Thanks, that works!",
    "ok",
    "Always.",
    "The README says to always use npm.",
    `Always ${"very ".repeat(80)}long.`,
    "Run the tests again.",
    "Continue.",
    "",
  ])("ignores %j", (sentence) => {
    expect(kindOf(sentence)).toBe("nothing");
  });
});
