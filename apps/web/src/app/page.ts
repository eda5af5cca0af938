import { hashKey, type QueryClient } from "@tanstack/react-query";
import type { RouterHistory } from "@tanstack/react-router";
import { endedQuery, type Me, meQuery } from "../features/access/auth/queries.ts";
import { noteSessionOver } from "../features/access/auth/session-over.ts";
import { maintenanceQuery, stopForMaintenance } from "../features/access/maintenance/queries.ts";
import { person } from "../lib/person.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import { makeRouter } from "./router.tsx";

/** What a page is built on. `history` is the browser's unless a test brings its own. */
export function makePage(history?: RouterHistory) {
  const queryClient = makeQueryClient({
    signedOut: () => noteSessionOver(queryClient),
    underMaintenance: () => stopForMaintenance(queryClient, Boolean(queryClient.getQueryData(meQuery.queryKey))),
  });
  const router = makeRouter(queryClient, history);
  followPerson(queryClient, () => void router.invalidate());
  return { queryClient, router };
}

const ME = hashKey(meQuery.queryKey);
/** Answers that belong to nobody. */
const PUBLIC: readonly string[] = [meQuery, endedQuery, maintenanceQuery].map(({ queryKey }) => hashKey(queryKey));

/** The one place that learns who is signed in. The answers belong to that person, like everything in lib/person.ts. */
function followPerson(queryClient: QueryClient, lookAgain: () => void) {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    const me = query.state.data as Me | null | undefined;
    if (query.queryHash === ME && type !== "removed" && me !== undefined) person.is(me?.id ?? null);
  });
  person.onChange(() => {
    queryClient.removeQueries({ predicate: ({ queryHash }) => !PUBLIC.includes(queryHash) });
    lookAgain();
  });
  person.onChangeElsewhere(() => {
    void queryClient.invalidateQueries(meQuery);
    // The landing page shows who is signed in but never asks.
    void queryClient.prefetchQuery(meQuery);
  });
}
