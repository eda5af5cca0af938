import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { firstAnswer, firstAnswersAt } from "../../../lib/first-answers.ts";

/** Contacts and addresses for when the panel cannot be reached. Stored with the dashboard (app/own-copy.tsx). */
export const waysQuery = queryOptions({
  queryKey: ["ways"],
  queryFn: ({ signal }) => api("GET /security/ways", { signal, background: true }),
  initialData: () => firstAnswer("GET /security/ways"),
  initialDataUpdatedAt: firstAnswersAt,
  staleTime: 60 * 60_000,
});
