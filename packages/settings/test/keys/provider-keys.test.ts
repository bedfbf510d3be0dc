import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../src/resolve/read-environment.ts";
import { locateDiagnostics } from "../../src/file/locate-diagnostics.ts";
import { effectiveValue, resolveSettings } from "../../src/resolve/resolve.ts";
import { context, parse, patch, messageOf } from "../settings-text.ts";

const providers = (text: string): unknown => parse(text).values.get("providers")?.value;

const LOCAL = `# mine
[providers.local]
base_url = "http://localhost:8080/v1" # the box
apiKeyEnv = "LOCAL_KEY"

[providers.other-one]
api = "anthropic"
`;

describe("[providers.<name>]", () => {
  it("parses every provider by name, in snake_case and camelCase", () => {
    expect(providers(LOCAL)).toEqual({
      local: { base_url: "http://localhost:8080/v1", api_key_env: "LOCAL_KEY" },
      "other-one": { api: "anthropic" },
    });
    expect(providers("providers.a.context_window = 9000")).toEqual({ a: { context_window: 9000 } });
    expect(parse(LOCAL)).toMatchObject({ errors: [], warnings: [] });
  });

  it.for([
    ["base_url = 'localhost:8080'", "a URL like https://example.com/v1"],
    ["base_url = 'ftp://x/v1'", "a URL"],
    ["base_url = 'file:///etc/passwd'", "a URL"],
    ["base_url = 'https://me:word@x/v1'", "without user name"],
    ["base_url = 'https://@x/v1'", "without user name"],
    ["base_url = 'https://x/v1?key=1'", "without user name, query"],
    ["base_url = 'https://x/v1#a'", "fragment"],
    ["base_url = 3", "not 3."],
    ["api = 'gpt'", '"openai-compatible", "openai", "anthropic" or "google"'],
    ["context_window = 0", "a positive integer"],
  ] as const)("rejects a provider with %s", ([line, expected]) => {
    const { errors } = parse(`[providers.x]\n${line}`);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(expected);
    expect(errors[0]?.segments).toEqual(["providers", "x", line.split(" ")[0]]);
  });

  it.for([
    "api_key = 'hunter2secret'",
    "apiKey = 'hunter2secret'",
    "apikey = 'hunter2secret'",
    "key = 'hunter2secret'",
    "token = 'hunter2secret'",
    "api_key_env = 'hunter2-secret'",
    "api_key_env = 'AIzahunter2secret'",
  ])("rejects an API key in the file and does not repeat it: %s", (line) => {
    const { errors } = parse(`[providers.x]\n${line}`);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(/environment variable/);
    expect(JSON.stringify(errors)).not.toContain("hunter2");
    expect(parse(`[providers]\n${line}`).errors).toHaveLength(1);
    expect(JSON.stringify(parse(`[providers]\n${line}`).errors)).not.toContain("hunter2s");
  });

  it("rejects an API key one table too high with the same message", () => {
    const [problem] = parse("[providers]\napi_key = 'hunter2'").errors;
    expect(problem).toMatchObject({
      code: "KEY_IN_SETTINGS",
      message: expect.stringContaining("as in api_key_env"),
    });
  });

  it.for([
    ["[providers.'a/b']\napi = 'openai'", "lowercase"],
    ["[providers.Ab]\napi = 'openai'", "lowercase"],
    ["[providers.'a.b']\napi = 'openai'", "lowercase"],
    ["[providers.__proto__]\napi = 'openai'", "lowercase"],
    ["providers = 'x'", "must be a table of named tables"],
    ["[providers]\nlocal = 'x'", "providers.local is a table"],
    ["[providers.x]\nbase_url='https://x'\nbaseUrl='https://y'", "set twice"],
  ] as const)("rejects the provider settings %j", ([text, expected]) => {
    expect(parse(text).errors[0]?.message).toContain(expected);
  });

  it("reports an unknown provider key with its line and the key that was meant", async () => {
    const file = parse("[providers.x]\napi = 'openai'\nbase_ulr = 'https://x'\n");
    expect(await locateDiagnostics(file.warnings, [file])).toEqual([
      {
        code: "UNKNOWN_KEY",
        path: "/s.toml",
        line: 3,
        column: 1,
        message: "unknown setting providers.x.base_ulr. Did you mean base_url?",
      },
    ]);
  });

  it("effectiveValue reads one key of a provider", () => {
    const { effective } = resolveSettings({
      environment: new Map(),
      user: parse(LOCAL),
      projects: [],
    });
    expect(effectiveValue(effective, "providers.local.base_url")).toEqual({
      value: "http://localhost:8080/v1",
    });
    expect(effectiveValue(effective, "providers.local.apiKeyEnv")).toEqual({ value: "LOCAL_KEY" });
    expect(effectiveValue(effective, "providers.missing.base_url")).toEqual({ value: undefined });
    expect(effectiveValue(effective, "models.default")).toEqual({ value: undefined });
    expect(effectiveValue(effective, "providers")).toMatchObject({
      value: { local: { api_key_env: "LOCAL_KEY" } },
    });
    for (const key of ["providers.local", "providers.local.colour", "providers.a.b.c", "modles"]) {
      expect(effectiveValue(effective, key)).toMatchObject({ code: "UNKNOWN_KEY" });
    }
  });
});

describe("settings set providers.<name>.<key>", () => {
  it("settings set adds, changes and removes keys of providers and keeps the rest", () => {
    const url = "http://localhost:1/v1";
    expect(patch("", "providers.local.base_url", url)).toBe(
      `[providers.local]\nbase_url = "${url}"\n`,
    );
    expect(patch(LOCAL, "providers.local.baseUrl", url)).toBe(
      LOCAL.replace("http://localhost:8080/v1", url),
    );
    expect(patch(LOCAL, "providers.local.api_key_env", "OTHER")).toBe(
      LOCAL.replace("LOCAL_KEY", "OTHER"),
    );
    expect(patch(LOCAL, "providers.local.api_key_env")).toBe(
      LOCAL.replace('apiKeyEnv = "LOCAL_KEY"\n', ""),
    );
    expect(patch("providers = { a = { api = 'google' } }\n", "providers.a.api", "openai")).toBe(
      "providers = { a = { api = 'openai' } }\n",
    );
    expect(
      providers(patch("providers = { a = { api = 'google' } }\n", "providers.b.api", "openai")),
    ).toEqual({ a: { api: "google" }, b: { api: "openai" } });
    expect(providers(patch(LOCAL, "providers.new.context_window", "9000"))).toMatchObject({
      new: { context_window: 9000 },
      local: { api_key_env: "LOCAL_KEY" },
    });
  });

  it("settings set repairs the key that makes the file invalid, and no other", () => {
    const broken = "[providers.x]\nbase_url = 3\n";
    expect(patch(broken, "providers.x.base_url", "https://x")).toContain('base_url = "https://x"');
    expect(() => patch(broken, "providers.y.base_url", "https://x")).toThrow(/must be a URL/);
    expect(() => patch(broken, "memory.auto", "off")).toThrow(/must be a URL/);
  });

  it.for([
    ["providers.x.api_key", "hunter2", /environment variable/],
    ["providers.x.api_key_env", "hunter2-x", /environment variable/],
    ["providers.X.api", "openai", /lowercase/],
    ["providers.x.colour", "red", /Its keys are base_url/],
    ["providers.x", "red", /Name a key of one provider/],
    ["providers", "red", /Name a key of one provider/],
    ["providers.x.api", "gpt", /must be "openai-compatible"/],
  ] as const)("settings set rejects %s", ([key, word, expected]) => {
    const message = messageOf(key, word);
    expect(message).toMatch(expected);
    expect(message).not.toContain("hunter2");
  });
});

describe("models", () => {
  it.for(["anthropic/claude-x", "openrouter/meta/llama-4:free", "ollama/qwen3:8b", "a/b@c+d"])(
    "accepts the model name %s",
    (name) => {
      expect(parse(`[models]\ndefault = '${name}'\nsmol = '${name}'`)).toMatchObject({
        errors: [],
        warnings: [],
      });
      expect(readEnvironment({ CALIBAN_MODEL: name }, context).values.get("models.default")).toBe(
        name,
      );
    },
  );

  it.for(["sonnet", "/x", "x/", "A/b", "a/b c", "a/b\u001b"])(
    "rejects the model name %j",
    (name) => {
      expect(parse(`[models]\ndefault = ${JSON.stringify(name)}`).errors[0]?.message).toContain(
        'models.default must be a provider and a model, like "anthropic/',
      );
      expect(readEnvironment({ CALIBAN_MODEL: name }, context).problems).toMatchObject([
        { code: "BAD_VARIABLE", variable: "CALIBAN_MODEL" },
      ]);
    },
  );

  it("prefers CALIBAN_MODEL to the model in the file", () => {
    const { values } = resolveSettings({
      environment: new Map([["models.default", "a/env"]]),
      user: parse("[models]\ndefault = 'a/file'"),
      projects: [],
    });
    expect(values["models.default"]).toBe("a/env");
  });
});
