import type { Api } from "@krug/contract/api";
import { QR_MARGIN } from "@krug/domain/qr-code";
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { drawQr } from "../../../ui/qr.tsx";
import { useInvitedWords } from "./invited-words.ts";
import classes from "./printed-links.module.css";

export type Invited = Api["POST /admin/users/import"]["answer"]["invited"][number];

/** A card for each, to cut out and hand over. Only paper shows them, and only once this is in the page. */
export function PrintedLinks({ invited, until }: { invited: readonly Invited[]; until: string }) {
  const words = useInvitedWords();
  useEffect(() => window.print(), []);
  return createPortal(
    <div className={classes.paper} aria-hidden="true">
      {invited.map(({ id, username, displayName, link }) => (
        <div key={id} className={classes.card}>
          <Code text={link} />
          <div className={classes.words}>
            <b>{displayName}</b>
            <span>{words.printedLogin(username)}</span>
            <span>{words.printedHow(until)}</span>
            <span className={classes.link}>{link}</span>
          </div>
        </div>
      ))}
    </div>,
    document.body,
  );
}

function Code({ text }: { text: string }) {
  const drawing = drawQr(text);
  if (drawing === null) return null;
  const side = drawing.size + 2 * QR_MARGIN;
  return (
    <svg className={classes.code} viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" aria-hidden="true">
      <path d={drawing.path} />
    </svg>
  );
}
