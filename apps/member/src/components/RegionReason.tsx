import { Notice, Wait } from "@fairtick/ui";
import { useMember } from "../data/account.ts";
import { useRegions } from "../data/deployment.ts";

/** Where the member's region leaves the practice wallet alone: which rule says so. */
export function RegionReason() {
  const region = useMember().data?.region;
  const reason = useRegions().data?.find(({ iso2 }) => iso2 === region)?.policyReason;
  return <Notice>{reason ?? <Wait like="Only the practice wallet is open here" />}</Notice>;
}
