import { CODE_LENGTH } from "./code-boxes.tsx";
import classes from "./shown-code.module.css";

/**
 * A code to pass on, in the boxes in which it will be typed; null: empty boxes. Screen readers read it character by character. A
 * browser that translates the page would take single letters for words.
 */
export function ShownCode({ code }: { code: string | null }) {
  return (
    <p className={classes.code} translate="no" data-empty={code === null || undefined}>
      <span className="k-spoken">{code === null ? "" : [...code].join(" ")}</span>
      <span className={classes.row} aria-hidden="true">
        {Array.from({ length: CODE_LENGTH }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
          <span key={index} className={classes.box}>
            {code?.[index] ?? ""}
          </span>
        ))}
      </span>
    </p>
  );
}
