import { Button } from "@mantine/core";
import { IconQrcode } from "@tabler/icons-react";
import { useId, useState } from "react";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { inviteLink } from "./invitation.ts";
import classes from "./link-qr.module.css";

const Qr = lazyPart(
  () => import("../../../ui/qr.tsx").then(({ Qr }) => Qr),
  () => <Waiting room={240} />,
);

interface Props {
  code: string;
  words: { showQr: string; hideQr: string; qrLabel: string };
}

/** The invitation link as a QR code, for a friend nearby. */
export function LinkQr({ code, words }: Props) {
  const [isShown, setIsShown] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        variant="outline"
        leftSection={<IconQrcode size={20} stroke={1.6} aria-hidden="true" />}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? words.hideQr : words.showQr}
      </Button>
      <div id={id} className={classes.qr} hidden={!isShown}>
        {isShown && <Qr text={inviteLink(code)} label={words.qrLabel} />}
      </div>
    </>
  );
}
