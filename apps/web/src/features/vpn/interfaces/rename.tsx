import { ActionIcon, TextInput } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, withReason } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useInterfacesWords } from "./words.ts";
import "../../../ui/form.css";
import { Ring } from "../../../ui/ring.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { type Interface, SERVERS } from "../servers/index.ts";
import classes from "./interfaces.module.css";

/** A closed menu returns the focus to its button after a moment. */
const MENU_CLOSED_MS = 50;

/** The name as a field in place: Enter confirms, Escape cancels. */
export function Rename({ row, onClose }: { row: Interface; onClose: () => void }) {
  const { rename: words, failures } = useInterfacesWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [name, setName] = useState(row.name);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => field.current?.focus({ preventScroll: true }), MENU_CLOSED_MS);
    return () => clearTimeout(timer);
  }, []);
  const renaming = useCommand({
    mutationFn: () =>
      api("PUT /admin/servers/{serverId}/interfaces/{interfaceId}", {
        params: { serverId: row.serverId, interfaceId: row.id },
        body: { name: name.trim(), expected: { name: row.name } },
      }),
    onSuccess: (after) => {
      void toast("good", words.done(after.name));
      void queryClient.invalidateQueries({ queryKey: SERVERS });
      onClose();
    },
    onError: (error) => {
      setProblem(withReason(failures.update, error, failure.silent));
      void queryClient.invalidateQueries({ queryKey: SERVERS });
    },
  });
  const confirm = () => {
    if (renaming.isPending) return;
    if (name.trim() === "") setProblem(words.empty);
    else if (name.trim() === row.name) onClose();
    else renaming.mutate();
  };
  return (
    <form
      className={classes.rename}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <TextInput
        aria-label={words.field(row.name)}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
        }}
        onFocus={(event) => event.currentTarget.select()}
        error={problem}
        maxLength={64}
        ref={field}
      />
      <ActionIcon type="submit" aria-label={words.confirm} aria-disabled={renaming.isPending || undefined}>
        {renaming.isPending ? <Ring state="wait" size={20} /> : <IconCheck size={20} stroke={1.8} />}
      </ActionIcon>
      <ActionIcon aria-label={words.cancel} onClick={onClose}>
        <IconX size={20} stroke={1.6} />
      </ActionIcon>
    </form>
  );
}
