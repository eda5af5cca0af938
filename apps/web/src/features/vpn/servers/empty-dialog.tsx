import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { empty, planQuery, type Thing } from "./queries.ts";
import { useServersWords } from "./words.ts";

interface Props {
  thing: Thing;
  /** It serves members with nothing assigned. */
  isMain?: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Moves all devices of a server, or of an interface, to another one, after showing who is affected and how. */
export function EmptyDialog({ thing, isMain = false, onClose, onDone }: Props) {
  const { drain: words } = useServersWords();
  const toast = useToast();
  const its = words[thing.kind];
  const plan = useQuery(planQuery(thing));
  const [picked, setPicked] = useState<string | null>(null);
  const targets = (plan.data?.targets ?? []).toSorted(
    (one, other) => Number(other.status === "connected") - Number(one.status === "connected") || other.free - one.free,
  );
  const target = targets.find(({ id }) => id === picked) ?? targets[0];
  const beginning = useCommand({
    mutationFn: (toId: string) => empty(thing, toId),
    onSuccess: () => {
      void toast("good", words.begun(thing.name));
      onDone();
    },
  });
  const toMove = plan.data === undefined ? 0 : plan.data.devices - plan.data.keysInBrowser;
  return (
    <FormSheet
      draft={null}
      title={its.title(thing.name)}
      onClose={onClose}
      submit={target === undefined ? null : { label: words.submit, working: words.working, busy: beginning.isPending }}
      onSubmit={() => {
        if (target !== undefined && !beginning.isPending) beginning.mutate(target.id);
      }}
    >
      <Loading of={plan} failed={words.failed} label={words.loading} room={220} />
      {plan.data && (
        <>
          <p>{words.what(plan.data.devices, plan.data.members)}</p>
          {target === undefined ? (
            <Banner tone="move" title={its.nowhere} />
          ) : (
            <>
              <NativeSelect
                label={words.target}
                value={target.id}
                onChange={(event) => setPicked(event.currentTarget.value)}
                data={targets.map(({ id, name, server, status, free }) => {
                  const whole = server === null ? name : `${server} · ${name}`;
                  return { value: id, label: status === "connected" ? words.free(whole, free) : words.silent(whole) };
                })}
                data-autofocus
              />
              {toMove > target.free && <Banner tone="move" live title={words.short(toMove - target.free)} />}
              {plan.data.keysInBrowser > 0 && <p>{words.keys(plan.data.keysInBrowser)}</p>}
              <p>{words.how}</p>
              <p>
                {its.closes}
                {isMain && ` ${words.becomesMain}`}
                {plan.data.assigned > 0 && ` ${its.assigned(plan.data.assigned)}`}
              </p>
            </>
          )}
        </>
      )}
      <FormMessage error={beginning.error} failed={words.notBegun} reason />
    </FormSheet>
  );
}
