import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { TemplateChoice, templatesQuery } from "../templates/index.ts";
import { useBulkWords } from "./bulk-words.ts";
import type { ChoosingQuestion } from "./question.ts";
import { useUsersWords } from "./words.ts";

/** Which template several members get. */
export function TemplateQuestion({
  title,
  confirm,
  progress,
  busy,
  bad,
  isFixed,
  onClose,
  onConfirm,
}: ChoosingQuestion<string>) {
  const { edit } = useUsersWords();
  const words = useBulkWords();
  const templates = useQuery(templatesQuery);
  const [id, setId] = useState("");
  const chosen = templates.data?.find((template) => template.id === id) ?? templates.data?.[0];
  return (
    <FormSheet
      draft={null}
      small
      title={title}
      onClose={onClose}
      submit={chosen ? { label: confirm ?? words.apply, working: progress ?? edit.saving, busy } : null}
      onSubmit={() => chosen && onConfirm(chosen.id)}
    >
      {templates.isError && (
        <LoadFailed title={words.templatesFailed} error={templates.error} onRetry={() => void templates.refetch()} />
      )}
      {templates.isPending && <Waiting room={120} />}
      {templates.data && !chosen && <p>{words.noTemplates}</p>}
      {chosen && (
        <>
          <TemplateChoice all={templates.data ?? []} chosen={chosen} isFixed={isFixed} onChoose={setId} />
          <p>{words.templateLead}</p>
        </>
      )}
      <FormMessage bad={bad} />
    </FormSheet>
  );
}
