import { Button } from "@mantine/core";
import { IconQrcode } from "@tabler/icons-react";
import { useState } from "react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { Steps } from "../../../ui/steps.tsx";
import { AmneziaLink, AmneziaLinks } from "./amnezia-links.tsx";
import { ClientLinks } from "./client-links.tsx";
import { CLIENTS, SYSTEMS, type System, systemsHereFirst, thisSystem } from "./clients.ts";
import classes from "./created.module.css";
import type { Config } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";

interface Props {
  tunnel: Config["tunnel"];
  /** The id of the config whose link AmneziaVPN takes; left out if there is only the file. */
  linkOf?: string | undefined;
}

interface PhoneProps extends Props {
  /** The QR code of the file. */
  code: React.ReactNode;
  /** What comes of it, close to the code. */
  awaited?: React.ReactNode;
  /** A button next to it already leads to the app's store. */
  offersStore?: boolean;
}

export function ForPhone({ code, awaited, offersStore = false, ...device }: PhoneProps) {
  const { qr } = withApp(useMemberText(), appFor(device.tunnel));
  const { created } = withApp(useDevices(), appFor(device.tunnel));
  const { amnezia } = useDevices();
  const [scanning, setScanning] = useState(() => !onThisPhone());
  if (scanning) {
    return (
      <>
        <p className={classes.lead}>{qr.hint}</p>
        {code}
        {awaited}
        <Apps systems={systemsHereFirst().filter((system) => CLIENTS[system].phone)} {...device} />
      </>
    );
  }
  const isPlain = device.tunnel.version === null;
  return (
    <>
      <p>{created.thisPhoneLead}</p>
      <Steps steps={isPlain ? created.thisPhoneSteps : amnezia.phoneSteps} />
      {!(offersStore && isPlain) && <Apps systems={systemsOf(true)} {...device} />}
      <div className={classes.other}>
        <p>{created.otherPhone}</p>
        <Button variant="outline" leftSection={<IconQrcode size={20} stroke={1.6} />} onClick={() => setScanning(true)}>
          {created.showQr}
        </Button>
      </div>
      {awaited}
    </>
  );
}

/** This device's system if it is one of them, otherwise all. */
export function systemsOf(phone: boolean): System[] {
  const here = thisSystem();
  if (here !== null && CLIENTS[here].phone === phone) return [here];
  return SYSTEMS.filter((system) => CLIENTS[system].phone === phone);
}

export function ForComputer(device: Props) {
  const { created, amnezia } = useDevices();
  return (
    <>
      <p>{created.computerLead}</p>
      <Steps steps={device.tunnel.version === null ? created.computerSteps : amnezia.computerSteps} />
      <Apps systems={systemsOf(false)} {...device} />
    </>
  );
}

function Apps({ systems, tunnel: { version }, linkOf }: Props & { systems: readonly System[] }) {
  if (version === null) return <ClientLinks systems={systems} />;
  return (
    <>
      <AmneziaLinks systems={systems} version={version} />
      {linkOf !== undefined && <AmneziaLink id={linkOf} />}
    </>
  );
}
