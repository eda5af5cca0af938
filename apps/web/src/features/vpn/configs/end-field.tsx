import { TextInput } from "@mantine/core";
import { useDormantWords } from "./dormant-words.ts";

/** `value`: YYYY-MM-DD by the club's clock; empty: no end. `byStaff`: staff set it, and its owner is looking. */
export function EndField(props: {
  value: string;
  byStaff: boolean;
  error: string | null;
  onChange: (day: string) => void;
}) {
  const words = useDormantWords();
  return (
    <TextInput
      type="date"
      label={words.field}
      description={props.byStaff ? words.byStaff : words.fieldHint}
      value={props.value}
      disabled={props.byStaff}
      error={props.error}
      max="9999-12-31"
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
