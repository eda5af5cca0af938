import { wordFor } from "@krug/domain/plural";

const seconds = wordFor("en", { one: "second", other: "seconds" });

export const newcomer = {
  register: {
    title: "Registration",
    step: (step: number) => `Step ${step} of 2`,
    codeTitle: "Invite code",
    goOn: "Continue with this code",
    codeLead: "The six characters your friend sent you. You can paste them all at once.",
    codeHint: "We check it once you enter the sixth character. The code has no 0, 1, O, I or L.",
    spentCode: (code: string) =>
      `The code ${code} may have expired or been used. A code is valid for 12 hours and works once: ask your friend for a new code or link.`,
    brokenLink: "The link is incomplete. Ask your friend to send it again, or the six-character code itself.",
    codeBox: (index: number) => `Character ${index} of 6`,
    checking: "Checking the code...",
    accepted: "Invite code accepted.",
    noSuchSign: "A code has only Latin letters and digits, but no 0, 1, O, I or L.",
    wrongCode: "Wrong invite code",
    checkFailed: "Could not check the invite code",
    tryIn: (left: number) => `Try again in ${left} ${seconds(left)}`,
    banWhy: "You entered five wrong codes in a row, so you have to wait.",
    banHint:
      "Ask your friend to send the code as a message: it has no 0, 1, O, I or L. A code is valid for 12 hours, and your friend can make a new one.",
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
    noToken: "The link is incomplete. Open the whole link that the panel printed when it first started.",
    usedHint:
      "If there is an administrator already, just sign in. While the club is empty, the panel prints a new link every time it starts.",
  },
  setPassword: {
    title: "New password",
    lead: "Choose a password. The old one stops working.",
    submit: "Save password",
    working: "Saving...",
    failed: "Could not save the password",
    noToken: "The link is incomplete. Open the whole link that was sent to you.",
    usedHint: "The link is valid for 24 hours and works once. Ask an administrator for a new one.",
  },
  missing: {
    title: "Page not found",
    lead: "The address may have a typo, or the page no longer exists.",
    home: "Go to the start page",
  },
};
