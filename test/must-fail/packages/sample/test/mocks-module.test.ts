// breaks: vitest(no-restricted-vi-methods)
import { vi } from "vitest";

vi.mock("node:fs");
