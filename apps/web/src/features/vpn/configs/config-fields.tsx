import { NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown, IconDeviceLaptop, IconDeviceMobile } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { Segments } from "../../../ui/segments.tsx";
import type { Config } from "./queries.ts";
import type { Lists } from "./use-new-config.ts";

type DeviceType = Config["deviceType"];

/** Fields about a config that several dialogs share, each with its own texts. */
export function NameField({
  value,
  error,
  onChange,
  ref,
}: {
  value: string;
  error: ReactNode;
  onChange: (name: string) => void;
  ref?: Ref<HTMLInputElement>;
}) {
  const { create } = useDevices();
  return (
    <TextInput
      ref={ref}
      data-autofocus
      label={create.name}
      description={error ? undefined : create.nameHint}
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

export function DeviceField({ value, onChange }: { value: DeviceType; onChange: (type: DeviceType) => void }) {
  const { create } = useDevices();
  return (
    <Segments
      label={create.device}
      labelHidden
      value={value}
      onChange={onChange}
      choices={[
        { value: "phone", label: create.phone, icon: <IconDeviceMobile size={20} stroke={1.6} aria-hidden="true" /> },
        {
          value: "computer",
          label: create.computer,
          icon: <IconDeviceLaptop size={20} stroke={1.6} aria-hidden="true" />,
        },
      ]}
    />
  );
}

/** `value`: the chosen entry's id. */
export function DnsField({
  dns,
  value,
  onChange,
}: {
  dns: Lists["dns"];
  value: string;
  onChange: (id: string) => void;
}) {
  const { create } = useDevices();
  return (
    <NativeSelect
      label={create.dns}
      rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
      data={dns.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
