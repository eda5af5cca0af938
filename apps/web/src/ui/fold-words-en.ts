export const fold = {
  all: (count: number) => `Show all: ${count}`,
  fewer: "Show fewer",
};
