/** The console speaks English alone; what screens say stands here. */
export const WORDS = {
  office: "Back office",
  promise: "No screen here can change a price, an outcome or a balance.",
  screens: {
    members: "Members",
    corrections: "Corrections",
    config: "Configuration",
    capital: "House capital",
    exposure: "Exposure and result",
    operators: "Operators",
    audit: "Audit trail",
  },
  roles: {
    support: "Support",
    finance: "Finance",
    compliance: "Compliance",
    admin: "Admin",
    auditor: "Auditor",
  },
  reason: "Reason, written to the audit trail",
  memberReason: "Reason, which the member will read",
  own: "You proposed this: another person decides. You may take it back.",
  reading: "Reading…",
  retry: "Try again",
  states: { waiting: "Waiting", approved: "Approved", rejected: "Rejected" },
  standing: { active: "Active", suspended: "Suspended", excluded: "Excluded", closed: "Closed" },
  wallets: { practice: "Practice", real: "Real" },
} as const;
