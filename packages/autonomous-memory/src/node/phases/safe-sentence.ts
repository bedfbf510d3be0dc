import { terminalSafeLine } from "@caliban/common";
import { redactText } from "../transcript/redact-text.ts";

const LONGEST = 300;

/** A reason as it is kept and shown: a provider may have repeated anything in it. Secrets go before it is cut. */
export async function safeSentence(text: string): Promise<string> {
  const line = terminalSafeLine((await redactText(text)).text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line;
}
