import { useState } from "react";
import { base } from "../lib/base.ts";
import { lazyDialog } from "./lazy-dialog.tsx";

const PictureSheet = lazyDialog(() => import("./picture-sheet.tsx").then(({ PictureSheet }) => PictureSheet));

interface Props {
  address: string;
  /** What the picture is. */
  title: string;
  label?: string;
  className: string;
  children: React.ReactNode;
}

/** Leads to a picture in its own tab. From Telegram a tab would be in a browser where nobody is signed in, so there it opens here. */
export function PictureLink({ address, title, label, className, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const open = (event: React.MouseEvent) => {
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <a
        href={address}
        aria-label={label}
        className={className}
        {...(base ? { onClick: open } : { target: "_blank", rel: "noopener noreferrer" })}
      >
        {children}
      </a>
      {isOpen && <PictureSheet address={address} title={title} onClose={() => setOpen(false)} />}
    </>
  );
}
