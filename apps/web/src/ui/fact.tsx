import cells from "./cells.module.css";

/** One fact of a card on a phone. `of` names it where its value does not say what it is. */
export function Fact({ of, children }: { of?: string; children: React.ReactNode }) {
  return (
    <span>
      {of && <span className={cells.of}>{of} </span>}
      {children}
    </span>
  );
}
