import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Losses } from "../../../ui/losses.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { TypedName } from "../../../ui/typed-name.tsx";
import { type Interface, SERVERS, useServersWords } from "../servers/index.ts";
import classes from "./interfaces.module.css";
import { useInterfacesWords } from "./words.ts";

/** How many devices are named: nobody reads more before a press. */
const NAMED = 20;

interface Props {
  row: Interface;
  onClose: () => void;
  onDone: () => void;
  /** Moves the devices that would be lost. */
  onEmpty: () => void;
}

/** Names what is lost with an interface. If that includes configs, asks for the typed name. */
export function DeleteDialog({ row, onClose, onDone, onEmpty }: Props) {
  const { remove: words, failures } = useInterfacesWords();
  const { drain } = useServersWords();
  const toast = useToast();
  const [configs, setConfigs] = useState(row.configCount);
  const [typed, setTyped] = useState("");
  const deleting = useCommand({
    mutationFn: () =>
      api("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", {
        params: { serverId: row.serverId, interfaceId: row.id },
        query: { configs },
      }),
    onSuccess: () => {
      void toast("good", words.done(row.name));
      onDone();
    },
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === "interface.in_use")) return;
      setConfigs(Number(error.details.count ?? 0));
      setTyped("");
    },
  });
  const isChanged = deleting.error instanceof ApiError && deleting.error.code === "interface.in_use";
  const isLoss = configs > 0;
  const lost = useQuery({
    queryKey: [...SERVERS, "lost-with", row.id, configs],
    queryFn: ({ signal }) =>
      api("GET /vpn/configs", {
        query: { scope: "all", interfaceId: row.id, sort: "member", limit: NAMED },
        signal,
      }),
    enabled: isLoss,
  });
  const owners = new Map<string, { owner: string; names: string[] }>();
  for (const { name, userId, staff } of lost.data ?? []) {
    const theirs = owners.get(userId) ?? { owner: staff?.owner.displayName ?? "", names: [] };
    theirs.names.push(name);
    owners.set(userId, theirs);
  }
  const isNamed = !isLoss || typed.trim() === row.name;
  return (
    <FormSheet
      draft={null}
      title={words.title(row.name)}
      onClose={onClose}
      submit={{
        label: isLoss ? words.confirmForever : words.confirm,
        working: words.working,
        busy: deleting.isPending,
        disabled: !isNamed,
        danger: true,
      }}
      onSubmit={() => deleting.mutate()}
      small={!isLoss}
      cancelFirst={!isLoss}
    >
      {row.leavingCount > 0 && <Banner tone="move" title={words.leaving(row.leavingCount)} />}
      {isChanged && <Banner tone="move" live title={words.changed(configs)} />}
      {isLoss ? (
        <>
          <Losses
            lead={words.lead}
            things={[words.configs(configs), ...(row.assignedCount > 0 ? [words.assigned(row.assignedCount)] : [])]}
          />
          {lost.data && (
            <div>
              <p>{words.whose}</p>
              <ul className={classes.lost}>
                {[...owners].map(([id, { owner, names }]) => (
                  <li key={id}>{`${owner}: ${names.join(", ")}`}</li>
                ))}
                {configs > lost.data.length && <li>{words.andMore(configs - lost.data.length)}</li>}
              </ul>
            </div>
          )}
          <Button variant="outline" onClick={onEmpty}>
            {drain.action}
          </Button>
          <TypedName label={words.type(row.name)} value={typed} onChange={setTyped} />
        </>
      ) : (
        <p>{words.empty}</p>
      )}
      <FormMessage error={!isChanged && deleting.error} failed={failures.remove} reason />
    </FormSheet>
  );
}
