import type { Diagnostic } from "@caliban/common";
import { findSecretsLazily } from "../../find-secrets.ts";
import type { StoreFiles } from "../../topics/files/store-files.ts";
import { toExportFiles } from "./export-file.ts";

/** Finds what looks like a secret in an export: the kind, the file and the line, never the value. */
export async function findExportSecrets(
  files: StoreFiles,
): Promise<readonly Diagnostic<"SECRET">[]> {
  const found = await Promise.all(
    toExportFiles(files).map(async ({ name, text }) =>
      (await findSecretsLazily(text)).map(({ kind, line }) => ({
        code: "SECRET" as const,
        path: name,
        line,
        message: `looks like a secret: ${kind}`,
      })),
    ),
  );
  return found.flat();
}
