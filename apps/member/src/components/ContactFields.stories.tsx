import type { Stories } from "@fairtick/ui/story.ts";
import type { Channel } from "../shared/contact.ts";
import { ContactFields } from "./ContactFields.tsx";
import { useField } from "./story-data.tsx";

function Asked({ by, wrong }: { readonly by: Channel; readonly wrong?: string }) {
  const channel = useField<Channel>(by);
  const phone = useField("11987654321", wrong);
  const email = useField("demo@fairtick.example", wrong);
  return <ContactFields channel={channel} phone={phone} email={email} dialCode={useField("")} />;
}

export const stories = {
  ContactFields: {
    "by e-mail": () => <Asked by="email" />,
    "by phone": () => <Asked by="phone" />,
    wrong: () => <Asked by="email" wrong="Enter an e-mail address" />,
  },
} satisfies Stories;
