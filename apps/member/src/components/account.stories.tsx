import { IconBell, IconShield } from "@fairtick/ui";
import type { Stories } from "@fairtick/ui/story.ts";
import { LanguageLink } from "./LanguageLink.tsx";
import { LogOutButton } from "./LogOutButton.tsx";
import { MenuRow } from "./MenuRow.tsx";
import { PasswordInput } from "./PasswordInput.tsx";
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
  LanguageLink: { usual: () => <LanguageLink /> },
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
} satisfies Stories;
