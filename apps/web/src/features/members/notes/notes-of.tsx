import { MOST_NOTE_LETTERS } from "@krug/domain/note-rules";
import { ActionIcon, Textarea } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../../lib/api.ts";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { ageText, moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import cells from "../../../ui/cells.module.css";
import "../../../ui/form.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { asViewed, useMay, useViewed } from "../../club/staff/index.ts";
import classes from "./notes.module.css";
import { useNotesWords } from "./words.ts";

/** The remaining room is shown from this many characters before the limit. */
const NEAR_THE_END = 200;

interface Props {
  memberId: string;
  nowMs: number;
  /** Their number changed. */
  onChange: () => void;
}

/** Staff's notes about a member, and a field for another. */
export function NotesOf({ memberId, nowMs, onChange }: Props) {
  const words = useNotesWords();
  const { text, language } = useSpeech();
  const { viewedRole } = useViewed();
  const mayWrite = useMay("notes.write");
  const queryClient = useQueryClient();
  const draft = `krug.note.${memberId}`;
  const [typed, setTyped] = useState(() => keptForTab(draft) ?? "");
  const write = (text: string) => {
    setTyped(text);
    keepForTab(draft, text === "" ? null : text);
  };
  const [removed, setRemoved] = useState<string | null>(null);
  const queryKey = ["notes", memberId, viewedRole];
  const notes = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api("GET /admin/users/{id}/notes", { params: { id: memberId }, query: asViewed(viewedRole), signal }),
  });
  const changed = () => {
    void queryClient.invalidateQueries({ queryKey });
    onChange();
  };
  const adding = useCommand({
    mutationFn: (content: string) =>
      api("POST /admin/users/{id}/notes", { params: { id: memberId }, body: { content } }),
    onSuccess: () => {
      write("");
      changed();
    },
  });
  const removing = useCommand({
    mutationFn: (noteId: string) =>
      api("DELETE /admin/users/{id}/notes/{noteId}", { params: { id: memberId, noteId } }),
    onSuccess: () => {
      setRemoved(null);
      changed();
    },
  });
  const left = MOST_NOTE_LETTERS - typed.length;
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== "" && !adding.isPending) adding.mutate(typed.trim());
  };
  return (
    <Panel title={words.title} count={notes.data?.length || undefined} busy={notes.isPending}>
      <p className={cells.quiet}>{words.lead}</p>
      {notes.isError && <LoadFailed title={words.failed} error={notes.error} onRetry={() => void notes.refetch()} />}
      {notes.data?.length === 0 && !mayWrite && <p className={cells.quiet}>{words.none}</p>}
      {(notes.data?.length ?? 0) > 0 && (
        <ul className={classes.notes}>
          {notes.data?.map(({ id, content, by, createdAt, mayDelete }) => (
            <li key={id}>
              <div className={classes.head}>
                <b>{by?.displayName ?? words.someone}</b>
                <span title={moment(Date.parse(createdAt), language)}>
                  {ageText(Date.parse(createdAt), nowMs, text.age)}
                </span>
                {mayWrite && mayDelete && (
                  <ActionIcon
                    className={classes.remove ?? ""}
                    aria-label={words.remove}
                    title={words.remove}
                    onClick={() => {
                      removing.reset();
                      setRemoved(id);
                    }}
                  >
                    <IconTrash size={18} stroke={1.6} />
                  </ActionIcon>
                )}
              </div>
              <p className={classes.content}>{content}</p>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <form className={classes.form} onSubmit={add}>
          <Textarea
            label={words.field}
            placeholder={words.placeholder}
            value={typed}
            onChange={(event) => write(event.currentTarget.value)}
            maxLength={MOST_NOTE_LETTERS}
            description={left <= NEAR_THE_END ? words.left(left) : null}
            autosize
            minRows={2}
            maxRows={8}
          />
          <FormMessage error={adding.error} failed={words.addFailed} />
          {typed.trim() !== "" && (
            <SubmitButton size="sm" busy={adding.isPending} label={words.add} working={words.adding} />
          )}
        </form>
      )}
      {removed !== null && (
        <Ask
          danger
          onClose={() => setRemoved(null)}
          onConfirm={() => removing.mutate(removed)}
          title={words.removeAsk}
          text={words.removeText}
          confirm={words.removeConfirm}
          working={words.removing}
          of={removing}
          failed={words.removeFailed}
        />
      )}
    </Panel>
  );
}
