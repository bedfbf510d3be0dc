import { describe, expect, it } from "vitest";
import { asksAboutPast } from "../../../src/search/analyzer/past-question.ts";

describe("asksAboutPast", () => {
  it.each([
    "what did we use before?",
    "what did we use before the migration?",
    "Which queue was used previously?",
    "the original timeout",
    "what was the timeout originally",
    "the port we used to have",
    "who fixed it last week",
    "two days ago",
    "deploy steps of 2025-03-01",
    "release day in March",
    "what happened on March 3rd",
    "3 May",
    "When did we switch to pnpm?",
    "Where did Ana travel?",
  ])("finds that %j asks about an earlier time or an event", (query) => {
    expect(asksAboutPast(query)).toBe(true);
  });

  it.each([
    "which port does the dev server use?",
    "run the tests before a release",
    "what may change at run time",
    "what did we decide about retries?",
    "what was the decision on logging",
    "how do we deploy",
    "port 2100",
    "",
  ])("finds that %j asks for the current state", (query) => {
    expect(asksAboutPast(query)).toBe(false);
  });
});
