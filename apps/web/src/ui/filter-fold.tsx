import { Button } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useState } from "react";
import classes from "./filter-fold.module.css";

interface Props {
  /** Says how many are set. */
  label: string;
  children: React.ReactNode;
}

/** A list's filters. On a phone they are behind one button. */
export function FilterFold({ label, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="outline"
        className={classes.button ?? ""}
        aria-expanded={isOpen}
        leftSection={<IconFilter size={20} stroke={1.6} aria-hidden="true" />}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </Button>
      <div className={classes.filters} data-shown={isOpen || undefined}>
        {children}
      </div>
    </>
  );
}
