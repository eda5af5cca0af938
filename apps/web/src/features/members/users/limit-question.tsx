import { HIGHEST_CONFIG_LIMIT, NO_LIMIT } from "@krug/domain/config-rules";
import { Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useState } from "react";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { useBulkWords } from "./bulk-words.ts";
import type { ChoosingQuestion } from "./question.ts";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

/** How many configs each of several members may have. */
export function LimitQuestion({
  title,
  confirm,
  progress,
  busy,
  bad,
  isFixed,
  onClose,
  onConfirm,
}: ChoosingQuestion<number>) {
  const { edit } = useUsersWords();
  const words = useBulkWords();
  const [limit, setLimit] = useState("");
  const [hasLimit, setHasLimit] = useState(true);
  const [isWrong, setWrong] = useState(false);
  const isFit = !hasLimit || (/^\d+$/.test(limit) && Number(limit) <= HIGHEST_CONFIG_LIMIT);
  return (
    <FormSheet
      draft={null}
      small
      title={title}
      onClose={onClose}
      submit={{ label: confirm ?? edit.save, working: progress ?? edit.saving, busy }}
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
      <FormMessage bad={bad} />
    </FormSheet>
  );
}
