import { Button } from "@mantine/core";
import { IconKey, IconPencil, IconPlus, IconSend, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { api, withReason } from "../../../lib/api.ts";
import { dotted } from "../../../lib/dotted.ts";
import { moment } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Deletion } from "../../../ui/deletion.tsx";
import { EmptyRoom } from "../../../ui/empty-room.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import type { RingState } from "../../../ui/ring.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { Screen } from "../../club/staff/index.ts";
import { nameOf, WEBHOOKS, type Webhook, webhooksQuery } from "./queries.ts";
import classes from "./webhooks.module.css";
import { useWebhooksWords } from "./words.ts";

const WebhookDialog = lazyDialog(() => import("./webhook-dialog.tsx").then(({ WebhookDialog }) => WebhookDialog));
const SecretDialog = lazyDialog(() => import("./secret-dialog.tsx").then(({ SecretDialog }) => SecretDialog));
const LogSheet = lazyDialog(() => import("./log-sheet.tsx").then(({ LogSheet }) => LogSheet));

type Open = { dialog: "add" } | { dialog: "edit" | "secret" | "log" | "delete"; webhook: Webhook };

/** Where the club's events go: each webhook with its state, its delivery log, and its actions. */
export function WebhooksScreen() {
  const { screens, table } = useStaffWords();
  const words = useWebhooksWords();
  const { text } = useSpeech();
  const queryClient = useQueryClient();
  const toast = useToast();
  const list = useQuery(webhooksQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const test = useCommand({
    mutationFn: ({ id }: Webhook) => api("POST /admin/webhooks/{id}/test", { params: { id } }),
    onSuccess: (_, webhook) => {
      void toast("good", words.tested);
      setOpen({ dialog: "log", webhook });
    },
    onError: (error) => void toast("bad", withReason(words.testFailed, error, text.failure.silent)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  });
  return (
    <Screen
      title={screens.webhooks}
      count={list.data?.length || null}
      action={{ label: words.add, icon: IconPlus, onClick: () => setOpen({ dialog: "add" }) }}
    >
      {list.isError && !list.data && (
        <LoadFailed title={words.failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Waiting room={160} />}
      {list.data?.length === 0 && (
        <EmptyRoom title={words.none}>
          <p>{words.noneMore}</p>
        </EmptyRoom>
      )}
      {list.data !== undefined && list.data.length > 0 && (
        <section className={classes.list} aria-label={words.list}>
          <div className={classes.head}>
            <p className={classes.lead}>{words.lead}</p>
            <Button variant="subtle" size="sm" component="a" href="/api/docs">
              {words.docs}
            </Button>
          </div>
          <Lines>
            {list.data.map((webhook) => (
              <Line
                key={webhook.id}
                ring={ringOf(webhook)}
                much={
                  <MoreMenu
                    label={table.actions(nameOf(webhook))}
                    groups={[
                      [
                        ...(webhook.enabled
                          ? [{ label: words.test, icon: IconSend, onClick: () => test.mutate(webhook) }]
                          : []),
                        { label: words.edit, icon: IconPencil, onClick: () => setOpen({ dialog: "edit", webhook }) },
                        { label: words.replace, icon: IconKey, onClick: () => setOpen({ dialog: "secret", webhook }) },
                      ],
                      [
                        {
                          label: words.remove,
                          icon: IconTrash,
                          danger: true,
                          onClick: () => setOpen({ dialog: "delete", webhook }),
                        },
                      ],
                    ]}
                  />
                }
                below={
                  <div className={classes.below}>
                    <Button
                      variant="subtle"
                      size="sm"
                      aria-label={words.logOf(nameOf(webhook))}
                      onClick={() => setOpen({ dialog: "log", webhook })}
                    >
                      {words.openLog}
                    </Button>
                  </div>
                }
              >
                <b>{nameOf(webhook)}</b>
                <span className={classes.url}>{webhook.url}</span>
                <Standing webhook={webhook} />
              </Line>
            ))}
          </Lines>
        </section>
      )}
      {open?.dialog === "add" && <WebhookDialog webhook={null} onClose={close} />}
      {open?.dialog === "edit" && <WebhookDialog webhook={open.webhook} onClose={close} />}
      {open?.dialog === "secret" && <SecretDialog webhook={open.webhook} onClose={close} />}
      {open?.dialog === "log" && <LogSheet webhook={open.webhook} onClose={close} />}
      {open?.dialog === "delete" && (
        <Deletion
          words={words.deletion}
          name={nameOf(open.webhook)}
          remove={() => api("DELETE /admin/webhooks/{id}", { params: { id: open.webhook.id } })}
          list={WEBHOOKS}
          onClose={close}
          onDeleted={close}
        />
      )}
    </Screen>
  );
}

/** Its current state, in a line. */
function Standing({ webhook }: { webhook: Webhook }) {
  const words = useWebhooksWords();
  const { language } = useSpeech();
  const { enabled, offBecause, failingSince, events, waiting, failed, formerSecretUntil } = webhook;
  const at = (iso: string) => moment(Date.parse(iso), language);
  const state =
    offBecause !== null
      ? words.offBecause[offBecause]
      : !enabled
        ? words.state.off
        : failingSince !== null
          ? words.state.failing(at(failingSince))
          : words.state.on;
  const parts = [
    state,
    words.eventCount(events.length),
    waiting > 0 && words.waiting(waiting),
    failed > 0 && words.undelivered(failed),
    formerSecretUntil !== null && words.formerUntil(at(formerSecretUntil)),
  ];
  return <span>{dotted(parts)}</span>;
}

function ringOf({ enabled, offBecause, failingSince }: Webhook): RingState {
  if (offBecause !== null) return "bad";
  if (!enabled) return "idle";
  return failingSince === null ? "on" : "warn";
}
