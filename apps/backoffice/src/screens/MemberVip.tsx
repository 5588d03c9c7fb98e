import { memberAssignVip, type MemberDetail, vipList, vipSetHours } from "@fairtick/protocol/operator";
import { Button, Field, Notice, Segments } from "@fairtick/ui";
import { useId, useState } from "react";
import { useAct, useMay, useRead, useSelf } from "../data/queries.ts";
import { Ledger } from "../shared/Case.tsx";
import { Decide } from "../shared/Decide.tsx";
import { count } from "../shared/format.ts";
import { WORDS } from "../shared/words.ts";

type Post = "manager" | "analyst";
const NOBODY = "";

/** The people who look after a verified member: assigned by the rule when the identity was verified, changed here. */
export function MemberVip({ member }: { readonly member: MemberDetail }) {
  const may = useMay();
  const people = useRead(vipList, {}).data ?? [];
  const assign = useAct(memberAssignVip);
  const [post, setPost] = useState<Post>("manager");
  const [person, setPerson] = useState(NOBODY);
  const id = useId();
  const { memberId } = member;
  return (
    <>
      <Ledger
        figures={[
          [WORDS.posts.manager, member.manager?.name ?? "Nobody"],
          [WORDS.posts.analyst, member.analyst?.name ?? "Nobody"],
        ]}
      />
      {member.identityState !== "verified" && (
        <Notice>Identity {member.identityState}: people are assigned to verified members.</Notice>
      )}
      {may("member/assignVip") && member.identityState === "verified" && (
        <>
          <Segments
            label="Post"
            look="slim"
            choices={[
              { value: "manager", label: WORDS.posts.manager },
              { value: "analyst", label: WORDS.posts.analyst },
            ]}
            value={post}
            onChange={setPost}
          />
          <div className="field">
            <label className="label" htmlFor={id}>
              Person
            </label>
            <div className="box">
              <select id={id} value={person} onChange={(event) => setPerson(event.currentTarget.value)}>
                <option value={NOBODY}>Nobody</option>
                {people.map((one) => (
                  <option key={one.operatorId} value={one.operatorId}>
                    {one.name} · {one.hours ?? "support’s hours"} · {count(one.members)}{" "}
                    {one.members === 1 ? "post" : "posts"}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <Decide
            decisions={[
              {
                label: "Assign",
                key: "a",
                main: true,
                act: (reason) =>
                  assign.mutateAsync({ memberId, post, reason, ...(person !== NOBODY && { operatorId: person }) }),
              },
            ]}
            note="They may not advise on orders. The member reads the name and the hours."
          />
        </>
      )}
      {may("vip/setHours") && <OwnHours />}
    </>
  );
}

/** Everybody in support sets their own hours, or takes them back. */
function OwnHours() {
  const { data: self } = useSelf();
  const people = useRead(vipList, {}).data;
  const save = useAct(vipSetHours);
  const own = people?.find(({ operatorId }) => operatorId === self?.operator.operatorId);
  const [typed, setTyped] = useState<string | null>(null);
  const hours = typed ?? own?.hours ?? "";
  if (!own) return null;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = hours.trim();
        save.mutate(wanted === "" ? {} : { hours: wanted });
      }}
    >
      <Field
        label="Your hours, UTC"
        hint="24/7, or Mo-Fr 08:00-16:00; Sa 10:00-14:00. Leave it empty to keep customer service's hours."
        wrong={save.error?.message}
        value={hours}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          save.reset();
        }}
      />
      <Button lowkey type="submit" off={hours.trim() === (own.hours ?? "")}>
        Save hours
      </Button>
    </form>
  );
}
