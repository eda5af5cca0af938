import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { ServicesField, servicesQuery } from "../configs/index.ts";
import { CONFIGS, type ListedConfig } from "./queries.ts";
import { useConfigsBrowserWords } from "./words.ts";

/** Chooses the services of a device whose server routes: its owner needs no new file. */
export function ServicesDialog({ config, onClose }: { config: ListedConfig; onClose: () => void }) {
  const { services: words } = useConfigsBrowserWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const offered = useQuery(servicesQuery);
  const [chosen, setChosen] = useState(config.services);
  const saving = useCommand({
    mutationFn: () =>
      api("PUT /admin/configs/{id}/services", { params: { id: config.id }, body: { services: chosen } }),
    onSuccess: () => {
      void toast("good", words.done(config.name));
      void queryClient.invalidateQueries({ queryKey: CONFIGS });
      onClose();
    },
  });
  return (
    <FormSheet
      draft={null}
      title={words.title(config.name)}
      onClose={onClose}
      submit={
        offered.data
          ? { label: words.save, working: words.saving, busy: saving.isPending, disabled: chosen.length === 0 }
          : null
      }
      onSubmit={() => saving.mutate()}
    >
      <Loading of={offered} failed={words.listFailed} />
      {offered.data && (
        <>
          <p>{words.text}</p>
          <ServicesField
            services={offered.data}
            deviceType={config.deviceType}
            routing="server"
            chosen={chosen}
            onChange={(ids) => {
              setChosen(ids);
              if (saving.isError) saving.reset();
            }}
          />
          <FormMessage error={saving.error} failed={words.failed} />
        </>
      )}
    </FormSheet>
  );
}
