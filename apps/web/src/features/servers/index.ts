export { AssignDialog } from "./assign-dialog.tsx";
export { allInterfacesQuery, type Interface, SERVERS, type Server, serversQuery } from "./queries.ts";
export { RINGS as SERVER_RINGS } from "./standing.ts";
export { useServersWords } from "./words.ts";
