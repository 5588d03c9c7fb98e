import { TabPanel, Words } from "@fairtick/ui";
import type { ReactNode } from "react";
import { useMember } from "../../data/account.ts";
import { formatCount } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate } from "../../shared/navigation.tsx";

const PANEL = "kf";

/** The tabs for help articles and customer service. */
export function ChatTabs({ chosen, children }: { readonly chosen: "help" | "chat"; readonly children: ReactNode }) {
  const t = useText();
  const unread = useMember().data?.unread.support ?? 0;
  return (
    <>
      <Words
        label={t("chat.tabs")}
        panel={PANEL}
        choices={[
          { value: "help", label: t("chat.help") },
          { value: "chat", label: unread > 0 ? `${t("chat.chat")} (${formatCount(unread)})` : t("chat.chat") },
        ]}
        value={chosen}
        onChange={(tab) => {
          navigate({ to: "/pages/kf/index", search: tab === "chat" ? { tab } : {}, replace: true });
        }}
      />
      <TabPanel id={PANEL} chosen={chosen}>
        <div className={chosen === "chat" ? "chat" : "help"}>{children}</div>
      </TabPanel>
    </>
  );
}
