import type { JsonSchema } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";

/** An object schema that strict modes accept. Its lists are mutable, because SDKs declare them so. */
export interface StrictObjectSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: false;
}

/** Limits of numbers and lengths are left out: strict modes reject some of them, and a call is validated anyway. */
const KEPT: ReadonlySet<string> = new Set(["type", "enum", "description"]);

/** Makes every field required, and those that were optional nullable. */
export function strictSchema(schema: JsonSchema): StrictObjectSchema {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const fields = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const properties = fields.map(([name, field]): [string, Record<string, unknown>] => {
    const all = isRecord(field) ? Object.entries(field) : [];
    const plain = Object.fromEntries(all.filter(([key]) => KEPT.has(key)));
    return [name, required.has(name) ? plain : nullable(plain)];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  };
}

function nullable(field: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { type, enum: values, description } = field;
  return {
    ...field,
    type: [type, "null"],
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
    ...(typeof description === "string" ? { description: `${description} Null to omit it.` } : {}),
  };
}
