import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useRulesWords } from "../../lib/i18n/rules.ts";
import "../../ui/form.css";
import { useViewed } from "../staff/index.ts";
import { type Named, SUGGESTED, suggestionsQuery } from "./queries.ts";
import classes from "./rules.module.css";

const TYPING_MS = 150;

interface Props {
  label: string;
  /** Stands in the field until something else is typed; null: the field is empty. */
  picked: Named | null;
  /** null: what was picked was typed over. */
  onPick: (member: Named | null) => void;
  /** Not offered: they are picked already. */
  without?: readonly string[];
  error?: string | false | undefined;
}

/** A field that finds a member by name or username; arrows and Enter choose, as a tap does. */
export function MemberField({ label, picked, onPick, without = [], error }: Props) {
  const { picker: words } = useRulesWords();
  const { viewedRole } = useViewed();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useQuery({ ...suggestionsQuery(q, viewedRole), enabled: open });
  const choices = (found.data ?? []).filter(({ id }) => !without.includes(id)).slice(0, SUGGESTED);
  const isMore = (found.data?.length ?? 0) > SUGGESTED;
  const current = choices[Math.min(at, choices.length - 1)];
  const optionId = (id: string) => `${listId}-${id}`;

  const take = (member: Named) => {
    onPick({ id: member.id, username: member.username, displayName: member.displayName });
    setTyped("");
    setOpen(false);
    setAt(0);
  };
  const steer = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && open) {
      // It closes the list, not the dialog around it.
      event.stopPropagation();
      setOpen(false);
    } else if (step !== undefined) {
      event.preventDefault();
      if (!open) setOpen(true);
      else if (choices.length > 0) setAt((Math.min(at, choices.length - 1) + step + choices.length) % choices.length);
    } else if (event.key === "Enter" && open && current) {
      event.preventDefault();
      take(current);
    }
  };
  const busy = q !== typed.trim() || found.isFetching;
  const said = !open
    ? ""
    : found.isError
      ? words.failed
      : choices.length > 0
        ? isMore
          ? words.more
          : ""
        : busy
          ? words.searching
          : words.nothing;

  return (
    <div>
      <TextInput
        label={label}
        role="combobox"
        aria-expanded={open && choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && current ? optionId(current.id) : undefined}
        value={picked && !open ? picked.displayName : typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setOpen(true);
          setAt(0);
          if (picked) onPick(null);
        }}
        onFocus={() => setOpen(picked === null)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={steer}
        error={error}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden="true" />}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div
        id={listId}
        className={classes.choices}
        role="listbox"
        aria-label={words.matches}
        hidden={!open || choices.length === 0}
      >
        {open &&
          choices.map((member) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, in which the focus stays
            <div
              key={member.id}
              id={optionId(member.id)}
              className={classes.choice}
              role="option"
              aria-selected={member === current}
              tabIndex={-1}
              // Before the field loses the focus, and with it the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(member)}
            >
              <b>{member.displayName}</b>
              <span>{member.username}</span>
            </div>
          ))}
      </div>
      <p className={classes.said} role="status">
        {said}
      </p>
    </div>
  );
}
