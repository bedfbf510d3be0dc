import { learn } from "./learned-memory.ts";
import type { TestHome } from "./run-caliban.ts";
import { writeFiles } from "./write-files.ts";

const TOPICS: readonly (readonly string[])[] = [
  [
    "rollback",
    "project",
    "Roll back with pnpm ship --previous; migrations only go forward",
    "Takes a minute. See [[deploy]].",
  ],
  [
    "smoke-tests",
    "reference",
    "Smoke tests run against staging with a seeded database",
    "They take ten minutes. See [[deploy]].",
  ],
  [
    "error-messages",
    "feedback",
    "Error messages quote the value and name the remedy last",
    "As in git.",
  ],
  [
    "flaky-upload-test",
    "project",
    "upload.test.ts fails when two workers share a bucket",
    "Run it alone.",
  ],
  [
    "release-checklist",
    "project",
    "What to check before a release is tagged",
    "[[smoke-tests]], [[old-notes]]",
  ],
];

const DEPLOY = `We deploy with **pnpm ship**, see [[ports]].

1. \`pnpm ship --env staging\`
2. Smoke tests, see [[smoke-tests]]
3. \`pnpm ship --env production\`, or [[rollback]]

> Never on Fridays.
`;

/** Adds what makes a picture worth looking at: more topics, learned memory and its cost, and uses. */
export async function enrichForPictures(user: TestHome): Promise<void> {
  const write = async (...args: readonly string[]): Promise<unknown> =>
    await user.run(["memory", "write", ...args]);
  for (const [name = "", type = "", description = "", text = ""] of TOPICS)
    await write(name, "--type", type, "--description", description, "--text", text);
  const description = "We deploy with pnpm ship, after the smoke tests";
  await write("deploy", "--replace", "--description", description, "--text", DEPLOY);
  const lines = [
    "- Use pnpm.",
    "- The API listens on 8080.",
    "- Ask before force pushes.",
    "- Announce deploys.",
  ];
  const days = Array.from({ length: 24 }, (_, at) => lines.slice(0, 1 + (at % lines.length)));
  await learn(
    user,
    days.map((each) => `${each.join("\n")}\n`),
  );
  const use = { shown: 7, followed: 5, ignored: 1, read: 2, found: 3, lastMs: Date.now() };
  await writeFiles(user.home, {
    [`.local/state/caliban/use/${user.slug}.json`]: JSON.stringify({
      version: 1,
      sinceMs: 0,
      memories: { "memory://topics/deploy": use },
    }),
  });
}
