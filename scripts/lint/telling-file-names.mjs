const SAYS_NOTHING =
  /(?:^|\/)(?:utils?|helpers?|types?|common|misc|shared|manager|service)\.[cm]?[jt]s$/;

/** A file is named after its one idea. */
export const tellingFileNames = {
  /** @param {any} context */
  create(context) {
    return {
      /** @param {any} node */
      Program(node) {
        if (!SAYS_NOTHING.test(context.filename.replaceAll("\\", "/"))) return;
        context.report({ node, message: "Name the file after the one idea it holds." });
      },
    };
  },
};
