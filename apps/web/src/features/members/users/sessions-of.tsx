import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { ageText, dayText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import cells from "../../../ui/cells.module.css";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MEMBERS, useMay } from "../../club/staff/index.ts";
import type { MemberFile } from "./queries.ts";
import { useUsersWords } from "./words.ts";

/** Where a member is signed in; an admin can end all of it. */
export function SessionsOf({ file, nowMs }: { file: MemberFile; nowMs: number }) {
  const { page: words, actions, failures } = useUsersWords();
  const { text, language } = useSpeech();
  const mayModify = useMay("members.change");
  const toast = useToast();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const ending = useCommand({
    mutationFn: () => api("DELETE /admin/users/{id}/sessions", { params: { id: file.member.id } }),
    onSuccess: () => {
      void toast("good", words.ended);
      void queryClient.invalidateQueries({ queryKey: MEMBERS });
      setAsking(false);
    },
  });
  return (
    <Panel
      title={words.sessions}
      count={file.sessions.length || undefined}
      beside={
        mayModify &&
        file.sessions.length > 0 && (
          <Button variant="subtle" data-danger onClick={() => setAsking(true)}>
            {words.endAll}
          </Button>
        )
      }
    >
      {file.sessions.length === 0 && <p className={cells.quiet}>{words.noSessions}</p>}
      <Lines>
        {file.sessions.map(({ id, device, createdAt, lastSeenAt }) => (
          <Line key={id}>
            <b>{device ?? words.unknownDevice}</b>
            <span>
              {words.signedIn(
                dayText(createdAt, nowMs, language, text.age),
                ageText(Date.parse(lastSeenAt), nowMs, text.age),
              )}
            </span>
          </Line>
        ))}
      </Lines>
      {asking && (
        <Ask
          opened
          danger
          onClose={() => setAsking(false)}
          onConfirm={() => ending.mutate()}
          title={words.endAsk}
          text={words.endText}
          confirm={actions.endSessions}
          working={words.endWorking}
          busy={ending.isPending}
          bad={ending.error && explain(ending.error, failures.endSessions, text.failure.silent)}
        />
      )}
    </Panel>
  );
}
