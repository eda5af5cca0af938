import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { dotted } from "../../../lib/dotted.ts";
import { ageText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import classes from "./catalog.module.css";
import { CATALOG, sourcesQuery } from "./queries.ts";
import { Change } from "./source-change.tsx";
import { VersionsOf } from "./source-versions.tsx";
import { useCatalogWords } from "./words.ts";

type Source = Api["GET /services/{id}/sources"]["answer"][number];

/** How a service's sources stand, what waits for a decision, and a button to look them up now. */
export function SourcesOf({ id }: { id: string }) {
  const { sources: words } = useCatalogWords();
  const known = useQuery(sourcesQuery(id));
  const showAnswer = useShowAnswer(id);
  const look = useCommand({
    mutationFn: () => api("POST /services/{id}/sources", { params: { id } }),
    onSuccess: showAnswer,
  });
  if (known.isError && known.data === undefined)
    return <LoadFailed title={words.failed} error={known.error} onRetry={() => void known.refetch()} />;
  if (known.data === undefined) return <Waiting label={words.loading} room={72} />;
  return (
    <section aria-label={words.title} className={classes.sources}>
      <Lines>
        {known.data.map((source) => (
          <SourceLine key={source.id} serviceId={id} source={source} />
        ))}
      </Lines>
      <Button variant="default" size="compact-sm" loading={look.isPending} onClick={() => look.mutate()}>
        {words.now}
      </Button>
      <FormMessage error={look.error} failed={words.nowFailed} reason />
    </section>
  );
}

/** Shows an answer about a service's sources, and asks for the rest again. */
function useShowAnswer(id: string) {
  const queryClient = useQueryClient();
  return (found: Source[]) => {
    queryClient.setQueryData(sourcesQuery(id).queryKey, found);
    void queryClient.invalidateQueries({ queryKey: [...CATALOG, "services"] });
    void queryClient.invalidateQueries({ queryKey: [...CATALOG, "versions"] });
  };
}

function SourceLine({ serviceId, source }: { serviceId: string; source: Source }) {
  const { sources: words } = useCatalogWords();
  const { text } = useSpeech();
  const nowMs = useNow(60_000);
  const showAnswer = useShowAnswer(serviceId);
  const [isOpen, setIsOpen] = useState(false);
  const { networks, unread, goodAt, why, held, waiting } = source;
  const params = { id: serviceId, source: source.id };
  const decide = useCommand({
    mutationFn: (accept: boolean) =>
      api("PUT /services/{id}/sources/{source}", { params, body: { accept, mark: waiting?.mark ?? "" } }),
    onSuccess: showAnswer,
  });
  const age = ageText(Date.parse(goodAt), nowMs, text.age);
  const facts = [
    networks === 0 ? words.onlyBelow(age) : words.fetched(networks, age),
    ...(unread > 0 ? [words.unread(unread)] : []),
    ...(held ? [words.held] : []),
  ];
  return (
    <Line
      ring={why !== null ? "bad" : waiting === null ? "done" : "warn"}
      below={
        <>
          {waiting && (
            <section aria-label={words.waitsOf(source.source)}>
              <p className={classes.hint}>{words.waits}</p>
              <Change change={waiting} />
              <div className={classes.buttons}>
                {[true, false].map((accept) => (
                  <Button
                    key={String(accept)}
                    variant="default"
                    size="compact-sm"
                    loading={decide.isPending && decide.variables === accept}
                    onClick={() => decide.mutate(accept)}
                  >
                    {accept ? words.accept : words.refuse}
                  </Button>
                ))}
              </div>
              <FormMessage error={decide.error} failed={words.decideFailed} reason />
            </section>
          )}
          <Button
            variant="subtle"
            size="compact-sm"
            data-flush="always"
            aria-expanded={isOpen}
            aria-label={words.versionsOf(source.source)}
            onClick={() => setIsOpen(!isOpen)}
          >
            {words.versions}
          </Button>
          {isOpen && <VersionsOf serviceId={serviceId} sourceId={source.id} onDone={showAnswer} />}
        </>
      }
    >
      <b>{source.source}</b>
      <span>{dotted(facts)}</span>
      {why !== null && (
        <span>
          {words.tried} <Reason why={why} />
        </span>
      )}
    </Line>
  );
}
