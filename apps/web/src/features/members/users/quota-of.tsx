import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { clubDay, sizeText, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MEMBERS, useMay } from "../../club/staff/index.ts";
import classes from "./member-page.module.css";
import type { MemberFile } from "./queries.ts";
import { useQuotaOfWords } from "./quota-words.ts";
import { useUsersWords } from "./words.ts";

/** How much of the month's traffic a member used, and a button to reset the count. */
export function QuotaOf({ file, nowMs }: { file: MemberFile; nowMs: number }) {
  const { failures } = useUsersWords();
  const words = useQuotaOfWords();
  const { language } = useSpeech();
  const mayModify = useMay("members.change");
  const toast = useToast();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { member, quota } = file;
  const resetting = useCommand({
    mutationFn: () => api("PUT /users/{id}", { params: { id: member.id }, body: { resetQuota: true } }),
    onSuccess: () => {
      void toast("good", words.resetDone);
      void queryClient.invalidateQueries({ queryKey: MEMBERS });
      setAsking(false);
    },
  });
  if (quota === null) return words.any;
  const size = (bytes: number) => sizeText(bytes, language);
  const day = writtenDay(clubDay(quota.resetsAt), nowMs, language);
  return (
    <span className={classes.withAct}>
      {words.used[quota.atEnd](size(quota.used), size(quota.bytes), day, quota.slowMbit ?? 0)}
      {mayModify && quota.used > 0 && (
        <Button variant="subtle" onClick={() => setAsking(true)}>
          {words.reset}
        </Button>
      )}
      <Ask
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => resetting.mutate()}
        title={words.resetAsk(member.displayName)}
        text={words.resetText}
        confirm={words.reset}
        working={words.resetWorking}
        of={resetting}
        failed={failures.quotaReset}
      />
    </span>
  );
}
