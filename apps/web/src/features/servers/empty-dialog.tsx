import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { withReason } from "../../lib/with-reason.ts";
import { Banner } from "../../ui/banner.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { planQuery, type Server } from "./queries.ts";
import { useServersWords } from "./words.ts";

interface Props {
  server: Server;
  onClose: () => void;
  onDone: () => void;
}

/** Moves all devices of a server to another one, after saying what that does to whom. */
export function EmptyDialog({ server, onClose, onDone }: Props) {
  const { emptying: words } = useServersWords();
  const { failure } = useText();
  const toast = useToast();
  const plan = useQuery(planQuery(server.id));
  const [picked, setPicked] = useState<string | null>(null);
  const targets = (plan.data?.targets ?? []).toSorted(
    (one, other) => Number(other.status === "connected") - Number(one.status === "connected") || other.free - one.free,
  );
  const target = targets.find(({ id }) => id === picked) ?? targets[0];
  const beginning = useCommand({
    mutationFn: (toServerId: string) =>
      api("POST /admin/servers/{id}/empty", { params: { id: server.id }, body: { toServerId } }),
    onSuccess: () => {
      void toast("good", words.begun(server.name));
      onDone();
    },
  });
  const toMove = plan.data === undefined ? 0 : plan.data.devices - plan.data.keysInBrowser;
  return (
    <FormSheet
      title={words.title(server.name)}
      onClose={onClose}
      submit={target === undefined ? null : { label: words.submit, working: words.working, busy: beginning.isPending }}
      onSubmit={() => {
        if (target !== undefined && !beginning.isPending) beginning.mutate(target.id);
      }}
    >
      {plan.isPending && <Waiting label={words.loading} room={220} />}
      {plan.isError && <LoadFailed title={words.failed} error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && (
        <>
          <p>{words.what(plan.data.devices, plan.data.members)}</p>
          {target === undefined ? (
            <Banner tone="move" title={words.nowhere} />
          ) : (
            <>
              <NativeSelect
                label={words.target}
                value={target.id}
                onChange={(event) => setPicked(event.currentTarget.value)}
                data={targets.map(({ id, name, status, free }) => ({
                  value: id,
                  label: status === "connected" ? words.free(name, free) : words.silent(name),
                }))}
                data-autofocus
              />
              {toMove > target.free && <Banner tone="move" live title={words.short(toMove - target.free)} />}
              {plan.data.keysInBrowser > 0 && <p>{words.keys(plan.data.keysInBrowser)}</p>}
              <p>{words.how}</p>
              <p>
                {words.closes}
                {server.isMain && ` ${words.becomesMain}`}
                {plan.data.assigned > 0 && ` ${words.assigned(plan.data.assigned)}`}
              </p>
            </>
          )}
        </>
      )}
      <FormMessage bad={beginning.error && withReason(words.notBegun, beginning.error, failure.silent)} />
    </FormSheet>
  );
}
