export { type Me, meQuery } from "./queries.ts";
