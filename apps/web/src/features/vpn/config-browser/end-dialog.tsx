import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { clubDay } from "../../../lib/format.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { EndField, tellEndSaved } from "../configs/index.ts";
import { CONFIGS, type ListedConfig } from "./queries.ts";
import { useConfigsBrowserWords } from "./words.ts";

/** Until when a member's device works. */
export function EndDialog({ config, onClose }: { config: ListedConfig; onClose: () => void }) {
  const { end: words, services } = useConfigsBrowserWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const before = config.ends ? clubDay(config.ends.at) : "";
  const [until, setUntil] = useState(before);
  const save = (day: string) =>
    api("PUT /admin/configs/{id}/end", { params: { id: config.id }, body: { until: day || null } });
  const saving = useCommand({
    mutationFn: () => save(until),
    onSuccess: () => {
      // The day that has passed cannot come back.
      if (config.ends?.isOver) void toast("good", words.done(config.name));
      else tellEndSaved({ name: config.name, back: () => save(before) });
      void queryClient.invalidateQueries({ queryKey: CONFIGS });
      onClose();
    },
  });
  const isPast = saving.error instanceof ApiError && saving.error.code === "config.end_in_past";
  return (
    <FormSheet
      draft={null}
      title={words.title(config.name)}
      onClose={onClose}
      submit={{
        label: services.save,
        working: services.saving,
        busy: saving.isPending,
        disabled: until === before,
      }}
      onSubmit={() => saving.mutate()}
      small
    >
      <p>{words.text}</p>
      <EndField
        value={until}
        byStaff={false}
        error={isPast ? (saving.error?.message ?? null) : null}
        onChange={(day) => {
          setUntil(day);
          if (saving.isError) saving.reset();
        }}
      />
      <FormMessage error={!isPast && saving.error} failed={words.failed} />
    </FormSheet>
  );
}
