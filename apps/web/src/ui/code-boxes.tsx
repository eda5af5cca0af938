import { latinCapital } from "@krug/domain/look-alikes";
import { PinInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import "@mantine/core/styles/Group.layer.css";
import "@mantine/core/styles/PinInput.layer.css";
import "./form.css";
import classes from "./code-boxes.module.css";

export const CODE_LENGTH = 6;

/** "k7m-рhw " → "K7MPHW": letters and digits, in capitals. */
const signsOf = (typed: string): string[] => [...typed].map(latinCapital).filter((sign) => /[\p{L}\p{N}]/u.test(sign));

/** Finds six digits in a message, or three and three; otherwise takes all digits. */
const digitsIn = (pasted: string) =>
  pasted.match(/\d+/g)?.find(({ length }) => length === CODE_LENGTH) ??
  /\b\d{3}[\s-]\d{3}\b/.exec(pasted)?.[0].replace(/\D/g, "") ??
  pasted.replace(/\D/g, "");

/** Fetched at the first paste. Without a connection, or if no code is found, all characters count. */
const codeIn = (pasted: string) =>
  import("@krug/domain/code-in-text").then(({ codeInText }) => codeInText(pasted) ?? pasted).catch(() => pasted);

interface Props {
  value: string;
  onChange: (value: string) => void;
  /** Called once with the whole code when the last box is filled. */
  onComplete?: (value: string) => void;
  label: string;
  boxLabel: (index: number) => string;
  digits?: boolean;
  /** The characters of the code, if not every letter and digit. Others are rejected. */
  alphabet?: string;
  /** A letter or digit was rejected. */
  onRefused?: () => void;
  disabled?: boolean;
  readOnly?: boolean;
  error?: boolean;
  autoFocus?: boolean;
  describedBy?: string;
}

const boxes = (root: HTMLElement) => [...root.querySelectorAll<HTMLInputElement>('input:not([type="hidden"])')];

/** Six boxes for a code, the same for showing and for typing one. */
export function CodeBoxes({
  value,
  onChange,
  onComplete,
  label,
  boxLabel,
  digits = false,
  alphabet,
  onRefused,
  describedBy,
  ...state
}: Props) {
  // The boxes move the focus before React has rendered the new value.
  const latest = useRef(value);
  latest.current = value;
  const root = useRef<HTMLDivElement>(null);
  /** A code that was begun before goes on; a whole one is looked at from its start. */
  const [startsAt] = useState(value.length % CODE_LENGTH);
  useEffect(() => {
    // A refused code is cleared: the next starts in the first box.
    const [first, ...others] = value === "" && root.current ? boxes(root.current) : [];
    if (others.includes(document.activeElement as HTMLInputElement)) first?.focus();
  }, [value]);
  useEffect(() => {
    // A code refused after its button was pressed is corrected here.
    if (state.error && root.current && !root.current.contains(document.activeElement)) boxes(root.current)[0]?.focus();
  }, [state.error]);
  const take = (typed: string) => {
    const signs = signsOf(typed);
    const taken = signs.filter((sign) => alphabet?.includes(sign) ?? /[A-Z0-9]/.test(sign));
    const code = taken.join("").slice(0, CODE_LENGTH);
    latest.current = code;
    onChange(code);
    if (taken.length < signs.length) onRefused?.();
    if (code.length === CODE_LENGTH && code !== value) onComplete?.(code);
  };
  const takeCopied = async (text: string, root: HTMLElement) => {
    if (state.disabled || state.readOnly) return;
    take(digits ? digitsIn(text) : await codeIn(text));
    boxes(root)[Math.min(latest.current.length, CODE_LENGTH - 1)]?.focus();
  };
  return (
    <PinInput
      {...state}
      rootRef={root}
      length={CODE_LENGTH}
      value={value}
      onChange={take}
      type={digits ? "number" : /^[\p{L}\d]+$/u}
      inputMode={digits ? "numeric" : "text"}
      oneTimeCode={digits}
      gap={8}
      role="group"
      aria-label={label}
      aria-describedby={describedBy}
      classNames={{ root: classes.boxes, pinInput: classes.box, input: classes.sign }}
      getInputProps={(index) => ({
        "aria-label": boxLabel(index + 1),
        "aria-invalid": state.error || undefined,
        // These hand the focus back, see below: Tab would never leave the code.
        tabIndex: index > value.length ? -1 : undefined,
        // A dialog that opens with the boxes focuses them, not its close button.
        "data-autofocus": (index === startsAt && state.autoFocus) || undefined,
        autoFocus: state.autoFocus && index === startsAt,
        autoCapitalize: "characters",
        autoCorrect: "off",
        spellCheck: false,
      })}
      onFocusCapture={(event: React.FocusEvent<HTMLElement>) => {
        // A code has no gaps: typing in a box past the end continues the code.
        const all = boxes(event.currentTarget);
        const goesOnAt = latest.current.length;
        if (all.indexOf(event.target as HTMLInputElement) <= goesOnAt) return;
        // The library would select the text of the box that lost the focus, which in Chromium brings the focus back, forever.
        event.stopPropagation();
        all[goesOnAt]?.focus();
      }}
      onPasteCapture={(event: React.ClipboardEvent<HTMLElement>) => {
        event.preventDefault();
        event.stopPropagation();
        void takeCopied(event.clipboardData.getData("text/plain"), event.currentTarget);
      }}
      onChangeCapture={(event: React.ChangeEvent<HTMLElement>) => {
        // A phone's keyboard types its clipboard suggestion: the browser does not report it as a paste.
        const { value: typed } = event.target as HTMLInputElement;
        if (typed.length <= CODE_LENGTH) return;
        event.stopPropagation();
        void takeCopied(typed, event.currentTarget);
      }}
    />
  );
}
