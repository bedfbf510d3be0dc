import { expect, it } from "vitest";
import { forgetSubject } from "../../../../src/commands/memory/topics/forget-subject.ts";

it.for([
  ["pnpm ship", "pnpm ship"],
  ["deploy", "deploy"],
  ["what I said about the billing port", "billing port"],
  ["forget everything about deploys, please", "deploys"],
  ["the deploy rule", "deploy"],
  ["that we deploy with pnpm ship", "we deploy with pnpm ship"],
  ["Vergiss bitte die Sache mit dem Billing-Port", "Billing-Port"],
  ["the rule", "rule"],
  ["notes", "notes"],
  ["", ""],
] as const)("finds in %j the subject %j", ([request, subject]) => {
  expect(forgetSubject(request)).toBe(subject);
});
