import { TextInput } from "@mantine/core";

interface Props {
  label: string;
  value: string;
  onChange: (typed: string) => void;
}

/** Asks for the name of what is deleted, because that cannot be undone. */
export const TypedName = ({ label, value, onChange }: Props) => (
  <TextInput
    label={label}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    data-autofocus
  />
);
