export { AssignDialog } from "./assign-dialog.tsx";
export { DrainBanner } from "./drain-banner.tsx";
export { EmptyDialog } from "./empty-dialog.tsx";
export {
  allInterfacesQuery,
  type Drain,
  type Interface,
  planQuery,
  SERVERS,
  type Server,
  serversQuery,
} from "./queries.ts";
export { endpointOf, RINGS as SERVER_RINGS, shownStatus } from "./standing.ts";
export { useDrains } from "./use-drains.ts";
export { useServersWords } from "./words.ts";
