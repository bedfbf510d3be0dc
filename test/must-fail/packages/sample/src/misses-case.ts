// breaks: typescript(switch-exhaustiveness-check)
export function say(tier: "global" | "project"): string {
  switch (tier) {
    case "global":
      return "g";
  }
  return "";
}
