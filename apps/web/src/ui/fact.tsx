import cells from "./cells.module.css";

/** One fact of a card on a phone. `of` names it if its value does not explain itself. */
export function Fact({ of, children }: { of?: string; children: React.ReactNode }) {
  return (
    <span>
      {of && <span className={cells.of}>{of} </span>}
      {children}
    </span>
  );
}
