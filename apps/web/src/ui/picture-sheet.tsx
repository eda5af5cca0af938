import classes from "./picture-sheet.module.css";
import { Sheet } from "./sheet.tsx";

/** A picture as wide as the window allows. */
export function PictureSheet({ address, title, onClose }: { address: string; title: string; onClose: () => void }) {
  return (
    <Sheet onClose={onClose} title={title}>
      <img src={address} alt={title} className={classes.picture} />
    </Sheet>
  );
}
