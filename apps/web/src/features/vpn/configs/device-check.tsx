import { Button } from "@mantine/core";
import { useState } from "react";
import { lazyPart } from "../../../ui/lazy.tsx";
import { useDeviceCheckWords } from "./device-check-words.ts";
import type { CheckedDevice } from "./staff-diagnosis-query.ts";

const Found = lazyPart(() => import("./device-check-found.tsx").then(({ DeviceCheckFound }) => DeviceCheckFound));
const Line = lazyPart(() => import("./device-check-found.tsx").then(({ DeviceCheckLine }) => DeviceCheckLine));

interface Props {
  device: CheckedDevice;
  /** Automatically. */
  atOnce: boolean;
}

/** Why this device may not work, as its member would see it now, for staff. */
export function DeviceCheck({ device, atOnce }: Props) {
  const words = useDeviceCheckWords();
  const [isAsked, setIsAsked] = useState(false);
  if (atOnce || isAsked) return <Found device={device} />;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      data-flush="always"
      aria-label={words.checkOf(device.name)}
      onClick={() => setIsAsked(true)}
    >
      {words.check}
    </Button>
  );
}

/** The same in one line, with a link to the whole. */
export const DeviceCheckLine = (props: { device: CheckedDevice; onMore: () => void }) => <Line {...props} />;
