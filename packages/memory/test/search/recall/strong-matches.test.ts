import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { strongMatches } from "../../../src/search/recall/strong-matches.ts";
import { createSearchIndex } from "../../../src/search/engine/search-index.ts";

/** Typical topics of a project: slug, description, text. */
const TOPICS: readonly (readonly [slug: string, description: string, body: string])[] = [
  ["deploy-checklist", "run migrations before flipping the feature flag", "Ask Ana on Fridays."],
  ["staging-database", "staging runs on postgres 18 at port 5433", "Reset it with make reset-db."],
  ["tests", "vitest, no mocks, real temp directories", "Fix flaky tests at once; never skip."],
  ["build", "turbo builds all packages; the cache is in .turbo", "Run it with pnpm build."],
  ["run-tests", "pnpm vitest run --project unit", "Use the filter for one package."],
  ["code-style", "no classes but errors, named exports only", "oxlint checks it."],
  ["kubernetes", "the cluster is k3s on three machines in the office", "Contexts: blue, green."],
  ["payment-retries", "stripe webhooks are retried with idempotency keys", "At most 5 times."],
  ["user-role", "data engineer who is new to TypeScript", "Explain types in passing."],
  ["feedback_testing", "integration tests hit a real database, never a mock", "Burned in Q3."],
  [
    "observability",
    "metrics exporter listens on port 9100",
    "Dashboards are in grafana, folder ops.",
  ],
  ["release-notes", "written by hand in the tone of the changelog", "One line a change."],
  ["parseTopicHeader", "why the header parser keeps comments", "People edit by hand."],
  ["auth", "sessions are cookies, tokens only for the public API", "Rotation every 30 days."],
  ["发布流程", "发布之前先运行数据库迁移", "周五不发布。"],
  ["デプロイ手順", "本番への反映は木曜日だけ", "朝にやる。"],
  ["ausrollen", "Auslieferung nur dienstags, vorher Datensicherung", "Wer: Jonas."],
  ["миграции", "миграции базы запускает только дежурный", "Смотри график."],
  ["api", "REST, versioned by header", "Errors are problem+json."],
  ["notes", "misc", "Things that fit nowhere."],
];

const index = createSearchIndex(
  TOPICS.map(([name, description, body]) => ({ id: name, name, description, body })),
);
const descriptions = new Map(TOPICS.map(([slug, description]) => [slug, description]));

function matches(message: string): readonly string[] {
  return strongMatches(message, (query) =>
    index
      .search(query, { kind: "topics", limit: 16 })
      .topics.map(({ id, coverage }) => ({ slug: id, coverage })),
  )
    .filter(({ slug, matchesDescription: holdsWith }) => holdsWith(descriptions.get(slug) ?? ""))
    .map(({ slug }) => slug);
}

const NAMED: readonly (readonly [message: string, slugs: readonly string[]])[] = [
  ["go through the deploy checklist with me", ["deploy-checklist"]],
  ["is deploy-checklist still right?", ["deploy-checklist"]],
  [
    "We deploy on Tuesday. Which points of our checklist for a deploy are open?",
    ["deploy-checklist"],
  ],
  ["connect to the staging database and count the users", ["staging-database"]],
  ["why does `staging_database` refuse connections", ["staging-database"]],
  ["run the tests", ["run-tests"]],
  ["please run tests for packages/memory", ["run-tests"]],
  ["what is our code style?", ["code-style"]],
  ["restart the Kubernetes pods", ["kubernetes"]],
  ["payment retries happen twice, find out why", ["payment-retries"]],
  ["have a look at retryPayment and payment retries", ["payment-retries"]],
  ["write the release notes", ["release-notes"]],
  ["where is parseTopicHeader called", ["parseTopicHeader"]],
  ["parse_topic_header throws", ["parseTopicHeader"]],
  ["fix auth in the public part", ["auth"]],
  ["请按照发布流程检查", ["发布流程"]],
  ["デプロイ手順を見せて", ["デプロイ手順"]],
  ["wie ausrollen wir das?", ["ausrollen"]],
  ["кто запускает миграции", ["миграции"]],
];

const ABOUT: readonly (readonly [message: string, slugs: readonly string[]])[] = [
  ["do stripe webhooks use idempotency keys?", ["payment-retries"]],
  ["what port does the metrics exporter listen on", ["observability"]],
  ["which postgres port on staging?", ["staging-database"]],
  ["what comes before flipping the migrations flag", ["deploy-checklist"]],
  ["how do I deploy?", ["deploy-checklist"]],
  ["deploy the app to production", ["deploy-checklist"]],
  ["Datensicherung vor der Auslieferung?", ["ausrollen"]],
];

const LOG = Array.from(
  { length: 40 },
  (_, at) =>
    `2026-11-16T23:11:${at} [deploy] ERROR kubernetes auth: staging database at 10.0.0.${at}`,
).join("\n");
const CODE = `const checklist = await deploy(kubernetes);
if (auth.release) {
    notes.push(stagingDatabase[5433]);
    payment.retries += 1;
}
return { code: style, build, tests };`;

const NOTHING: readonly string[] = [
  "",
  " ",
  "hi",
  "hello there",
  "thanks, that looks good",
  "continue",
  "go on",
  "yes",
  "ok do it",
  "try again",
  "fix the tests",
  "fix the build",
  "the tests fail",
  "why does the build fail in CI?",
  "add a test for this function",
  "the build is slow, and the tests are too",
  "refactor this file",
  "update the API docs",
  "add notes to the readme",
  "what does this project do?",
  "add a role field to the user table",
  "rename the variable and run it again",
  "sort them by role and by name of the user",
  "commit and push",
  "what did you change?",
  "make a checklist of what is left",
  "the style of the code in this page is wrong",
  "which database do you know best?",
  "release the lock before the notes are read",
  "is there a feature flag?",
  "tell me about yourself",
  "what is the weather in Paris",
  "你好",
  "继续",
  "修复测试",
  "运行一下测试",
  "テストを修正してください",
  "続けてください",
  "테스트를 수정해 주세요",
  "die Tests laufen nicht",
  "mach weiter",
  "corrige los tests",
  "corrige l'erreur dans ce fichier",
  "исправь ошибку в файле",
  "مرحبا",
  "👋",
  "\u0000\ud800",
  "a.*b(c|d)+ OR 1=1; DROP TABLE users; --",
  "```ts\nconst auth = kubernetes();\n```",
  CODE,
  LOG,
  `What is wrong here?\n\n${LOG}`,
  `${LOG}\n\nfix it`,
  `explain\n\`\`\`\n${CODE}\n\`\`\``,
];

describe("strongMatches", () => {
  it.for(NAMED)("finds that %j names %j", ([message, slugs]) => {
    expect(matches(message)).toEqual(expect.arrayContaining([...slugs]));
    expect(matches(message).slice(0, slugs.length)).toEqual(slugs);
  });

  it.for(ABOUT)("finds that %j is about %j", ([message, slugs]) => {
    expect(matches(message)).toEqual(slugs);
  });

  it.for(NOTHING)("finds no topic for %j", (message) => {
    expect(matches(message)).toEqual([]);
  });

  it("ignores words in pasted text", () => {
    const asked = `How is the release going?\n\n${LOG}\n\nCompare with the deploy checklist.`;
    expect(matches(asked)).toEqual(["deploy-checklist"]);
  });

  it("returns the most significant name first", () => {
    expect(matches("kubernetes needs the deploy checklist")).toEqual([
      "deploy-checklist",
      "kubernetes",
    ]);
  });

  it("ignores words that match many topics", () => {
    const many = createSearchIndex(
      Array.from({ length: 9 }, (_, at) => ({
        id: `invoice-${at}-tax`,
        name: `invoice-${at}-tax`,
      })),
    );
    const found = strongMatches("which invoices have tax", (query) =>
      many.search(query).topics.map(({ id, coverage }) => ({ slug: id, coverage })),
    );
    expect(found).toEqual([]);
  });

  it("ignores single words in a long message", () => {
    const birds =
      "heron ibis stork egret crane finch robin raven swift eagle falcon osprey pelican puffin gannet plover curlew dunlin linnet siskin bunting wagtail dipper nuthatch";
    const nest = createSearchIndex([{ id: "nest", name: "nest", description: birds }]);
    const slugsFor = (message: string): readonly string[] =>
      strongMatches(message, (query) =>
        nest.search(query).topics.map(({ id, coverage }) => ({ slug: id, coverage })),
      ).map(({ slug }) => slug);
    const some = birds.split(" ");
    expect(slugsFor(some.slice(0, 12).join(" "))).toEqual(["nest"]);
    expect(slugsFor(some.slice(0, 13).join(" "))).toEqual([]);
    expect(slugsFor(`${some.slice(0, 23).join(" ")} nest`)).toEqual(["nest"]);
    expect(slugsFor(`${some.join(" ")} nest`)).toEqual([]);
  });

  it("searches only the start and the end of a long message", () => {
    const asked: string[] = [];
    const log = (query: string): [] => {
      asked.push(query);
      return [];
    };
    for (const piece of ["staging ", "x", "数据库", "\ud800", "a_b.c/", "wort;\n", "`", "\n\n"]) {
      strongMatches(piece.repeat(1_000_000 / piece.length), log);
    }
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(2_100);
  });

  it("returns each topic once, and only topics that were found, for any message", () => {
    const words = fc.constantFrom(
      "deploy",
      "checklist",
      "the",
      "tests",
      "run",
      "auth",
      "staging-database",
      "kubernetes",
      "发布流程",
      ".",
      "\n",
      "```",
      "user role",
      "metrics exporter",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), (said) => {
        const found = matches(said.join(" "));
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((slug) => descriptions.has(slug))).toBe(true);
      }),
    );
  });
});
