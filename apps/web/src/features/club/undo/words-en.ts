import { counter } from "@krug/domain/plural";

const people = counter("en", { one: "member", other: "members" });

export const undo = {
  undo: "Undo",
  undoing: "Undoing…",
  done: "Undone, all is as before",
  partly: (undone: number, names: string) =>
    `${undone === 0 ? "Not undone" : `Undone for ${people(undone)}. Not undone`}: ${names}`,
  because: (name: string, why: string) => `${name || "a member"}. ${why}`,
  others: (count: number) => `and for ${people(count)} more`,
  failed: "Could not undo it",
};
