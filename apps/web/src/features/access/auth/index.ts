export { passwordError } from "./account-rules.ts";
export { type Me, meQuery } from "./queries.ts";
