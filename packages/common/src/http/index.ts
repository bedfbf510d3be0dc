export { createRateLimit, type RateLimit, type RateLimitInput } from "./rate-limit.ts";
export {
  bearerToken,
  checkBodyHeaders,
  headerText,
  hostSpellings,
  type RequestHead,
  requestHead,
  type RequestHeaders,
} from "./request-head.ts";
export { SECURITY_HEADERS } from "./security-headers.ts";
