import { TextInput } from "@mantine/core";
import "../../../ui/form.css";
import { useDevices } from "../../../lib/i18n/devices.ts";
import classes from "./devices.module.css";

interface Props {
  wanted: string;
  onChange: (wanted: string) => void;
  /** How many cards match. */
  count: number;
}

/** Above cards that no longer fit a few screens: filters them by letters of the name. */
export function FindDevice({ wanted, onChange, count }: Props) {
  const { find } = useDevices();
  return (
    <div className={classes.find}>
      <TextInput
        type="search"
        aria-label={find.label}
        placeholder={find.label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={wanted}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p role="status" className={classes.found}>
        {wanted.trim() !== "" && (count === 0 ? find.none : find.found(count))}
      </p>
    </div>
  );
}
