import { IconBell, IconShield } from "@fairtick/ui";
import type { Stories } from "@fairtick/ui/story.ts";
import { ChainTransaction } from "./ChainTransaction.tsx";
import { CopyLink } from "./CopyLink.tsx";
import { LanguageLink } from "./LanguageLink.tsx";
import { LinkField } from "./LinkField.tsx";
import { LogOutButton } from "./LogOutButton.tsx";
import { MenuRow } from "./MenuRow.tsx";
import { PasswordInput } from "./PasswordInput.tsx";
import { StepBar } from "./StepBar.tsx";
import { useField } from "./story-data.tsx";

function Password({
  first,
  wrong,
  ...more
}: {
  readonly first: string;
  readonly wrong?: string;
  readonly fresh?: boolean;
  readonly digits?: boolean;
}) {
  return <PasswordInput label="Password" {...useField(first, wrong)} {...more} />;
}

export const stories = {
  CopyLink: {
    usual: () => <CopyLink text="FT-1">Copy reference</CopyLink>,
    "nothing yet": () => <CopyLink text={undefined}>Copy address</CopyLink>,
  },
  ChainTransaction: {
    usual: () => <ChainTransaction txHash={`0x${"3f".repeat(32)}`} explorerUrl={undefined} />,
    "with an explorer": () => (
      <ChainTransaction txHash={`0x${"3f".repeat(32)}`} explorerUrl="https://explorer.example/tx/1" />
    ),
  },
  LanguageLink: { usual: () => <LanguageLink /> },
  LinkField: {
    "not chosen": () => (
      <LinkField
        label="Country or region"
        value={null}
        none="Select country/region"
        wrong={undefined}
        to="/pages/index/SelectRegion"
      />
    ),
    wrong: () => (
      <LinkField
        label="Country or region"
        value={null}
        none="Select country/region"
        wrong="Select country/region"
        to="/pages/index/SelectRegion"
      />
    ),
    chosen: () => (
      <LinkField
        label="Receiving card"
        value="Example Bank · 1234"
        none="Select a receiving card"
        wrong={undefined}
        to="/pages/rk/SelectCard"
      />
    ),
  },
  LogOutButton: { usual: () => <LogOutButton className="" /> },
  MenuRow: {
    "a menu": () => (
      <nav className="group">
        <MenuRow to="/pages/user/index" icon={<IconShield />} words="Security center" state="Passkey added" />
        <MenuRow to="/pages/user/index" icon={<IconBell />} words="Price alerts" />
      </nav>
    ),
  },
  PasswordInput: {
    current: () => <Password first="lantern-orchid" />,
    "a new one": () => <Password first="" fresh />,
    "six digits, new": () => <Password first="" fresh digits />,
    wrong: () => <Password first="lantern" wrong="Wrong password" />,
  },
  StepBar: {
    "first of two": () => <StepBar step={1} count={2} />,
    "last of three": () => <StepBar step={3} count={3} />,
  },
} satisfies Stories;
