import { Fragment } from "react";

/** Names of files and variables, which may be wider than their column, break between their words. */
export const breakable = (text: string) =>
  text.split("_").map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
    <Fragment key={index}>
      {index > 0 && (
        <>
          _<wbr />
        </>
      )}
      {word}
    </Fragment>
  ));
