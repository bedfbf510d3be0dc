import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOSENING_SETTINGS } from "../../../../test/attack/loosening-settings.ts";
import type { ParsedFile } from "../../src/file/parse-file.ts";
import { resolveSettings } from "../../src/resolve/resolve.ts";
import type { SettingKey, SettingValue, SettingValues } from "../../src/keys/setting-keys.ts";

type Given = Partial<SettingValues>;

const entries = (given: Given): [SettingKey, SettingValue][] =>
  Object.entries(given) as [SettingKey, SettingValue][];
const file = (path: string, given: Given): ParsedFile => ({
  path,
  text: "",
  values: new Map(entries(given).map(([key, value]) => [key, { value, segments: key.split(".") }])),
  errors: [],
  warnings: [],
});
const resolve = (layers: {
  env?: Given;
  user?: Given;
  project?: Given;
  local?: Given;
}): ReturnType<typeof resolveSettings> =>
  resolveSettings({
    environment: new Map(entries(layers.env ?? {})),
    user: layers.user && file("/user", layers.user),
    projects: [file("/project", layers.project ?? {}), file("/local", layers.local ?? {})],
  });

describe("resolveSettings", () => {
  it("resolveSettings returns every default with its origin", () => {
    const { values, effective, warnings } = resolve({});
    expect(values).toEqual({
      additional_directories: [],
      claude_md_excludes: [],
      hooks: {},
      "mcp.servers": {},
      "memory.auto": true,
      "memory.user": true,
      "memory.write": "auto",
      "memory.recall": "auto",
      "memory.store": "files",
      "memory.directory": undefined,
      "memory.postgres_url_variable": undefined,
      "memory.project": undefined,
      "memory.cap_tokens_auto": undefined,
      "memory.cap_tokens_claude_md": undefined,
      "memory.cap_tokens_combined": 32_000,
      "memory.team.enabled": true,
      "memory.team.auto": false,
      "memory.team.share": "ask",
      "memory.team.cap_tokens": 2_000,
      "memories.enabled": false,
      "memories.sources": ["caliban"],
      "memories.summary_injection_token_limit": 5000,
      "memories.max_rollout_age_days": 30,
      "memories.min_rollout_idle_hours": 12,
      "memories.max_rollouts_per_startup": 64,
      "memories.rollout_token_limit": 32_000,
      "memories.max_raw_memories": 200,
      "memories.daily_token_budget": 2_000_000,
      "memories.stage1_concurrency": 4,
      "memories.stage1_lease_seconds": 120,
      "memories.phase2_lease_seconds": 180,
      "memories.retry_delay_seconds": 120,
      "models.default": undefined,
      "models.smol": undefined,
      "models.context_window": undefined,
      "permissions.allow": [],
      "permissions.ask": [],
      "permissions.deny": [],
      "permissions.mode": "default",
      providers: {},
      "sandbox.mode": "auto",
      "sandbox.allowed_hosts": [],
      "sandbox.writable_paths": [],
      "sandbox.readable_paths": [],
      "ui.theme": "auto",
      "ui.notify": "auto",
    });
    expect(effective.every(({ origins }) => origins[0]?.source === "default")).toBe(true);
    expect(warnings).toEqual([]);
  });

  it.for([
    "memory.cap_tokens_auto",
    "memory.cap_tokens_claude_md",
    "memory.cap_tokens_combined",
  ] as const)("resolveSettings prefers the settings file to the variable for %s", (key) => {
    expect(resolve({ env: { [key]: 5 }, user: { [key]: 7 } }).values[key]).toBe(7);
    expect(resolve({ env: { [key]: 5 } }).values[key]).toBe(5);
  });

  it("resolveSettings prefers the variable to the settings file for the directory and for turning memory off", () => {
    const { values } = resolve({
      env: { "memory.directory": "/env", "memory.auto": false },
      user: { "memory.directory": "/user", "memory.auto": true },
    });
    expect(values).toMatchObject({ "memory.directory": "/env", "memory.auto": false });
  });

  it("resolveSettings lets a project turn team memory off, and never on", () => {
    const own = { "memory.team.auto": true, "memory.team.share": "type:project" };
    const off = {
      "memory.team.auto": false,
      "memory.team.share": "off",
      "memory.team.enabled": false,
    };
    expect(resolve({ user: own, project: off }).values).toMatchObject(off);
    const on = { "memory.team.auto": true, "memory.team.share": "type:reference" };
    const { values, warnings } = resolve({ project: on });
    expect(values).toMatchObject({ "memory.team.auto": false, "memory.team.share": "ask" });
    expect(warnings.map(({ code }) => code)).toEqual(["NOT_FOR_PROJECTS", "NOT_FOR_PROJECTS"]);
    const smaller = { "memory.team.cap_tokens": 100 };
    expect(resolve({ project: smaller }).values).toMatchObject(smaller);
    const larger = resolve({ project: { "memory.team.cap_tokens": 9_000 } });
    expect(larger.values["memory.team.cap_tokens"]).toBe(2_000);
  });

  it("resolveSettings appends lists and names all their origins", () => {
    const { effective } = resolve({
      env: { claude_md_excludes: ["e"] },
      user: { claude_md_excludes: ["u"] },
      project: { claude_md_excludes: ["p"] },
      local: { claude_md_excludes: ["l"] },
    });
    expect(effective.find(({ key }) => key === "claude_md_excludes")).toEqual({
      key: "claude_md_excludes",
      value: ["u", "e", "p", "l"],
      origins: [
        { source: "user", where: "/user" },
        { source: "environment", where: "CALIBAN_CLAUDE_MD_EXCLUDES" },
        { source: "project", where: "/project" },
        { source: "project", where: "/local" },
      ],
    });
  });
});

describe("a project file", () => {
  it.for(["permissions.ask", "permissions.deny"] as const)(
    "a project file can add to %s",
    (key) => {
      const { values, trusted, warnings } = resolve({
        user: { [key]: ["memory.write"] },
        project: { [key]: ["Bash(rm *)", "!x"] },
        local: { [key]: ["*"] },
      });
      expect(values[key]).toEqual(["memory.write", "Bash(rm *)", "!x", "*"]);
      expect(trusted[key]).toEqual(["memory.write"]);
      expect(warnings).toEqual([]);
    },
  );

  it.for([
    [{ "memory.auto": false }, "memory.auto", false],
    [{ "memory.cap_tokens_auto": 50 }, "memory.cap_tokens_auto", 50],
    [{ "memory.cap_tokens_auto": 500 }, "memory.cap_tokens_auto", 100],
    [{ "memory.cap_tokens_claude_md": 50 }, "memory.cap_tokens_claude_md", 50],
  ] as const)("a project file can tighten with %j", ([project, key, expected]) => {
    const { values, warnings } = resolve({ user: { "memory.cap_tokens_auto": 100 }, project });
    expect(values[key]).toBe(expected);
    expect(warnings).toEqual([]);
  });

  it("a project file can lower but not raise a cap that a variable sets", () => {
    const env = { "memory.cap_tokens_auto": 100 };
    expect(
      resolve({ env, project: { "memory.cap_tokens_auto": 200 } }).values["memory.cap_tokens_auto"],
    ).toBe(100);
    expect(
      resolve({ env, project: { "memory.cap_tokens_auto": 20 } }).values["memory.cap_tokens_auto"],
    ).toBe(20);
  });

  it.for(LOOSENING_SETTINGS)("a project file cannot set %j: %s", ([project, message]) => {
    const user = { "memory.auto": false, claude_md_excludes: ["CLAUDE.md"] };
    const { values, trusted, warnings } = resolve({ user, project });
    expect(values).toEqual(trusted);
    expect(warnings).toEqual([
      expect.objectContaining({
        code: "NOT_FOR_PROJECTS",
        path: "/project",
        message: expect.stringContaining(message),
      }),
    ]);
  });

  it("a project file can never loosen a setting", () => {
    const cap = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
    const pattern = fc.array(fc.constantFrom("a", "!a"), { maxLength: 2 });
    const rules = fc.option(fc.array(fc.constantFrom("a", "*"), { maxLength: 2 }), {
      nil: undefined,
    });
    const layer = fc
      .record({
        claude_md_excludes: fc.option(pattern, { nil: undefined }),
        "memory.auto": fc.option(fc.boolean(), { nil: undefined }),
        "memory.write": fc.constantFrom(undefined, "allow", "ask", "off"),
        "permissions.allow": rules,
        "permissions.ask": rules,
        "permissions.deny": rules,
        "memory.directory": fc.constantFrom(undefined, "/x"),
        "memory.cap_tokens_auto": cap,
        "memory.cap_tokens_claude_md": cap,
        "memory.cap_tokens_combined": cap,
      })
      .map(
        (given) =>
          Object.fromEntries(
            Object.entries(given).filter(([, value]) => value !== undefined),
          ) as Given,
      );
    fc.assert(
      fc.property(layer, layer, layer, layer, (env, user, project, local) => {
        const { values, trusted } = resolve({ env, user, project, local });
        expect(trusted).toEqual(resolve({ env, user }).values);
        expect(values["memory.directory"]).toBe(trusted["memory.directory"]);
        expect(values["memory.write"]).toBe(trusted["memory.write"]);
        expect(values["permissions.allow"]).toEqual(trusted["permissions.allow"]);
        for (const key of ["permissions.ask", "permissions.deny"] as const) {
          expect(values[key].slice(0, trusted[key].length)).toEqual(trusted[key]);
        }
        expect(values["memory.cap_tokens_combined"]).toBe(trusted["memory.cap_tokens_combined"]);
        expect(Number(values["memory.auto"])).toBeLessThanOrEqual(Number(trusted["memory.auto"]));
        for (const key of ["memory.cap_tokens_auto", "memory.cap_tokens_claude_md"] as const) {
          expect(values[key] ?? Infinity).toBeLessThanOrEqual(trusted[key] ?? Infinity);
        }
        const added = values.claude_md_excludes.slice(trusted.claude_md_excludes.length);
        expect(values.claude_md_excludes.slice(0, trusted.claude_md_excludes.length)).toEqual(
          trusted.claude_md_excludes,
        );
        expect(added.filter((item) => item.startsWith("!"))).toEqual([]);
      }),
    );
  });
});
