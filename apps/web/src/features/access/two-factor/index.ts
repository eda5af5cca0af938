export { CodeField } from "./code-field.tsx";
export { twoFactorQuery } from "./queries.ts";
export { useAttempt } from "./use-attempt.ts";
