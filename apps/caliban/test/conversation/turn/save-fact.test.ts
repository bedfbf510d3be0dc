import { describe, expect, it } from "vitest";
import { machine } from "../../fake-host.ts";
import { openTestConversation } from "../open-test-conversation.ts";

const TOKEN = ["ghp", "R8s2vQ1mZx7Kd3Lw9Tn5Yb4Hc6Jf0Pg2Ua1E"].join("_");

describe("saving a fact without a model", () => {
  it("saves the user's words for the project, adds to the topic, and says so", async () => {
    const place = await machine();
    const { conversation, events } = await openTestConversation(place);
    const first = await conversation.remember("we deploy with pnpm ship");
    expect(first.isSaved).toBe(true);
    expect(first.message.message).toMatch(/we deploy with pnpm ship[^]*saved as deploy-pnpm-ship;/);
    const { stdout } = await place.caliban("memory", "show", "deploy-pnpm-ship", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ body: "we deploy with pnpm ship" });
    const log = await place.caliban("memory", "log", "--json");
    expect(log.stdout).toContain('"origin": "user"');
    const again = await conversation.remember("we deploy with pnpm ship");
    expect(again.message.message).toContain("I knew that already");
    // Nothing was sent to the model.
    expect(events).toEqual([]);
    expect(conversation.messages()).toEqual([]);
  });

  it("saves for every project what the user says is for every project", async () => {
    const place = await machine();
    const { conversation } = await openTestConversation(place);
    const { message } = await conversation.remember("I prefer tabs in every project");
    expect(message.message).toContain("for every project");
    expect((await place.caliban("memory", "list", "--user")).stdout).toContain("tabs");
  });

  it("refuses a secret", async () => {
    const place = await machine();
    const { conversation } = await openTestConversation(place);
    const { isSaved, message } = await conversation.remember(`the token is ${TOKEN}`);
    expect(isSaved).toBe(false);
    expect(message.message).not.toContain(TOKEN);
    expect((await place.caliban("memory", "list")).stdout).toMatch(/^no topics yet/);
  });

  it("puts it into the inbox for a user who reviews every change, and saves in plan mode", async () => {
    const place = await machine({ ".config/caliban/settings.toml": '[memory]\nwrite = "inbox"\n' });
    const { conversation } = await openTestConversation(place);
    conversation.useMode("plan");
    const { isSaved, message } = await conversation.remember("we deploy with pnpm ship");
    expect(isSaved).toBe(true);
    expect(message.message).toContain("once you accept it");
    expect((await place.caliban("memory", "inbox")).stdout).toContain("deploy-pnpm-ship");
  });

  it.each([
    ["--no-memory", {}, { memory: false }],
    ["memory.write", { ".config/caliban/settings.toml": '[memory]\nwrite = "off"\n' }, {}],
    ["a rule", { ".config/caliban/settings.toml": '[permissions]\ndeny = ["memory.write"]\n' }, {}],
  ])("saves nothing when %s turns memory off", async (_reason, files, options) => {
    const place = await machine(files);
    const { conversation } = await openTestConversation(place, {
      flags: options,
    });
    const { isSaved, message } = await conversation.remember("we deploy with pnpm ship");
    expect({ isSaved, text: message.message }).toEqual({
      isSaved: false,
      text: expect.stringContaining("nothing was saved: memory is off here"),
    });
  });
});
