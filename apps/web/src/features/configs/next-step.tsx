import { Button } from "@mantine/core";
import { IconQrcode } from "@tabler/icons-react";
import { useState } from "react";
import { useMemberText } from "../../lib/i18n/member.ts";
import { onThisPhone } from "../../lib/on-this-phone.ts";
import { Steps } from "../../ui/steps.tsx";
import { ClientLinks } from "./client-links.tsx";
import { CLIENTS, SYSTEMS, type System, thisSystem } from "./clients.ts";
import classes from "./created.module.css";

/** `code`: the QR code of the file. */
export function ForPhone({ code }: { code: React.ReactNode }) {
  const { created, qr } = useMemberText();
  const [scanning, setScanning] = useState(() => !onThisPhone());
  if (scanning) {
    return (
      <>
        <p className={classes.lead}>{qr.hint}</p>
        {code}
        <ClientLinks systems={["ios", "android"]} />
      </>
    );
  }
  return (
    <>
      <p>{created.thisPhoneLead}</p>
      <Steps steps={created.thisPhoneSteps} />
      <ClientLinks systems={systemsOf(true)} />
      <div className={classes.other}>
        <p>{created.otherPhone}</p>
        <Button variant="outline" leftSection={<IconQrcode size={20} stroke={1.6} />} onClick={() => setScanning(true)}>
          {created.showQr}
        </Button>
      </div>
    </>
  );
}

/** Of this device where it is such a one, else all of them. */
function systemsOf(phone: boolean): System[] {
  const here = thisSystem();
  if (here !== null && CLIENTS[here].phone === phone) return [here];
  return SYSTEMS.filter((system) => CLIENTS[system].phone === phone);
}

export function ForComputer() {
  const { created } = useMemberText();
  return (
    <>
      <p>{created.computerLead}</p>
      <Steps steps={created.computerSteps} />
      <ClientLinks systems={systemsOf(false)} />
    </>
  );
}
