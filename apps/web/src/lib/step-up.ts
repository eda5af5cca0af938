/** Asks the person; answers whether the panel has been given what it asks for. */
type Asker = () => Promise<boolean>;

export type StepUp = ReturnType<typeof makeStepUp>;

/**
 * Proofs that the panel asks for again during work. A call that is refused without one waits, if
 * something can ask the person, and is repeated (decisions, section 3). Many calls refused at once ask one question.
 */
function makeStepUp() {
  let asker: Asker | null = null;
  let asking: Promise<boolean> | null = null;
  let declined = false;
  return {
    /** From now on `ask` is asked; answers how to take that back. */
    askedBy(ask: Asker) {
      asker = ask;
      declined = false;
      return () => {
        if (asker === ask) asker = null;
      };
    },

    /** After a no, timers do not ask again; only the person's own actions do. */
    async isGiven(background: boolean): Promise<boolean> {
      if (asker === null || (background && declined)) return false;
      asking ??= asker().finally(() => {
        asking = null;
      });
      const given = await asking;
      declined = !given;
      return given;
    },
  };
}

/** A code of the second factor, when the one given before no longer counts. */
export const elevation = makeStepUp();
/** The password, for what changes the way in. */
export const freshPassword = makeStepUp();

/** By the code of the refusal. */
export const stepUps: Readonly<Record<string, StepUp>> = {
  "auth.two_factor_required": elevation,
  "auth.password_required": freshPassword,
};
