import { counter } from "@krug/domain/plural";

const people = counter("ru", { one: "участника", few: "участников", many: "участников", other: "участника" });

export const undo = {
  undo: "Отменить",
  undoing: "Отменяется…",
  done: "Отменено, всё как было",
  partly: (undone: number, names: string) =>
    `${undone === 0 ? "Не отменено" : `Отменено у ${people(undone)}. Не отменено`}: ${names}`,
  because: (name: string, why: string) => `${name || "участник"}. ${why}`,
  others: (count: number) => `и ещё у ${people(count)}`,
  failed: "Не получилось отменить",
};
