import { HIGHEST_CONFIG_LIMIT, NO_LIMIT } from "@krug/domain/config-rules";
import { useState } from "react";
import { useEditWords } from "../../../ui/edit-words.ts";
import { LimitField } from "../../../ui/limit-field.tsx";
import { useBulkWords } from "./bulk-words.ts";
import type { ChoosingQuestion } from "./question.ts";
import { QuestionSheet } from "./question-sheet.tsx";
import { useUsersWords } from "./words.ts";

/** How many configs each of several members may have. */
export function LimitQuestion({ isFixed, onConfirm, ...question }: ChoosingQuestion<number>) {
  const { save, saving } = useEditWords();
  const { edit } = useUsersWords();
  const words = useBulkWords();
  const [limit, setLimit] = useState("");
  const [hasLimit, setHasLimit] = useState(true);
  const [isWrong, setWrong] = useState(false);
  const isFit = !hasLimit || (/^\d+$/.test(limit) && Number(limit) <= HIGHEST_CONFIG_LIMIT);
  return (
    <QuestionSheet
      {...question}
      button={{ label: save, working: saving }}
      onSubmit={() => {
        setWrong(!isFit);
        if (isFit) onConfirm(hasLimit ? Number(limit) : NO_LIMIT);
      }}
    >
      <LimitField
        words={{ label: words.limit, none: edit.noLimit }}
        isLimited={hasLimit}
        typed={limit}
        onLimit={setHasLimit}
        onType={setLimit}
        problem={isWrong && !isFit && edit.limitWrong}
        isFixed={isFixed}
        hasFocus
      />
    </QuestionSheet>
  );
}
