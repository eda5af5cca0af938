import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Tell } from "../../../ui/ask.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { ServerField } from "../configs/index.ts";
import { CONFIGS, type ListedConfig, openToQuery } from "./queries.ts";
import { useConfigsBrowserWords } from "./words.ts";

/** Asks where to move a member's device, among the places that are open to the member. */
export function MoveDialog({ config, onClose }: { config: ListedConfig; onClose: () => void }) {
  const { move: words, one } = useConfigsBrowserWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { owner, interfaceName } = config.staff;
  const open = useQuery(openToQuery(owner.id));
  const [chosen, setChosen] = useState(config.interfaceId);
  const moving = useCommand({
    mutationFn: () =>
      api("PUT /admin/configs/{id}/interface", { params: { id: config.id }, body: { interfaceId: chosen } }),
    onSuccess: () => {
      void toast("good", words.done(config.name));
      void queryClient.invalidateQueries({ queryKey: CONFIGS });
      onClose();
    },
  });
  if (config.keyOrigin === "browser")
    return (
      <Tell onClose={onClose} title={words.title(config.name)} understood={one.close}>
        <p>{words.ownKey}</p>
      </Tell>
    );
  if (open.data && !open.data.some(({ id, reason }) => id !== config.interfaceId && reason === null))
    return (
      <Tell onClose={onClose} title={words.title(config.name)} understood={one.close}>
        <p>{words.nowhere(owner.displayName)}</p>
      </Tell>
    );
  const isOffered = open.data?.some(({ id }) => id === config.interfaceId);
  return (
    <FormSheet
      draft={null}
      title={words.title(config.name)}
      onClose={onClose}
      submit={
        open.data
          ? {
              label: words.confirm,
              working: words.working,
              busy: moving.isPending,
              disabled: chosen === config.interfaceId,
            }
          : null
      }
      onSubmit={() => moving.mutate()}
      small
    >
      <Loading of={open} failed={words.listFailed} />
      {open.data && (
        <>
          <p>{words.text(owner.displayName)}</p>
          <ServerField
            interfaces={open.data}
            present={
              isOffered ? undefined : { value: config.interfaceId, label: `${config.serverName}: ${interfaceName}` }
            }
            value={chosen}
            onChange={(id) => {
              setChosen(id);
              if (moving.isError) moving.reset();
            }}
          />
          <FormMessage error={moving.error} failed={words.failed} />
        </>
      )}
    </FormSheet>
  );
}
