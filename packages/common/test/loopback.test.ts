import { expect, it } from "vitest";
import { isLoopback } from "../src/loopback.ts";

it.for([
  ["http://localhost:3000", true],
  ["http://LOCALHOST", true],
  ["http://app.localhost", true],
  ["http://127.0.0.1", true],
  ["http://127.1", true],
  ["http://127.9.9.9:80", true],
  ["http://[::1]:8080", true],
  ["http://.localhost", false],
  ["http://localhost.example.com", false],
  ["http://mylocalhost", false],
  ["http://127.0.0.1.example.com", false],
  ["http://10.0.0.1", false],
  ["http://0.0.0.0", false],
  ["http://[::2]", false],
] as const)("isLoopback of %s is %j", ([url, expected]) => {
  expect(isLoopback(new URL(url))).toBe(expected);
});
