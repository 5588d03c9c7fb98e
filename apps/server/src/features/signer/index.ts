export { patientSigner } from "./patient-signer.ts";
export { type Approval, openSignerDoor, type SignerDoor, SignerProblem, type SigningTerms } from "./signer-door.ts";
