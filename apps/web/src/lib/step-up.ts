/** Asks the person. Returns whether the panel received the proof. */
type Asker = () => Promise<boolean>;

export type StepUp = ReturnType<typeof makeStepUp>;

/**
 * Step-up authentication while working. If the person can be asked, a call refused without proof waits and is repeated (decisions,
 * section 3). Many calls refused at once cause one question.
 */
function makeStepUp() {
  let asker: Asker | null = null;
  let asking: Promise<boolean> | null = null;
  let declined = false;
  return {
    /** Registers `ask`. Returns a function that unregisters it. */
    askedBy(ask: Asker) {
      asker = ask;
      declined = false;
      return () => {
        if (asker === ask) asker = null;
      };
    },

    /** After a no, timers do not ask again. Only the person's own actions do. */
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

/** A second-factor code, when the earlier one has expired. */
export const elevation = makeStepUp();
/** The password, for changes to sign-in. */
export const freshPassword = makeStepUp();

/** By the refusal's code. */
export const stepUps: Readonly<Record<string, StepUp>> = {
  "auth.two_factor_required": elevation,
  "auth.password_required": freshPassword,
};
