import { type UseMutationOptions, type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useCallback, useRef } from "react";

/**
 * A mutation that ignores a repetition of what it is doing: two clicks within a moment are one command. The button shows it as
 * running only after both. Commands about different things run in parallel.
 */
export function useCommand<Data = unknown, Failure = Error, Wish = void, Context = unknown>(
  options: UseMutationOptions<Data, Failure, Wish, Context>,
): UseMutationResult<Data, Failure, Wish, Context> {
  const running = useRef(new Set<string>());
  const { mutationFn } = options;
  const mutation = useMutation<Data, Failure, Wish, Context>({
    ...options,
    ...(mutationFn && {
      mutationFn: async (wish, context) => {
        try {
          return await mutationFn(wish, context);
        } finally {
          running.current.delete(keyOf(wish));
        }
      },
    }),
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
