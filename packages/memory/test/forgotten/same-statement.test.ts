import { describe, expect, it } from "vitest";
import { isSameStatement } from "../../src/forgotten/same-statement.ts";
import { analyzeStatement } from "../../src/forgotten/statement-terms.ts";

function isSame(forgotten: string, text: string): boolean {
  return isSameStatement(analyzeStatement(forgotten), analyzeStatement(text));
}

const REWORDINGS: readonly (readonly [forgotten: string, text: string])[] = [
  ["We deploy with pnpm ship", "we deploy with pnpm ship."],
  ["We deploy with pnpm ship", "Remember that we deploy with pnpm ship"],
  ["We deploy with pnpm ship", "Deployments run via `pnpm ship`"],
  ["We deploy with pnpm ship", "The deploy command is pnpm ship"],
  ["We deploy with pnpm ship", "The user said that they deploy with pnpm ship."],
  ["We deploy with pnpm ship", "To deploy the app, always run pnpm ship"],
  ["We deploy with pnpm ship", "Deploying: use `pnpm ship`, never npm publish"],
  ["We deploy with pnpm ship from the main branch", "Deploy with pnpm ship"],
  ["deploy with pnpm ship", "We deploy with pnpm ship from the main branch"],
  ["The connection pool has 20 connections", "Pool: 20 connections"],
  ["The pool has 20 connections", "Connection pool size: 20 connections"],
  ["Retry three times", "Retries happen 3 times"],
  ["The API runs on port 5432", "API port is 5432"],
  ["I prefer tabs over spaces", "Use tabs instead of spaces"],
  ["I prefer tabs over spaces", "The user prefers tabs"],
  ["Use tabs, not spaces", "We prefer tabs over spaces"],
  ["We use pnpm, not npm", "use pnpm instead of npm"],
  ["Never deploy on Fridays", "Don't deploy on Friday"],
  ["Never deploy on Fridays", "No deploys on Fridays"],
  ["Never deploy on Fridays", "Deployments on Friday are forbidden"],
  ["Do not use default exports", "Avoid default exports"],
  ["Do not use default exports", "Default exports are not allowed here"],
  ["Don't forget to run the linter", "Run the linter"],
  ["Staging database is called aurora", "The staging db is named aurora"],
  ["Integration tests need docker compose", "docker compose is required for integration tests"],
  ["Error codes live in src/errors.ts", "All error codes are in `src/errors.ts`"],
  ["maxPoolSize is read from the environment", "The max pool size comes from env"],
  ["Use vitest for tests", "Tests use vitest"],
  ["We switched from npm to pnpm", "We moved from npm to pnpm"],
  ["Wir deployen mit pnpm ship", "wir deployen immer mit pnpm ship"],
  ["我们使用 pnpm 部署", "我们使用 pnpm 部署。"],
  ["Run migrations before the flag flips", "Migrations run before flipping the flag"],
];

const OTHERS: readonly (readonly [forgotten: string, text: string])[] = [
  ["We deploy with pnpm ship", "We deploy with npm publish"],
  ["We deploy with pnpm ship", "We no longer deploy with pnpm ship"],
  ["We deploy with pnpm ship", "We do not deploy with pnpm ship"],
  ["We deploy with pnpm ship", "Never deploy with pnpm ship"],
  ["We deploy with pnpm ship", "pnpm ship needs the VPN"],
  ["We deploy with pnpm ship", "We deploy with pnpm release"],
  ["We deploy with pnpm ship", "We test with pnpm"],
  ["We deploy with pnpm ship", "Deploy on Mondays"],
  ["The pool has 20 connections", "The pool has 50 connections"],
  ["The pool has connections", "The pool has 50 connections"],
  ["Retry three times", "Retry five times"],
  ["The API runs on port 5432", "The API runs on port 6543"],
  ["Use API v2", "Use API v3"],
  ["Use tabs instead of spaces", "Use spaces instead of tabs"],
  ["I prefer tabs over spaces", "I prefer spaces over tabs"],
  ["Use tabs", "Don't use tabs"],
  ["We use pnpm, not npm", "We use npm, not pnpm"],
  ["We use pnpm", "`pnpm test` runs the tests"],
  ["Run migrations before the flag flips", "Run migrations after the flag flips"],
  ["We switched from npm to pnpm", "We switched from pnpm to npm"],
  [
    "Run the integration tests with docker compose before merging",
    "Run the integration tests with podman compose before merging",
  ],
  ["Use vitest for tests", "Use jest for tests"],
  ["Staging database is called aurora", "Production database is called aurora"],
  ["Never deploy on Fridays", "Deploy on Fridays"],
  ["Never deploy on Fridays", "Never deploy on Mondays"],
  ["Error codes live in src/errors.ts", "Error codes live in src/codes.ts"],
  ["", "We deploy with pnpm ship"],
  ["We deploy with pnpm ship", ""],
];

describe("isSameStatement", () => {
  it.each(REWORDINGS)("recognizes %j in the words %j", (forgotten, text) => {
    expect(isSame(forgotten, text)).toBe(true);
  });

  it.each(OTHERS)("tells %j from %j", (forgotten, text) => {
    expect(isSame(forgotten, text)).toBe(false);
  });
});
