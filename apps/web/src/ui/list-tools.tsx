import { Button, TextInput } from "@mantine/core";
import { IconDownload, IconSearch, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStaffWords } from "../lib/i18n/staff.ts";
import { LONGEST_SEARCH } from "../lib/readable-search.ts";
import "./form.css";
import classes from "./list-tools.module.css";
import { Ring } from "./ring.tsx";

/** Above a list: filters on the left, actions on the whole list on the right. */
export const ListTools = ({ children }: { children: React.ReactNode }) => (
  <div className={classes.tools}>{children}</div>
);

/** Typing counts as finished after this pause. */
const SETTLED_MS = 250;

interface SearchProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A field that searches during typing. */
export function SearchField({ label, value, onChange }: SearchProps) {
  const { table: words } = useStaffWords();
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  if (value !== told) {
    // The address changed by itself: a link, or going back.
    setTold(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === told) return;
    const timer = setTimeout(() => {
      setTold(typed.trim());
      onChange(typed.trim());
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed, told, onChange]);
  return (
    <TextInput
      className={classes.search ?? ""}
      style={{ "--search-letters": label.length }}
      classNames={{ input: classes.searchInput ?? "" }}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={LONGEST_SEARCH}
      onChange={(event) => setTyped(event.currentTarget.value)}
      leftSection={<IconSearch size={18} stroke={1.6} aria-hidden="true" />}
      rightSection={
        typed && (
          <button
            type="button"
            className={`${classes.clear} k-focus`}
            aria-label={words.clear}
            onClick={() => setTyped("")}
          >
            <IconX size={16} stroke={1.8} aria-hidden="true" />
          </button>
        )
      }
    />
  );
}

/** The whole list as a file. The ring takes the sign's place, so that nothing next to the button moves. */
export function CsvButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  const { table: words } = useStaffWords();
  return (
    <Button
      variant="outline"
      className={classes.csv ?? ""}
      aria-disabled={busy || undefined}
      leftSection={busy ? <Ring state="wait" size={20} /> : <IconDownload size={20} stroke={1.6} aria-hidden="true" />}
      onClick={() => busy || onClick()}
    >
      <span className={classes.csvWords}>{words.csv}</span>
    </Button>
  );
}
