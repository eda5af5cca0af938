export const fold = {
  all: (count: number) => `Показать все: ${count}`,
  fewer: "Свернуть",
};
