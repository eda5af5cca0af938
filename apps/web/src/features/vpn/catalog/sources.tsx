import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { ageText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { withReason } from "../../../lib/with-reason.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import classes from "./catalog.module.css";
import { CATALOG, sourcesQuery } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

/** How a service's sources stand, and a button to look them up now. */
export function SourcesOf({ id }: { id: string }) {
  const { sources: words } = useCatalogWords();
  const { text } = useSpeech();
  const queryClient = useQueryClient();
  const nowMs = useNow(60_000);
  const { queryKey } = sourcesQuery(id);
  const standing = useQuery(sourcesQuery(id));
  const look = useCommand({
    mutationFn: () => api("POST /services/{id}/sources", { params: { id } }),
    onSuccess: (found) => {
      queryClient.setQueryData(queryKey, found);
      void queryClient.invalidateQueries({ queryKey: [...CATALOG, "services"] });
    },
  });
  if (standing.isError && standing.data === undefined)
    return <LoadFailed title={words.failed} error={standing.error} onRetry={() => void standing.refetch()} />;
  if (standing.data === undefined) return <Waiting label={words.loading} room={72} />;
  return (
    <section aria-label={words.title} className={classes.sources}>
      <Lines>
        {standing.data.map(({ source, networks, unread, goodAt, why }) => {
          const age = ageText(Date.parse(goodAt), nowMs, text.age);
          return (
            <Line key={source} ring={why === null ? "done" : "bad"}>
              <b>{source}</b>
              <span>{`${words.fetched(networks, age)}${unread > 0 ? ` · ${words.unread(unread)}` : ""}`}</span>
              {why !== null && (
                <span>
                  {words.tried} <Reason why={why} />
                </span>
              )}
            </Line>
          );
        })}
      </Lines>
      <Button variant="default" size="compact-sm" loading={look.isPending} onClick={() => look.mutate()}>
        {words.now}
      </Button>
      <FormMessage bad={look.error && withReason(words.nowFailed, look.error, text.failure.silent)} />
    </section>
  );
}
