import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useEditWords } from "../../../ui/edit-words.ts";
import { Loading } from "../../../ui/loading.tsx";
import { TemplateChoice, templatesQuery } from "../templates/index.ts";
import { useBulkWords } from "./bulk-words.ts";
import type { ChoosingQuestion } from "./question.ts";
import { QuestionSheet } from "./question-sheet.tsx";

/** Which template several members get. */
export function TemplateQuestion({ isFixed, onConfirm, ...question }: ChoosingQuestion<string>) {
  const { saving } = useEditWords();
  const words = useBulkWords();
  const templates = useQuery(templatesQuery);
  const [id, setId] = useState("");
  const chosen = templates.data?.find((template) => template.id === id) ?? templates.data?.[0];
  return (
    <QuestionSheet
      {...question}
      button={chosen ? { label: words.apply, working: saving } : null}
      onSubmit={() => chosen && onConfirm(chosen.id)}
    >
      <Loading of={templates} failed={words.templatesFailed} room={120} />
      {templates.data && !chosen && <p>{words.noTemplates}</p>}
      {chosen && (
        <>
          <TemplateChoice all={templates.data ?? []} chosen={chosen} isFixed={isFixed} onChoose={setId} />
          <p>{words.templateLead}</p>
        </>
      )}
    </QuestionSheet>
  );
}
