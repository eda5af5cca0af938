import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../../lib/api.ts";
import "../../ui/form.css";
import { asViewed, useViewed } from "../staff/index.ts";
import classes from "./member-picker.module.css";
import { MEMBERS } from "./queries.ts";

const TYPING_MS = 150;
const SHOWN = 6;

export interface Picked {
  id: string;
  username: string;
  displayName: string;
}

interface Props {
  words: { label: string; hint: string; found: string; nobody: string; searching: string; failed: string };
  value: Picked | null;
  onChange: (member: Picked | null) => void;
  error?: string | undefined;
}

/** One member, found by his name or login among all of them. */
export function MemberPicker({ words, value, onChange, error }: Props) {
  const { viewedRole } = useViewed();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS);
  const searching = value === null && typed.trim() !== "";
  const found = useQuery({
    queryKey: [...MEMBERS, "pick", q, viewedRole],
    queryFn: ({ signal }) => api("GET /users", { query: { q, limit: SHOWN, ...asViewed(viewedRole) }, signal }),
    enabled: q !== "" && value === null,
    placeholderData: keepPreviousData,
  });
  const choices = searching && q !== "" ? (found.data ?? []) : [];
  const current = choices[Math.min(at, choices.length - 1)];
  const idOf = (id: string) => `${listId}-${id}`;
  const take = ({ id, username, displayName }: Picked) => {
    setTyped("");
    setAt(0);
    onChange({ id, username, displayName });
  };
  const steer = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !searching) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && choices.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, choices.length - 1) + step + choices.length) % choices.length);
    } else if (event.key === "Enter") {
      // What is typed is no choice yet, so the form is not sent by it.
      event.preventDefault();
      if (current) take(current);
    }
  };
  const busy = q !== typed.trim() || found.isFetching;
  return (
    <div className={classes.place}>
      <TextInput
        role="combobox"
        label={words.label}
        description={words.hint}
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current && idOf(current.id)}
        required
        value={value?.displayName ?? typed}
        onChange={(event) => {
          const next = event.currentTarget.value;
          setAt(0);
          // Whoever edits a name that was taken searches again, from what he made of it.
          if (value !== null) onChange(null);
          setTyped(next);
        }}
        onKeyDown={steer}
        error={error}
        leftSection={<IconSearch size={20} stroke={1.6} aria-hidden="true" />}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <div
        id={listId}
        role="listbox"
        aria-label={words.found}
        className={choices.length > 0 ? classes.choices : undefined}
      >
        {choices.map((member) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, in which the focus stays
          <div
            key={member.id}
            id={idOf(member.id)}
            className={classes.choice}
            role="option"
            aria-selected={member === current}
            tabIndex={-1}
            onClick={() => take(member)}
          >
            {member.displayName || member.username}
            <span>{member.username}</span>
          </div>
        ))}
      </div>
      <p className={classes.said} role="status">
        {!searching || choices.length > 0 ? "" : found.isError ? words.failed : busy ? words.searching : words.nobody}
      </p>
    </div>
  );
}
