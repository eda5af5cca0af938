import { Button, type ButtonProps } from "@mantine/core";
import { Ring } from "./ring.tsx";
import classes from "./submit-button.module.css";

interface Props extends ButtonProps {
  busy: boolean;
  label: string;
  working: string;
  type?: "submit" | "button";
  onClick?: () => void;
  /** Red fill: the confirmation of something destructive. */
  danger?: boolean;
  form?: string;
  "aria-describedby"?: string;
}

/** The one filled button of a form. While it works its label changes, but its place, its width and the focus stay. */
export function SubmitButton({ busy, label, working, type = "submit", onClick, danger, ...look }: Props) {
  return (
    <Button
      size="lg"
      {...look}
      type={type}
      aria-disabled={busy || undefined}
      data-danger={danger || undefined}
      {...(busy ? { className: classes.working ?? "", variant: "light" } : {})}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.();
      }}
    >
      {busy && <Ring state="wait" size={20} />}
      <span className={busy ? classes.word : undefined}>{busy ? working : label}</span>
    </Button>
  );
}
