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

/** A verified member's manager and analyst. They are assigned automatically on verification and can be changed here. */
export function MemberVip({ member }: { readonly member: MemberDetail }) {
  const may = useMay();
  return (
    <>
      <Ledger
        figures={[
          [WORDS.posts.manager, member.manager?.name ?? "None"],
          [WORDS.posts.analyst, member.analyst?.name ?? "None"],
        ]}
      />
      {member.identityState !== "verified" && (
        <Notice>Only verified members have a manager and an analyst. This identity is {member.identityState}.</Notice>
      )}
      {may("member/assignVip") && member.identityState === "verified" && <AssignPost memberId={member.memberId} />}
      {may("vip/setHours") && <OwnHours />}
    </>
  );
}

/** Chooses who is the member's manager or analyst. */
function AssignPost({ memberId }: { readonly memberId: string }) {
  const people = useRead(vipList, {}).data ?? [];
  const assign = useAct(memberAssignVip);
  const [post, setPost] = useState<Post>("manager");
  const [person, setPerson] = useState(NOBODY);
  const id = useId();
  return (
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
            <option value={NOBODY}>None</option>
            {people.map((one) => (
              <option key={one.operatorId} value={one.operatorId}>
                {one.name} · {one.hours ?? "support hours"} · {count(one.members)}{" "}
                {one.members === 1 ? "assignment" : "assignments"}
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
        note="They must not advise on orders. The member sees their name and hours."
      />
    </>
  );
}

/** Lets people in support set or clear their own hours. */
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
        hint="Such as 24/7 or Mo-Fr 08:00-16:00; Sa 10:00-14:00. Leave empty for the support hours."
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
