import { Button } from "@mantine/core";
import { useState } from "react";
import { lazyPart } from "../../../ui/lazy.tsx";
import { useDeviceCheckWords } from "./device-check-words.ts";
import type { CheckedDevice } from "./staff-diagnosis-query.ts";

const Found = lazyPart(() => import("./device-check-found.tsx").then(({ DeviceCheckFound }) => DeviceCheckFound));
const Line = lazyPart(() => import("./device-check-found.tsx").then(({ DeviceCheckLine }) => DeviceCheckLine));

interface Props {
  device: CheckedDevice;
  /** Without being asked to. */
  atOnce: boolean;
}

/** What a member would see now of why this device may not work, for staff. */
export function DeviceCheck({ device, atOnce }: Props) {
  const words = useDeviceCheckWords();
  const [isAsked, setIsAsked] = useState(false);
  if (atOnce || isAsked) return <Found device={device} />;
  return (
    <Button variant="subtle" size="compact-sm" aria-label={words.checkOf(device.name)} onClick={() => setIsAsked(true)}>
      {words.check}
    </Button>
  );
}

/** The same in one line, and the way to all of it. */
export const DeviceCheckLine = (props: { device: CheckedDevice; onMore: () => void }) => <Line {...props} />;
