const TEMPLATE = /^[<[{]|\$\{|\{\{|#\{|^\$\(|^\$(?:env:)?[a-z_]\w*$|^\$\d$|^%\w+%$|^%\(?\w*\)?s$/i;
// A format string, `{name}` or `{count:20}`, a regular expression, and a string of bytes.
const FORMAT = /\{\w*(?::[\w+.,<>^-]{1,12})?\}|\(\?[:=!<]|\\[dsw][+*{]|^\\x[0-9a-f]{2}/;
// YAML tags and anchors, SQL parameters, Ruby symbols.
const OTHER_NAME = /^[@:&*!%#][a-z_]+$/i;
const LOCATION =
  /^[a-z][a-z+.-]{1,20}:\/\/|^(?:~|\.{0,2}|[a-z]:)[\\/][\w. -]+[\\/]|^(?:env|vault|file|ref|arn|ssm|sops|keychain|op):/i;
const HOST_AND_PATH = /^(?:[a-z0-9-]+\.)+[a-z]{2,12}\//;
const NUMBER = /^\d{4}-\d{2}-\d{2}|^v?\d+(?:\.\d+){1,3}$|^0x[\da-f_]{1,16}$/i;
const EXPRESSION =
  /^[a-z_$][\w$.?:>-]*[([{]|^[a-z_$][\w$]*(?:[?!]\.|::|->)|^[a-z_$]+(?:\.[a-z_$]+)+$|=>|[!=]=|&&|\|\|/i;
const LITERAL = /^(?:null|nil|none|undefined|true|false|void)\b|^(?:self|this|cls)\.|^\(\w/i;
const THREE_BRACKETS = /(?:[(){}[\]][^(){}[\]]*){3}/;

/** Whether a value says where the secret is, or what it depends on, rather than what it is. */
export function isReference(value: string): boolean {
  return (
    TEMPLATE.test(value) ||
    FORMAT.test(value) ||
    OTHER_NAME.test(value) ||
    LOCATION.test(value) ||
    HOST_AND_PATH.test(value) ||
    NUMBER.test(value)
  );
}

/** Whether an unquoted value is code: a call, an index, a member. */
export function isExpression(value: string): boolean {
  return LITERAL.test(value) || EXPRESSION.test(value) || THREE_BRACKETS.test(value);
}
