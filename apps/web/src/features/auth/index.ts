export { passwordError } from "./account-rules.ts";
export type { Me } from "./queries.ts";
