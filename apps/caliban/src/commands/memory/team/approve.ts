import { terminalSafeLine } from "@caliban/common";
import type { TeamAuthor } from "@caliban/memory-git";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { formatAuthor } from "../../../project/team/team-inbox.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import {
  isConfirmed,
  openTeamCommand,
  reportTeamErrors,
  type TeamCommand,
} from "./team-command.ts";

/** `caliban memory team approve [KEY]`: trusts what a key signs. Without a key, lists those of waiting changes. */
export async function approveAuthor(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => {
    const opened = await openTeamCommand(invocation);
    const [key] = invocation.operands;
    const authors = await waitingAuthors(opened);
    if (key === undefined) return listAuthors(invocation, opened, authors);
    const known = authors.find((author) => author.key === key);
    const who =
      known === undefined
        ? `the key ${terminalSafeLine(key)}`
        : terminalSafeLine(formatAuthor(known));
    const about = `${who}\nEverything that this key signed, and will sign, is used without asking. A name can be forged, so compare the key with its owner.\n`;
    if (!(await isConfirmed(invocation, { about, question: "Approve this key?" })))
      return output(invocation, {
        data: { kind: "declined", key },
        text: "Nothing was approved.\n",
        stderr: opened.warnings,
        exitCode: EXIT.failed,
      });
    const author = await opened.team.engine.approve(key);
    await opened.team.refresh();
    return output(invocation, {
      data: { kind: "approved", key, author },
      text: `approved ${terminalSafeLine(author.name)}. Withdraw it with: ${invocation.host.command(`memory team revoke ${terminalSafeLine(key)}`)}\n`,
      stderr: opened.warnings,
    });
  });
}

/** `caliban memory team revoke KEY`: later changes by this key wait again. */
export async function revokeAuthor(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => {
    const { team, warnings } = await openTeamCommand(invocation);
    const [key = ""] = invocation.operands;
    await team.engine.revoke(key);
    await team.refresh();
    return output(invocation, {
      data: { kind: "revoked", key },
      text: `revoked ${terminalSafeLine(key)}; later changes by it wait in the inbox\n`,
      stderr: warnings,
    });
  });
}

async function waitingAuthors({ team }: TeamCommand): Promise<readonly TeamAuthor[]> {
  const waiting = (await team.engine.status())?.waiting ?? [];
  const authors = waiting.flatMap((change) => change.authors).filter((one) => !one.isApproved);
  return [
    ...new Map(authors.map((one) => [one.key ?? `${one.name} <${one.email}>`, one])).values(),
  ];
}

function listAuthors(
  invocation: Invocation,
  { warnings }: TeamCommand,
  authors: readonly TeamAuthor[],
): CommandResult {
  const rows = authors.map(({ key, name, email }) => [
    terminalSafeLine(key ?? "(not signed)"),
    terminalSafeLine(`${name} <${email}>`),
  ]);
  const isEmpty = authors.length === 0;
  return output(invocation, {
    data: { authors },
    text: renderNamedRows(rows, invocation.host).join(""),
    stderr: isEmpty ? [...warnings, "no changes wait for an approval"] : warnings,
    exitCode: isEmpty ? EXIT.nothingFound : EXIT.done,
  });
}
