import { HIGHEST_CONFIG_LIMIT, NO_LIMIT } from "@krug/domain/config-rules";
import { Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useState } from "react";
import { useEditWords } from "../../../ui/edit-words.ts";
import { useBulkWords } from "./bulk-words.ts";
import type { ChoosingQuestion } from "./question.ts";
import { QuestionSheet } from "./question-sheet.tsx";
import classes from "./users.module.css";
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
      <div className={classes.pair}>
        <TextInput
          label={words.limit}
          inputMode="numeric"
          value={hasLimit ? limit : ""}
          disabled={!hasLimit || isFixed}
          error={isWrong && !isFit && edit.limitWrong}
          onChange={(event) => setLimit(event.currentTarget.value.trim())}
          autoComplete="off"
          data-autofocus
        />
        <Checkbox
          label={edit.noLimit}
          checked={!hasLimit}
          disabled={isFixed}
          onChange={(event) => setHasLimit(!event.currentTarget.checked)}
        />
      </div>
    </QuestionSheet>
  );
}
