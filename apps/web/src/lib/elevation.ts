/** Asks the person for a code; answers whether the session has passed the two-factor check again. */
type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;
let declined = false;

/**
 * What a call does that is refused with `auth.two_factor_required`: where somebody can ask the person for a code, it waits
 * for the answer and is made once more (decisions, section 3). Many calls refused at once ask one question.
 */
export const elevation = {
  /** From now on `ask` is asked; answers how to take that back. */
  askedBy(ask: Asker) {
    asker = ask;
    declined = false;
    return () => {
      if (asker === ask) asker = null;
    };
  },

  /** Whoever said no is not asked again by a timer, only by what he does himself. */
  async regained(background: boolean): Promise<boolean> {
    if (asker === null || (background && declined)) return false;
    asking ??= asker().finally(() => {
      asking = null;
    });
    const regained = await asking;
    declined = !regained;
    return regained;
  },
};
