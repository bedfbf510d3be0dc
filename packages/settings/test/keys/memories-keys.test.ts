import { describe, expect, it } from "vitest";
import { unknownKeyMessage } from "../../src/keys/key-spelling.ts";
import { MEMORIES_KEYS } from "../../src/keys/memories-keys.ts";
import { parseSettingsFile } from "../../src/file/parse-file.ts";
import { patchSettings } from "../../src/file/patch-settings.ts";
import { pipelineSettings } from "../../src/pipeline-settings.ts";
import { resolveSettings, type ResolvedSettings } from "../../src/resolve/resolve.ts";
import { SETTING_KEY_NAMES } from "../../src/keys/setting-keys.ts";

const context = { style: "posix", home: "/home/me" } as const;
const parse = (text: string, path = "/s.toml"): ReturnType<typeof parseSettingsFile> =>
  parseSettingsFile({ path, text }, context);
const resolve = (user: string, project = ""): ResolvedSettings =>
  resolveSettings({
    environment: new Map(),
    user: parse(user, "/user"),
    projects: [parse(project, "/project")],
  });
const set = (text: string, key: string, ...args: readonly string[]): string =>
  patchSettings({ file: parse(text), edit: { action: "set", key, args }, context }).text;

const KEYS = SETTING_KEY_NAMES.filter((key) => key.startsWith("memories."));

describe("[memories]", () => {
  it("learning is off by default and has the documented defaults", () => {
    expect(pipelineSettings(resolve("").values)).toEqual({
      enabled: false,
      sources: ["caliban"],
      summaryInjectionTokenLimit: 5000,
      maxRolloutAgeDays: 30,
      minRolloutIdleHours: 12,
      maxRolloutsPerStartup: 64,
      stage1Concurrency: 4,
      stage1LeaseSeconds: 120,
      phase2LeaseSeconds: 180,
      retryDelaySeconds: 120,
      maxRawMemories: 200,
      rolloutTokenLimit: 32_000,
      dailyTokenBudget: 2_000_000,
    });
  });

  it("pipelineSettings passes on every memories key, in snake_case and camelCase", () => {
    const numbers = KEYS.filter((key) => !/enabled|sources/.test(key)).map(
      (key, index) => [key, 200 + index] as const,
    );
    // A concurrency of 200 would be too high.
    const given = numbers.map(
      ([key, value]) => [key, key.includes("concurrency") ? 7 : value] as const,
    );
    const snake = given.map(([key, value]) => `${key} = ${value}`).join("\n");
    const camel = snake.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    expect(camel).toContain("memories.stage1Concurrency = 7");
    expect(camel).toContain("memories.phase2LeaseSeconds = ");
    expect(resolve(camel).warnings).toEqual([]);
    const settings = pipelineSettings(resolve(camel).values);
    expect(settings).toEqual(pipelineSettings(resolve(snake).values));
    const reached = Object.entries(settings).map(
      ([name, value]) => [`memories.${snakeCase(name)}`, value] as const,
    );
    expect(new Map(reached)).toEqual(
      new Map<unknown, unknown>([
        ["memories.enabled", false],
        ["memories.sources", ["caliban"]],
        ...given,
      ]),
    );
  });

  it.for([
    ["sources = ['claude']", ["claude"]],
    ["sources = ['codex', 'caliban', 'codex']", ["caliban", "codex"]],
    ["sources = ['caliban', 'claude', 'codex']", ["caliban", "claude", "codex"]],
  ] as const)("replaces the default sources by %s without duplicates", ([line, expected]) => {
    const { values, warnings } = resolve(`[memories]\n${line}\n`);
    expect(values["memories.sources"]).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  it.for([
    [
      "sources = ['claud']",
      'must be a list of one or more of "caliban", "claude", "codex", not the string "claud" (did you mean "claude"?).',
    ],
    ["sources = ['vim']", 'not the string "vim".'],
    ["sources = ['caliban', 1]", "not 1."],
    ["sources = []", "not an empty list."],
    ["sources = 'claude'", 'not the string "claude".'],
    ["enabled = 'yes'", "must be true or false"],
    ["stage1_concurrency = 65", "must be an integer from 1 to 64, not 65."],
    ["stage1_concurrency = 0", "must be an integer from 1 to 64, not 0."],
    ["stage1_concurrency = 1.0", "must be an integer from 1 to 64"],
    ["stage1_lease_seconds = 9", "must be an integer from 10 to 86400, not 9."],
    ["phase2_lease_seconds = 86401", "must be an integer from 10 to 86400, not 86401."],
    ["daily_token_budget = -1", "must be an integer from 0 to"],
    ["min_rollout_idle_hours = -1", "must be an integer from 0 to 36500, not -1."],
    ["max_rollout_age_days = 0", "must be an integer from 1 to 36500, not 0."],
    ["max_rollouts_per_startup = 99999999999999999999", "from 1 to 10000"],
  ] as const)("rejects the memories setting %s", ([line, message]) => {
    const { errors } = parse(`[memories]\n${line}\n`);
    expect(errors).toEqual([
      expect.objectContaining({
        code: "WRONG_TYPE",
        message: expect.stringContaining(message),
        segments: ["memories", line.split(" ")[0]],
      }),
    ]);
  });

  it("accepts 0 for an idle time and a budget", () => {
    const text = "[memories]\nmin_rollout_idle_hours = 0\ndaily_token_budget = 0\n";
    expect(resolve(text).values).toMatchObject({
      "memories.min_rollout_idle_hours": 0,
      "memories.daily_token_budget": 0,
    });
  });

  it("every memories default is within its own range", () => {
    const text = Object.entries(MEMORIES_KEYS).map(
      ([key, row]) => `${key} = ${JSON.stringify(row.default)}`,
    );
    expect(parse(text.join("\n"))).toMatchObject({ errors: [], warnings: [] });
  });

  it("ignores every memories key in a project file", () => {
    const text = Object.entries(MEMORIES_KEYS).map(([key, row]) =>
      row.kind === "switch" ? `${key} = true` : `${key} = ${JSON.stringify(row.default)}`,
    );
    const { values, trusted, warnings } = resolve("", text.join("\n"));
    expect(values).toEqual(trusted);
    expect(warnings).toHaveLength(KEYS.length);
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(["NOT_FOR_PROJECTS"]));
    expect(warnings[0]?.message).toBe(
      "memories.enabled is ignored in a project file: only your own settings can set it.",
    );
  });

  it.for([
    ["memories.maxRolloutAgeDay", "Did you mean memories.max_rollout_age_days?"],
    ["memories.generate_memories", "Did you mean memories.enabled?"],
    ["memories.useMemories", "Did you mean memories.enabled?"],
    ["generateMemories", "Did you mean memories.enabled?"],
    ["use_memories", "Did you mean memories.enabled?"],
    ["maxRolloutAgeDays", "Did you mean memories.max_rollout_age_days?"],
    ["memories.stage_1_concurrency", "Did you mean memories.stage1_concurrency?"],
    ["memory.enabled", "Did you mean memory.auto?"],
    [
      "memories",
      "memories is a table of settings. Name one of its keys, such as memories.enabled.",
    ],
  ] as const)("explains the unknown key %s: %s", ([key, hint]) => {
    expect(unknownKeyMessage(key).message).toContain(hint);
  });
});

describe("settings set", () => {
  it.for([
    ["memories.enabled", ["on"], "[memories]\nenabled = true\n"],
    ["memories.sources", ["caliban", "codex"], '[memories]\nsources = [ "caliban", "codex" ]\n'],
    [
      "memories.sources",
      ['["caliban", "codex"]'],
      '[memories]\nsources = [ "caliban", "codex" ]\n',
    ],
    ["memories.stage1Concurrency", ["2"], "[memories]\nstage1_concurrency = 2\n"],
    ["memories.dailyTokenBudget", ["0"], "[memories]\ndaily_token_budget = 0\n"],
  ] as const)("settings set writes %s = %j", ([key, words, expected]) => {
    expect(set("", key, ...words)).toBe(expected);
  });

  it.for([
    ["memories.sources", ["caliban", "claud"], 'not the string "claud" (did you mean "claude"?).'],
    ["memories.sources", ["[caliban]"], "each as a separate argument, not"],
    ["memories.sources", ['["caliban", 1]'], "each as a separate argument, not"],
    ["memories.stage1_concurrency", ["65"], 'must be an integer from 1 to 64, not "65".'],
    ["memories.stage1_concurrency", ["2", "3"], "must be one value"],
    ["memories.stage1_concurrency", ["two"], 'not "two".'],
    ["memories.stage1_concurrency", ["-1"], 'not "-1".'],
    ["memories.daily_token_budget", ["9".repeat(400)], "must be an integer from 0 to"],
  ] as const)("settings set rejects %s = %j", ([key, words, message]) => {
    expect(() => set("", key, ...words)).toThrowError(
      expect.objectContaining({ code: "WRONG_TYPE", message: expect.stringContaining(message) }),
    );
  });
});

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
