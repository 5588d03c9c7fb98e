import { Button, EmptyState, FailedState, IconCopy, IconShare, Notice, Split, Wait } from "@fairtick/ui";
import { LoadMore } from "../../components/lists/LoadMore.tsx";
import { QrCode } from "../../components/qr/QrCode.tsx";
import { useInvite, useInvited, type Invite } from "../../data/invites.ts";
import { copyText } from "../../shared/copy-text.ts";
import { formatCount, formatDate, formatMoney, formatRate } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import "./share.css";

/** The member's invitation: link, code and QR code, who joined with it and the rewards earned. */
export function ShareScreen() {
  const t = useText();
  const query = useInvite();
  const invite = query.data;
  return (
    <Screen title={t("invite.title")} pushed broad backTo="/pages/user/index" noWallet busy={query.isPending}>
      {query.isError && invite === undefined ? (
        <FailedState
          title={t("invite.failed")}
          retryLabel={t("shell.tapToRetry")}
          onRetry={() => {
            void query.refetch();
          }}
        />
      ) : (
        <div className="columns share-page">
          <div className="stack">
            <Invitation invite={invite} />
            <section className="card">
              <Split
                parts={[
                  { name: t("invite.invited"), figure: invite ? formatCount(invite.invited) : <Wait like="0" /> },
                  {
                    name: t("invite.earned"),
                    figure: invite ? `${formatMoney(invite.earned)} USD` : <Wait like="0.00 USD" />,
                  },
                ]}
              />
            </section>
          </div>
          <div className="stack">
            {invite && <Terms rate={invite.rewardRate} />}
            <People />
          </div>
        </div>
      )}
    </Screen>
  );
}

/** The invitation's full terms, or a note that there is no reward now. */
function Terms({ rate }: { readonly rate: string }) {
  const t = useText();
  if (!/[1-9]/.test(rate)) return <Notice>{t("invite.noRate")}</Notice>;
  return (
    <>
      <Notice>{t("invite.rate", { rate: formatRate(rate, 4) })}</Notice>
      <p className="note soft">{t("invite.terms")}</p>
    </>
  );
}

function Invitation({ invite }: { readonly invite: Invite | undefined }) {
  const t = useText();
  // Use the address of this page: a phone in the same network can't resolve the server's own name for itself.
  const url = invite && `${location.origin}/#/pages/index/Register?inviteCode=${invite.code}`;

  function share() {
    if (url === undefined) return;
    // Closing the system's share sheet isn't an error.
    navigator.share({ title: "Fairtick", text: t("invite.shareText"), url }).catch(() => undefined);
  }

  return (
    <section className="card share-invitation" aria-busy={invite === undefined}>
      {url === undefined ? <span className="qr" /> : <QrCode text={url} label={t("invite.qr")} />}
      <p className="label">{t("invite.code")}</p>
      <p className="medium" data-testid="invite-code">
        {invite?.code ?? <Wait like="ABCDEFGH" />}
      </p>
      <p className="label">{t("invite.link")}</p>
      <p className="code share-link" data-testid="invite-link">
        {url ?? <Wait like="https://fairtick.example/#/pages/index" />}
      </p>
      <div className="pair">
        <Button
          lowkey
          off={url === undefined}
          onClick={() => {
            if (invite) void copyText(invite.code);
          }}
        >
          <IconCopy size="tiny" />
          {t("invite.copyCode")}
        </Button>
        <Button
          lowkey
          look="tint"
          off={url === undefined}
          onClick={() => {
            if (url !== undefined) void copyText(url);
          }}
        >
          <IconCopy size="tiny" />
          {t("invite.copyLink")}
        </Button>
      </div>
      {"share" in navigator && (
        <Button look="main" off={url === undefined} onClick={share}>
          <IconShare size="small" />
          {t("invite.share")}
        </Button>
      )}
    </section>
  );
}

function People() {
  const t = useText();
  const query = useInvited();
  const people = query.data?.pages.flatMap(({ items }) => items);
  if (people === undefined) return null;
  if (people.length === 0) return <EmptyState title={t("invite.nobody")}>{t("invite.nobodyMore")}</EmptyState>;
  return (
    <section className="stack">
      <h2 className="label">{t("invite.people")}</h2>
      <div className="group">
        {people.map(({ username, joinedAt, earned }, place) => (
          <div className="row" key={`${joinedAt}-${place}`} data-testid="invited">
            <span className="grow">
              <span className="block">{username}</span>
              <span className="note soft block">{t("invite.joined", { date: formatDate(joinedAt) })}</span>
            </span>
            <span className="figure">{formatMoney(earned)}</span>
          </div>
        ))}
      </div>
      <LoadMore pages={query} />
    </section>
  );
}
