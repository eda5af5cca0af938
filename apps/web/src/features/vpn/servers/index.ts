export { AssignDialog } from "./assign-dialog.tsx";
export { EmptyDialog } from "./empty-dialog.tsx";
export { EmptyingBanner } from "./emptying-banner.tsx";
export {
  allInterfacesQuery,
  type Emptying,
  type Interface,
  planQuery,
  SERVERS,
  type Server,
  serversQuery,
} from "./queries.ts";
export { RINGS as SERVER_RINGS } from "./standing.ts";
export { useEmptyings } from "./use-emptyings.ts";
export { useServersWords } from "./words.ts";
