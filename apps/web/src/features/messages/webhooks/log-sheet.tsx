import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { api } from "../../../lib/api.ts";
import { dotted } from "../../../lib/dotted.ts";
import { moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import type { RingState } from "../../../ui/ring.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { bodyQuery, type Delivery, deliveriesQuery, nameOf, type Show, WEBHOOKS, type Webhook } from "./queries.ts";
import classes from "./webhooks.module.css";
import { useWebhooksWords } from "./words.ts";

const SHOWS: readonly Show[] = ["all", "waiting", "failed"];
const RINGS: Record<Delivery["state"], RingState> = { waiting: "wait", delivered: "done", failed: "bad" };

/** A webhook's deliveries, newest first: the result of each, its body, and a button to send it again. */
export function LogSheet({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const words = useWebhooksWords();
  const { log: say } = words;
  const [show, setShow] = useState<Show>("all");
  const list = useInfiniteQuery(deliveriesQuery(webhook.id, show));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  return (
    <Sheet onClose={onClose} title={words.logOf(nameOf(webhook))} wide>
      <Segments
        label={say.show}
        labelHidden
        value={show}
        onChange={setShow}
        choices={SHOWS.map((value) => ({ value, label: say.shows[value] }))}
      />
      {list.isError && rows === undefined && (
        <LoadFailed title={say.failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Waiting label={say.loading} room={320} />}
      {rows?.length === 0 && <p className={classes.lead}>{show === "all" ? say.none : say.nothing}</p>}
      {rows !== undefined && rows.length > 0 && (
        <div className={classes.log}>
          <Lines>
            {rows.map((delivery) => (
              <DeliveryLine key={delivery.id} webhook={webhook} delivery={delivery} />
            ))}
          </Lines>
        </div>
      )}
      {list.hasNextPage && (
        <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {say.more}
        </Button>
      )}
    </Sheet>
  );
}

function DeliveryLine({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const words = useWebhooksWords();
  const { log: say } = words;
  const { language } = useSpeech();
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const again = useCommand({
    mutationFn: () =>
      api("POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
        params: { id: webhook.id, deliveryId: delivery.id },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  });
  const { state, attempts, status, problem, durationMs, nextAt } = delivery;
  const event = words.events[delivery.event];
  const at = moment(Date.parse(delivery.at), language);
  const what = [
    say.states[state],
    status !== null && say.answered(status),
    problem !== null && (say.problems[problem] ?? problem),
    attempts > 0 && say.attempts(attempts),
    durationMs !== null && say.took(durationMs),
    attempts > 0 && nextAt !== null && say.next(moment(Date.parse(nextAt), language)),
  ];
  return (
    <Line
      ring={RINGS[state]}
      below={
        <>
          <div className={classes.below}>
            <Button
              variant="subtle"
              size="sm"
              aria-label={say.againOf(event, at)}
              loading={again.isPending}
              onClick={() => again.mutate()}
            >
              {say.again}
            </Button>
            <Button variant="subtle" size="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {say.body}
            </Button>
          </div>
          <FormMessage error={again.error} failed={say.againFailed} />
          {isOpen && <Body webhook={webhook} delivery={delivery} />}
        </>
      }
    >
      <b>{event}</b>
      <time dateTime={delivery.at}>{at}</time>
      <span>{dotted(what)}</span>
    </Line>
  );
}

function Body({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const { log: say } = useWebhooksWords();
  const body = useQuery(bodyQuery(webhook.id, delivery.id));
  if (body.isError) return <LoadFailed title={say.bodyFailed} error={body.error} onRetry={() => void body.refetch()} />;
  if (body.data === undefined) return <Waiting room={120} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className={classes.body} tabIndex={0}>
      {body.data}
    </pre>
  );
}
