/** Addresses and commands, wherever they are written. */
export const COMMANDS_AND_HOSTS: readonly RegExp[] = [
  /\b[a-z][a-z0-9+.-]{1,9}:\/\//i,
  /\bwww\.|\bmailto:|\bdata:[a-z]+\/|\bh\s?xx?p/i,
  /(?<![\w./-])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|dev|app|example|test|local|internal|ai|co|me|xyz|info|biz|ru|cn|de|uk|eu|us|fr|cloud|site|online|top|link|click|invalid|onion|gg|tk)\b(?!\(|\.\w|-)/i,
  /\b[\w-]+\s*(?:\[dot\]|\(dot\)|\[\.\]|\{dot\}|\sdot\s)\s*[a-z]{2,}\b/i,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost:\d+|\b0x[0-9a-f]{8,}\b/i,
  /[\w.+-]+@[\w-]+\.[a-z]{2,}\b/i,
  /\|\s*(?:sudo\s+)?(?:sh|bash|zsh|fish|python\d?|node|perl|ruby|iex|tee|xargs)\b|&&|\$\(|\beval\b|>\s*\/|<\(|;\s*rm\b|%[0-9a-f]{2}%[0-9a-f]{2}/i,
  /\b(?:curl|wget|sudo|chmod|chown|ssh|scp|rsync|netcat|ncat|telnet|npx|pnpx|bunx|powershell|invoke-\w+|certutil|osascript|crontab|systemctl|kubectl|terraform|base64|openssl|gpg|keytool)\b/i,
  /\b(?:npm|pnpm|yarn|bun|cargo|pip3?|pipx|poetry|uv|gradle|mvn|docker|podman|git|gh|deno|node|python3?|ruby|php|bash|zsh|brew|apt|apt-get|gem|composer|helm|aws|gcloud|az|caliban)\s+(?:run|exec|install|add|i|ci|publish|push|pull|clone|config|commit|apply|login|compose|up|get|mod|x|dlx|link|global|remote|reset|rebase|merge|checkout|clean|tag|secret|auth|api|set|use|update|upgrade|bootstrap|sync|setup|ship|release|deploy|memory|-\S+|\S+\.(?:sh|[cm]?[jt]s|py|rb|php)|\.?\.?\/\S*|scripts?\/\S*)(?=[\s`'",.;:)]|$)/i,
  /\bmake (?:bootstrap|install|setup|deploy|release|sync|publish|all|clean|init)\b|\bgo (?:install|get|run)\b/i,
  /(?:^|[\s`'"(])(?:\.\.?\/|[\w./-]*\/)?[\w-]+\.(?:sh|bash|zsh|ps1|bat|cmd|exe|command)\b/i,
  /(?:^|[\s`'"(])(?:--no-\S+|--force\S*|--insecure|--yes\b|--dangerously\S*|--skip\S*|--allow\S*|--trust\S*|--unsafe\S*|--privileged|--disable\S*|--ignore\S*|--exec\S*|--eval\S*|--require\S*|--import\S*|-y\b|-rf\b|-fr\b)/i,
  // A program with options.
  /(?:^|[\s`'"(])\.{1,2}\/[\w./-]+\s+--?\w/,
  /\.(?:key|pem|p12|pfx|keystore|jks)\b/i,
  // A program without an extension.
  /(?:^|[\s`'"(])(?:\.?\/)?(?:tools?|scripts?|bin|ops|ci|hack|setup)\/[\w-]+(?![\w/-]|\.\w)/i,
  /(?:^|[\s`'"/])\.env\b(?!\.)|\bid_rsa\b|\bauthorized_keys\b|\.npmrc\b|\.netrc\b|\bNODE_OPTIONS\b|\bLD_PRELOAD\b|\bPATH=/i,
];

/** Credentials and safeguards, in prose. */
export const SAFEGUARDS: readonly RegExp[] = [
  /\b(?:credentials?|passwords?|passphrases?|passwd|secrets?|api[ _-]?keys?|(?:private|ssh|signing|deploy|shared|master|root|encryption|licen[sc]e)[ _-]?keys?|(?:access|auth|api|bearer|session|refresh|deploy|github|npm)[ _-]?tokens?|bearer|dotenv|keychain|keyring|wallet|seed phrase|2fa|mfa|otp|certificates?|tls|ssl)\b/i,
  /\b(?:permissions?|privileg\w*|approv\w*|sandbox\w*|(?:un)?trust\w*|authori[sz]\w*|whitelist\w*|allow-?list\w*|block-?list\w*|consent\w*|superuser|backdoors?|exfiltrat\w*|phones? home|(?:the|an?|\w+ly|packages?|local|internal|public|private|own|our|this) mirrors?|package registr(?:y|ies)|reviews?|reviewed|reviewers?|reviewing|vulnerab\w*|exploit\w*|malware|antivirus|firewall|vpn|audit\w*|two-factor|escalat\w*|impersonat\w*)\b/i,
  /\b(?:disabl\w*|bypass\w*|circumvent\w*|suppress\w*|(?<!\b\d+ (?:tests? )?(?:(?:is|are|was|were) )?)skipped|skip(?!ped)\w*|unverified|unsafe\w*|insecure\w*|plaintext|force[- ]?push\w*|no[- ]verify|turn(?:ed|s|ing)? off|switch(?:ed|es|ing)? off|opt(?:ed)? out)\b/i,
  /\b(?:ignor\w*|omit\w*|without|no need|not needed|unnecessary|pointless|obsolete|waived?|exempt\w*|noise|meaningless|false (?:positives?|alarms?)|harmless|irrelevant)\b[^.]{0,60}\b(?:checks?|tests?|hooks?|verif\w*|validat\w*|lint\w*|ci|signatures?|signing|warnings?|scans?|scann\w*|auth\w*|security|asking|alerts?|instructions?)\b/i,
  /\b(?:checks?|tests?|hooks?|verif\w*|validat\w*|lint\w*|ci|signatures?|warnings?|scans?|auth\w*|security|alerts?)\b[^.]{0,60}\b(?:ignored?|omitted|no need|not needed|unnecessary|pointless|waived|exempt\w*|noise|meaningless|false (?:positives?|alarms?)|harmless|irrelevant|not (?:be )?(?:required|necessary|relevant|important))\b/i,
  /\b(?:checks?|tests?|steps?|hooks?|verif\w*|validat\w*|lint\w*|ci|type errors?|errors?|failures?|warnings?|alerts?)\b[^.]{0,40}\b(?:not worth|(?:do|does) not (?:count|matter)|don['’]t (?:count|matter)|obsolete|abolished|cosmetic|known failures?|unimportant|expected to fail)\b/i,
];

/** Text that hides what it says. */
export const HIDDEN: readonly RegExp[] = [
  // Invisible characters, other than those of emoji and of scripts that need them.
  /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/u,
  /<!--|<\/?[a-z][\w-]*(?:\s[^>]*)?>/i,
  /\b(?=[A-Za-z0-9+/_-]*[a-z])(?=[A-Za-z0-9+/_-]*[A-Z])(?=[A-Za-z0-9+/_-]*\d)[A-Za-z0-9+/_-]{20,}={0,2}/,
  /\b[A-Za-z0-9+/]{12,}={1,2}(?![\w=])/,
  /\b(?:[0-9a-f]{2}[\s:]?){16,}\b/i,
  /(?:\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|&#x?[0-9a-f]+;|%[0-9a-f]{2}){2,}/i,
  /\b(?:[01]{8}\s?){3,}\b|(?:[.-]{1,5}\s){6,}/,
  // A word that mixes scripts, such as Cyrillic letters in an English word.
  /(?=\p{L}*\p{Script=Latin})(?=\p{L}*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])\p{L}{2,}/u,
  // Letters with spaces or dots between them.
  /(?:\b\p{L}[\s.*_-]){5,}/u,
];
