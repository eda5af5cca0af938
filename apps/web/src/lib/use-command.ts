import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useCallback, useId, useRef } from "react";
import { ofPerson } from "./person.ts";

/** The command whose failure is being reported, and what each has to take back once it is tried again. */
let reporting: string | null = null;
const standing = ofPerson(() => new Map<string, () => void>());

/** While a command's failure is being reported: `takeBack` is called when the same is tried again, since it may succeed. */
export function untilTriedAgain(takeBack: () => void): void {
  if (reporting !== null) standing.now.set(reporting, takeBack);
}

/**
 * A mutation that ignores a repetition of what it is doing: two clicks within a moment are one command. The button shows it as
 * running only after both. Commands about different things run in parallel. With a `mutationKey` it is the same command wherever it
 * is given.
 */
export function useCommand<Data = unknown, Failure = Error, Wish = void, Context = unknown>(
  options: UseMutationOptions<Data, Failure, Wish, Context>,
): UseMutationResult<Data, Failure, Wish, Context> {
  const running = useRef(new Set<string>());
  const here = useId();
  const { mutationFn, onError, mutationKey = here } = options;
  const act = (wish: Wish) => JSON.stringify([mutationKey, wish], onlyIds);
  const mutation = useMutation<Data, Failure, Wish, Context>({
    ...options,
    ...(mutationFn && {
      mutationFn: async (wish, context) => {
        standing.now.get(act(wish))?.();
        standing.now.delete(act(wish));
        try {
          return await mutationFn(wish, context);
        } finally {
          running.current.delete(keyOf(wish));
        }
      },
    }),
    onError: (error, wish, ...rest) => {
      reporting = act(wish);
      try {
        return onError?.(error, wish, ...rest);
      } finally {
        reporting = null;
      }
    },
  });
  const { mutate: begin } = mutation;
  const mutate: typeof begin = useCallback(
    (...args) => {
      const key = keyOf(args[0]);
      if (running.current.has(key)) return;
      running.current.add(key);
      begin(...args);
    },
    [begin],
  );
  return { ...mutation, mutate };
}

const keyOf = (wish: unknown) => JSON.stringify(wish) ?? "";

/** A thing stays the same thing while its readings change. */
const onlyIds = (_: string, value: unknown) =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : value;
