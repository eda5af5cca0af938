import { wordFor } from "@krug/domain/plural";

const seconds = wordFor("en", { one: "second", other: "seconds" });

export const newcomer = {
  register: {
    title: "Registration",
    step: (step: number) => `Step ${step} of 2`,
    codeTitle: "Invite code",
    goOn: "Go on with this code",
    codeLead: "The six characters your friend sent you. You can paste them all at once.",
    codeHint: "We check it as soon as the sixth character is there. The code has no 0, 1, O, I or L.",
    spentCode: (code: string) =>
      `The code ${code} may have expired or been used. A code lives for 12 hours and works once: ask your friend to make a new one and send it or its link.`,
    brokenLink:
      "The link did not arrive whole. Ask your friend to send it again, or the code itself: it has six characters.",
    codeBox: (index: number) => `Character ${index} of 6`,
    checking: "Checking the code...",
    accepted: "Invite code accepted.",
    noSuchSign: "A code has only Latin letters and digits, and no 0, 1, O, I or L.",
    wrongCode: "Wrong invite code",
    checkFailed: "Could not check the invite code",
    tryIn: (left: number) => `Try again in ${left} ${seconds(left)}`,
    banWhy: "There were five wrong codes in a row, so there is a pause.",
    banHint:
      "Ask your friend to send the code as a message: it has no 0, 1, O, I or L. A code lives for 12 hours, your friend can make a new one.",
    accountTitle: "Your account",
    accountLead: "The club's administrators see the name. Only you know the password.",
    submit: "Create account",
    working: "Creating...",
    success: "Registered. Redirecting...",
    failed: "Could not register",
    noToken: "Could not register: no token received",
    anotherCode: "Enter another code",
    member: "Already a member?",
    toLogin: "Sign in",
    closedTitle: "Registration is closed",
    closedText: "The system is under maintenance. Registration is not available for now.",
    closedBack: "Back to sign-in",
  },
  setup: {
    title: "The first administrator",
    lead: "This name and password open the club's panel. The link works once.",
    submit: "Create administrator",
    working: "Creating...",
    failed: "Could not create the administrator",
    noToken: "The address has no key. Open the whole link that the panel printed at its first start.",
    usedHint:
      "If there is an administrator already, just sign in. While the club is empty, the panel prints a new link at every start.",
  },
  setPassword: {
    title: "New password",
    lead: "Choose a password. The old one stops working.",
    submit: "Save password",
    working: "Saving...",
    failed: "Could not save the password",
    noToken: "The address has no key. Open the whole link that was sent to you.",
    usedHint: "The link is valid for 24 hours and works once. Ask an administrator for a new one.",
  },
  missing: {
    title: "There is no such page",
    lead: "There may be a typo in the address, or the page is gone.",
    home: "To the start page",
  },
};
