import { IconX } from "@tabler/icons-react";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import classes from "./composer.module.css";
import type { Picked } from "./draft.ts";

/** The attached images, each with a button to remove it. */
export function PickedImages({ images, onRemove }: { images: readonly Picked[]; onRemove: (id: string) => void }) {
  const words = useSupportWords();
  return (
    <>
      <p role="status" className="k-spoken">
        {images.length > 0 && words.attachedCount(images.length)}
      </p>
      {images.length > 0 && (
        <ul className={classes.picked} aria-label={words.attached}>
          {images.map(({ id, dataUrl }, index) => (
            <li key={id}>
              <img src={dataUrl} alt={words.imageOf(index + 1)} />
              <button
                type="button"
                className="k-focus"
                aria-label={words.removeImage(index + 1)}
                onClick={() => onRemove(id)}
              >
                <IconX size={16} stroke={2} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
