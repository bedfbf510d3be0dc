import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionRecord } from "../../src/record/record.ts";
import type { SessionMessage } from "../../src/record/session-message.ts";
import { exportMarkdown } from "../../src/transcript/export-markdown.ts";
import { replay } from "../../src/transcript/replay.ts";
import { createTimeline } from "../../src/transcript/timeline.ts";

const AT = "2026-11-16T17:10:45.000Z";
const user = (text: string): SessionMessage => ({ role: "user", text });
const answer = (text: string): SessionMessage => ({
  role: "assistant",
  model: "a/b",
  parts: [{ type: "text", text }],
});

function message(number: number, said: SessionMessage): SessionRecord {
  return { type: "message", id: `m${number}`, at: AT, message: said };
}

function rewound(
  number: number,
  to: string,
  what: "conversation" | "files" | "both" = "both",
): SessionRecord {
  return { type: "rewound", id: `r${number}`, at: AT, to, what };
}

const TALK = [
  message(1, user("one")),
  message(2, answer("1")),
  message(3, user("two")),
  message(4, answer("2")),
];

function textsOf(records: readonly SessionRecord[]): readonly string[] {
  return replay({ records, diagnostics: [] }).messages.map((said) =>
    said.role === "user" ? said.text : said.role,
  );
}

describe("a session that was rewound", () => {
  it.each([
    { title: "to a message", more: [rewound(1, "m3")], expected: ["one", "assistant"] },
    { title: "to the first message", more: [rewound(1, "m1")], expected: [] },
    {
      title: "and continued",
      more: [rewound(1, "m3"), message(5, user("other"))],
      expected: ["one", "assistant", "other"],
    },
    {
      title: "and undone",
      more: [rewound(1, "m3"), message(5, user("other")), rewound(2, "r1")],
      expected: ["one", "assistant", "two", "assistant"],
    },
    {
      title: "and undone twice",
      more: [rewound(1, "m3"), message(5, user("other")), rewound(2, "r1"), rewound(3, "r2")],
      expected: ["one", "assistant", "other"],
    },
    {
      title: "in its files only",
      more: [rewound(1, "m1", "files")],
      expected: ["one", "assistant", "two", "assistant"],
    },
    {
      title: "to before a summary",
      more: [
        { type: "compacted", at: AT, messages: [user("summary")] } as const,
        message(5, user("three")),
        rewound(1, "m3"),
      ],
      expected: ["one", "assistant"],
    },
    {
      title: "to after a summary",
      more: [
        { type: "compacted", at: AT, messages: [user("summary")] } as const,
        message(5, user("three")),
        rewound(1, "m5"),
      ],
      expected: ["summary"],
    },
  ])("continues $title", ({ more, expected }) => {
    expect(textsOf([...TALK, ...more])).toEqual(expected);
  });

  it("keeps the whole conversation and reports it when the point cannot be read", () => {
    const { messages, diagnostics } = replay({
      records: [...TALK, rewound(1, "m9")],
      diagnostics: [],
    });
    expect(messages).toHaveLength(4);
    expect(diagnostics.map(({ code }) => code)).toEqual(["LOST_REWIND"]);
  });

  it("offers the messages of the current conversation, and all rewinds", () => {
    const timeline = createTimeline();
    for (const record of [...TALK, rewound(1, "m3"), message(5, user("other"))])
      timeline.add(record);
    expect(timeline.points().map(({ id, text }) => [id, text])).toEqual([
      ["m1", "one"],
      ["m5", "other"],
    ]);
    expect(timeline.rewinds()).toEqual([{ id: "r1", at: AT, text: "", what: "both" }]);
    expect(timeline.position()).toEqual({ messages: 5, userMessages: 5, rewinds: 1 });
    expect(timeline.before("m5")).toEqual([user("one"), answer("1")]);
    expect(timeline.before("m9")).toBeUndefined();
  });

  it("gives a call that a crash interrupted a result, also before a later message", () => {
    const call = { type: "tool-call", id: "c", name: "Read", input: {} } as const;
    const timeline = createTimeline();
    timeline.add(message(1, user("one")));
    timeline.add(message(2, { role: "assistant", model: "a/b", parts: [call] }));
    timeline.add(message(3, user("two")));
    expect(timeline.before("m3")?.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  it("an export keeps what was rewound, and says so", () => {
    const text = exportMarkdown([...TALK, rewound(1, "m3"), rewound(2, "m1", "files")]);
    expect(text).toContain("> two");
    expect(text).toContain("*The conversation and the files were rewound to the state before m3.*");
    expect(text).toContain("*The files were rewound to the state before m1.*");
  });

  it("knows the conversation at every point, whatever happened since", () => {
    const action = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("user", "answer") },
      { weight: 1, arbitrary: fc.constant("compact") },
      { weight: 2, arbitrary: fc.nat(9) },
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
        const timeline = createTimeline();
        const moments = new Map<string, readonly SessionMessage[]>();
        let now: readonly SessionMessage[] = [];
        let [messages, rewinds] = [0, 0];
        for (const each of actions) {
          if (each === "compact") {
            now = [user("summary")];
            timeline.add({ type: "compacted", at: AT, messages: now });
          } else if (typeof each === "string") {
            messages += 1;
            const said = each === "user" ? user(`u${messages}`) : answer(`a${messages}`);
            if (each === "user") moments.set(`m${messages}`, now);
            now = [...now, said];
            timeline.add(message(messages, said));
          } else {
            const ids = [...moments.keys()];
            const to = ids[each % Math.max(1, ids.length)];
            if (to === undefined) continue;
            rewinds += 1;
            moments.set(`r${rewinds}`, now);
            now = moments.get(to) ?? [];
            timeline.add(rewound(rewinds, to));
          }
        }
        expect(timeline.messages()).toEqual(now);
        for (const [id, expected] of moments) expect(timeline.before(id)).toEqual(expected);
      }),
    );
  });
});

describe("the last use of a tool", () => {
  it("includes what a subagent did, because it changes the same files", () => {
    const timeline = createTimeline();
    const wrote = (isError: boolean): SessionMessage => ({
      role: "tool",
      results: [{ id: "1", name: "Write", text: "", isError }],
    });
    const subagent = (isError: boolean): SessionRecord => ({
      type: "subagent",
      at: AT,
      agent: "x",
      number: 1,
      message: wrote(isError),
    });
    for (const record of [...TALK, subagent(true)]) timeline.add(record);
    expect(timeline.lastUseOf(new Set(["Write"]))).toBe(0);
    timeline.add(subagent(false));
    expect(timeline.lastUseOf(new Set(["Write"]))).toBe(4);
    expect(timeline.messages()).toHaveLength(4);
  });
});
